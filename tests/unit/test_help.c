/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_help.c - help, manual page and completions are compared with the tables in the sources, and checked by the
 * shells and by man; colours and bars; output and exit code of doctor. Nothing is random. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/shell.h"

/* Commands that print the names of options and of verbs in the sources, one a line. */
#define OPTIONS "sed -n 's/^    { \"\\([A-Za-z0-9-]*\\)\", \\(KEY\\|'\"'\"'\\).*/\\1/p' '" SOURCE_DIR \
                "/harness/cli/options.c'"
#define VERBS "sed -n '/^const struct verb verbs/,/^};/s/^    { \"\\([a-z]*\\)\", .*/\\1/p' '" SOURCE_DIR \
              "/harness/cli/main.c'"

static int begin(void **state)
{
    shell_begin();
    return shell("for p in man bash zsh; do assay help $p > $p.txt || exit 1; done; "
                 "assay help > help.txt; assay --help > option.txt; " OPTIONS " > options; " VERBS " > verbs");
}

static int end(void **state)
{
    shell_end();
    return 0;
}

static bool missing(const char *program)
{
    if (shell("command -v %s > /dev/null", program) == 0)
        return false;
    print_message("skip: no %s\n", program);
    return true;
}

static void every_option_and_verb_is_documented(void **state)
{
    assert_true(shell_lines("options") > 30 && shell_lines("verbs") > 25);
    assert_int_equal(shell("cmp help.txt option.txt"), 0);
    for (int k = 0; k < 3; k++) {
        static const char *const file[] = { "help.txt", "bash.txt", "zsh.txt" };
        if (shell("while read o; do grep -qe \"--$o\\>\" %s || { echo \"$o\"; exit 1; }; "
                  "done < options", file[k]) ||
            shell("while read v; do grep -qw \"$v\" %s || { echo \"$v\"; exit 1; }; done < verbs",
                  file[k]))
            fail_msg("not in %s", file[k]);
    }
    assert_int_equal(shell("while read o; do "
                           "grep -qF \"\\-\\-$(echo $o | sed 's/-/\\\\-/g')\\fR\" man.txt || { echo \"$o\"; exit "
                                   "1; }; done < options"), 0);
    assert_int_equal(shell("while read v; do grep -qxF \"\\fB$v\\fR\" man.txt || "
                           "grep -qF \"\\fB$v\\fR \" man.txt || { echo \"$v\"; exit 1; }; "
                           "done < verbs"), 0);
    static const char *const words[] = { "130", "143", "ASSAY_PROFILE", "ASSAY_n", "NO_COLOR" };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        assert_true(shell_contains("man.txt", words[k]) && shell_contains("help.txt", words[k]));
}

/* `help VERB` and `VERB --help` print the same text: what the verb does, its options, and three examples, each of
 * which the program can parse, with options of this verb only. */
static void every_verb_has_its_own(void **state)
{
    assert_int_equal(shell("while read v; do assay $v --help > own.txt && assay help $v | cmp - own.txt && "
                           "head -n 1 own.txt | grep -q \"^Usage: assay $v\\b\" || { echo $v; exit 1; }; "
                           "sed -n 's/^  assay //p' own.txt > examples; [ $(wc -l < examples) = 3 ] || "
                           "{ echo $v; exit 1; }; "
                           "while read -r line; do eval \"assay $line --help\" > shown.txt 2>&1 && "
                           "cmp -s shown.txt own.txt || "
                           "{ echo \"$line\"; head -3 shown.txt; exit 1; }; "
                           "echo \"$line\" | grep -o -e ' --[a-zA-Z0-9-]*' | sed 's/ --//' | while read o; do "
                           "sed -n '/^Examples/q; p' own.txt | grep -qe \"--$o\\b\" || { echo \"$line: $o\"; "
                           "exit 1; }; done || exit 1; "
                           "done < examples || exit 1; done < verbs"), 0);
    assert_int_equal(shell("assay help expotr 2> err.txt"), 2);
    assert_true(shell_contains("err.txt", "did you mean export?"));
    assert_int_equal(shell("assay solv --help 2> err.txt"), 2);
    assert_true(shell_contains("err.txt", "unknown verb 'solv'; did you mean solve?"));
}

/* The help of a verb lists the options that the verb takes and no others. `status` takes none but --help,
 * --version, --plugin and --method, which all verbs take. It refuses each other option and names the verbs that
 * take it. With all its listed options a verb is not refused for one of them, and with one that it does not list it
 * is. A plug-in that does not exist is looked for after that, so that no verb is carried out. */
static void help_lists_what_a_verb_takes(void **state)
{
    assert_int_equal(shell("while read v; do assay help $v | sed -n '/^Examples/q; "
                           "s/^  \\(-., \\|    \\)--\\([A-Za-z0-9-]*\\).*/\\2/p' | sed \"s/^/$v /\"; done < verbs "
                           "| sort > listed; test $(wc -l < listed) -gt 500"), 0);
    /* One line an option, typed with a value that it can have; NULL stands for an option without a value. */
    assert_int_equal(shell("sed -n 's/^    { \"\\([A-Za-z0-9-]*\\)\", \\(KEY[^,]*\\|'\"'.'\"'\\), "
                           "\\([^,]*\\),.*/\\1 \\3/p' '" SOURCE_DIR "/harness/cli/options.c' | "
                           "while read -r o kind; do case $o,$kind in *,NULL|tune,*) echo --$o ;; "
                           "profile,*) echo --$o=quick ;; constants,*) echo --$o=theory ;; "
                           "scaling,*) echo --$o=unit ;; data-format,*) echo --$o=csv ;; "
                           "task,*) echo --$o=regression ;; format,*) echo --$o=text ;; "
                           "arch,*) echo --$o=portable ;; engine,*) echo --$o=slurm ;; figures,*) echo --$o=svg ;; "
                           "runs,*) echo --$o=100 ;; set,*) echo --$o=algo.a=1 ;; plugin,*) echo --$o=none.so ;; "
                           "*) echo --$o=1 ;; esac; done > typed; "
                           "cut -c3- typed | cut -d= -f1 | cmp - options"), 0);
    assert_int_equal(shell("while read -r o; do assay status $o --plugin none.so 2>&1 | "
                           "sed -n \"s/^assay: --\\([^:]*\\): not an option of .status., but of \\([^;]*\\).*/"
                           "\\1, \\2/p\"; done < typed | awk -F, '{ for (k = 2; k <= NF; k++) print $k, $1 }' | "
                           "sed 's/^ //' > refused; for o in help version plugin method; do "
                           "sed \"s/$/ $o/\" verbs; done | sort - refused | diff - listed"), 0);
    assert_int_equal(shell("while read v; do all= other= takes=\" $(sed -n \"s/^$v //p\" listed | tr '\\n' ' ')\"; "
                           "while read -r o; do name=${o#--}; case \"$takes\" in *\" ${name%%=*} \"*) "
                           "case $name in help|version) ;; *) all=\"$all $o\" ;; esac ;; *) other=$o ;; esac; "
                           "done < typed; assay $v $all 2> err.txt; "
                           "grep -q 'plug-in none.so\\|not together with --fresh' err.txt || "
                           "{ echo $v; cat err.txt; exit 1; }; assay $v $all $other 2> err.txt; "
                           "grep -q \"not an option of .$v.\" err.txt || { echo $v $other; cat err.txt; exit 1; }; "
                           "done < verbs"), 0);
}

/* Examples of verbs that need no store and no time run as they stand. Those of `accept` have a reason, so that only
 * the store is missing here, and those of `work` have names that `shards` gives. */
static void examples_work(void **state)
{
    assert_int_equal(shell("mkdir tried && cd tried && mkdir algos problems claims && "
                           "for v in list new account help; do assay help $v; done | "
                           "sed -n 's/^  assay //p' > lines; test $(wc -l < lines) = 12 && while read -r line; do "
                           "eval \"assay $line\" > shown 2>&1 || { echo \"$line\"; exit 1; }; done < lines"), 0);
    assert_int_equal(shell("cd tried; test -e algos/my_method.c && test -e claims/my_paper.c"), 0);
    assert_int_equal(shell("cd tried; assay help doctor | sed -n 's/^  assay //p' | "
                           "grep -v 'tar$\\|statistics' > lines; while read -r line; do "
                           "eval \"assay $line\" > shown; [ $? = 2 ] && { echo \"$line\"; exit 1; }; "
                           "done < lines; test -s lines"), 0);
    assert_int_equal(shell("cd tried; assay help accept | sed -n 's/^  assay //p' > lines; test -s lines && "
                           "while read -r line; do eval \"assay $line\" 2>&1 | grep -q 'no such store' || "
                           "{ echo \"$line\"; exit 1; }; done < lines"), 0);
    assert_int_equal(shell("cd tried; assay shards --claim 'baselines/gd.*' --output shards --seconds 0.001 "
                           "> shown && assay help work | sed -n 's/^  assay work \\([^ ]*\\).*/\\1/p' > lines; "
                           "test -s lines && "
                           "while read -r file; do test -e $file || { echo $file; exit 1; }; done < lines"), 0);
}

/* The help of `list` and the completions have all words that `list` takes. */
static void words_of_list(void **state)
{
    assert_int_equal(shell("assay list xyzzy 2> err.txt; assay help list > own.txt; "
                           "sed -n 's/,//g; s/.*expected//p' err.txt > words; for w in $(cat words); do "
                           "grep -qw $w own.txt && grep -q \"list) words=.*$w\" bash.txt || "
                           "{ echo $w; exit 1; }; done; test $(wc -w < words) -gt 10"), 0);
}

/* A claim's id begins with its paper. A pattern without the paper is refused, and the message names a pattern with
 * it. */
static void a_pattern_without_its_paper(void **state)
{
    assert_int_equal(shell("assay plan --claim 'nesterov.rate*' 2> err.txt"), 2);
    assert_true(shell_contains("err.txt", "no claim matches 'nesterov.rate*'; "
                               "did you mean 'baselines/nesterov.rate*'?"));
    assert_int_equal(shell("assay plan --claim 'baselines/gd.*,gd.rate.excess.T' 2> err.txt"), 2);
    assert_true(shell_contains("err.txt", "did you mean 'baselines/gd.rate.excess.T'?"));
    assert_int_equal(shell("assay plan --claim 'nothing.such*' 2> err.txt"), 2);
    assert_false(shell_contains("err.txt", "did you mean"));
    assert_int_equal(shell("assay plan --claim '*/nesterov.rate*' > out.txt"), 0);
}

static void man_reads_it(void **state)
{
    if (missing("man"))
        skip();
    assert_int_equal(shell("MANWIDTH=80 man -l --warnings man.txt > out.txt 2> err.txt"), 0);
    assert_int_equal(shell_lines("err.txt"), 0);
    assert_true(shell_lines("out.txt") > 100);
    if (shell("command -v mandoc > /dev/null") == 0)
        assert_int_equal(shell("mandoc -Tlint man.txt | grep -v 'missing date'"), 1);
}

/* For a line of these words, the last of which is unfinished, bash must offer the completions `expected`. */
static void offers(const char *words, const char *expected)
{
    shell("cat > try.txt << 'END'\n. ./bash.txt\nCOMP_WORDS=(%s)\n"
          "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_assay\necho ${COMPREPLY[@]}\nEND", words);
    assert_int_equal(shell("PATH='" BUILD_DIR "':$PATH bash try.txt > out.txt 2> err.txt"), 0);
    assert_int_equal(shell_lines("err.txt"), 0);
    char *text = shell_read("out.txt");
    text[strcspn(text, "\n")] = 0;
    if (strcmp(text, expected))
        fail_msg("%s: bash offers '%s', expected '%s'", words, text, expected);
    free(text);
}

static void bash_completes(void **state)
{
    if (missing("bash"))
        skip();
    assert_int_equal(shell("bash -n bash.txt"), 0);
    assert_int_equal(shell("bash -c '. ./bash.txt; complete -p assay' > out.txt"), 0);
    assert_true(shell_contains("out.txt", "complete -F _assay assay"));
    offers("assay ver", "verify");
    offers("assay re", "report reproduce rerun");
    offers("assay verify --prof", "--profile");
    offers("assay verify --profile ''", "quick nightly full");
    offers("assay verify --profile n", "nightly");
    offers("assay verify --profile = n", "nightly");
    offers("assay verify --profile =", "quick nightly full");
    offers("assay list al", "algorithms");
    offers("assay --store x.db list pro", "problems");
    offers("assay plan --paper basel", "baselines");
    offers("assay explain baselines/gd.count", "baselines/gd.count.full_grads.T");
    offers("assay plan --algorithm nest", "nesterov");
    offers("assay plan --reps ''", "");
    offers("assay plan ''", "");
    shell("touch some.db");
    offers("assay plan --store some", "some.db");
}

static void zsh_reads_it(void **state)
{
    if (missing("zsh"))
        skip();
    assert_int_equal(shell("zsh -n zsh.txt"), 0);
    assert_int_equal(shell("head -n 1 zsh.txt | grep -qx '#compdef assay'"), 0);
    /* Its system of completions finds the file and what it completes, and zsh can load the function from it. */
    assert_int_equal(shell("mkdir -p f && cp zsh.txt f/_assay && "
                           "cat > try.txt << 'END'\nfpath=($PWD/f $fpath)\nautoload -Uz compinit; compinit -D -u\n"
                           "echo completes $_comps[assay]\nautoload +X _assay && functions _assay\nEND\n"
                           "zsh -f try.txt > out.txt 2> err.txt"), 0);
    assert_int_equal(shell_lines("err.txt"), 0);
    assert_true(shell_contains("out.txt", "completes _assay\n") && shell_contains("out.txt", "_assay_verbs"));
}

/* Does the output have ESC? It begins every colour and every redrawn line. */
static int escapes(const char *settings, const char *line)
{
    assert_int_equal(shell("%s script -qec '%s' /dev/null > out.txt < /dev/null", settings, line),
                     0);
    return shell("grep -q \"$(printf '\\033')\" out.txt") == 0;
}

static void colours_on_terminals_only(void **state)
{
    if (missing("script"))
        skip();
    const char *const claim = "--claim baselines/gd.count.full_grads.T";
    char verify[400], report[400];
    snprintf(verify, sizeof verify, "%s/assay verify %s", BUILD_DIR, claim);
    snprintf(report, sizeof report, "%s/assay report %s 2> /dev/null", BUILD_DIR, claim);
    assert_int_equal(shell("TERM=xterm %s > out.txt 2> err.txt", verify), 0);
    assert_int_equal(shell("grep -q \"$(printf '\\033')\" out.txt err.txt"), 1);
    assert_true(escapes("TERM=xterm", report));
    assert_false(escapes("TERM=xterm NO_COLOR=1", report));
    assert_true(escapes("TERM=xterm NO_COLOR=", report));
    assert_false(escapes("TERM=dumb", report));
    assert_false(escapes("TERM=dumb", verify));
    assert_false(escapes("TERM=", report));
}

static void doctor_prints_what_it_finds(void **state)
{
    assert_int_equal(shell("assay run --claim 'baselines/gd.count*' 2> err.txt"), 0);
    int well = shell("assay doctor > out.txt");           /* exit code 0 or 3, as this machine may lack something */
    assert_true((well == 0 || well == 3) && shell_contains("out.txt", "assay.db, 12 cells"));
    assert_int_equal(shell("PATH=/nowhere '" BUILD_DIR "/assay' doctor > out.txt"), 3);
    assert_true(shell_contains("out.txt", "apt-get install gnuplot-nox"));
    assert_int_equal(shell("assay doctor --store /dev/null/a.db > out.txt"), 3);
    assert_true(shell_contains("out.txt", "MISS store"));
    assert_int_equal(shell("assay doctor --output /dev/null/report > out.txt"), 3);
    assert_true(shell_contains("out.txt", "MISS report"));
    /* The bytes that are overwritten are in the part of the file that contains records. */
    assert_int_equal(shell("cp results/store/assay.db bad.db; "
                           "head -c 40000 /dev/zero | tr '\\0' '\\245' | dd of=bad.db bs=1 seek=12000 conv=notrunc "
                           "2> /dev/null; assay doctor --store bad.db > out.txt"), 5);
    assert_true(shell_contains("out.txt", "damaged store: bad.db"));
    assert_true(shell_contains("out.txt", "move it away"));
    assert_int_equal(shell("echo text > text.db; assay doctor --store text.db > out.txt"), 3);
    assert_true(shell_contains("out.txt", "not a store"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_and_verb_is_documented),
        cmocka_unit_test(every_verb_has_its_own), cmocka_unit_test(help_lists_what_a_verb_takes),
        cmocka_unit_test(examples_work),
        cmocka_unit_test(words_of_list),
        cmocka_unit_test(a_pattern_without_its_paper), cmocka_unit_test(man_reads_it),
        cmocka_unit_test(bash_completes), cmocka_unit_test(zsh_reads_it),
        cmocka_unit_test(colours_on_terminals_only), cmocka_unit_test(doctor_prints_what_it_finds),
    };
    return cmocka_run_group_tests_name("help", tests, begin, end);
}
