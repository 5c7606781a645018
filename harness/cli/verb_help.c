/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verb_help.c - the verb help. From the tables of verbs and options it prints the help, the manual page in man(7)
 * macros, and completions for bash and zsh. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cell/nearest.h"
#include "cli/cli.h"
#include "text/markup.h"

/* --- words for the help, and for completions */

/* Exit codes and what they mean. */
static const struct help_exit { const char *code, *doc; } help_exits[] = {
    { "0", "success; nothing that was judged is open or contradicted" },
    { "1", "a theorem is contradicted, or a result is suspect" },
    { "2", "usage, input or output: one line on stderr says what was expected" },
    { "3", "a claim is inconclusive or a run incomplete; doctor: something is missing" },
    { "4", "a cell crashed, timed out or ran out of memory" },
    { "5", "the store is damaged, or stores that are merged contradict each other" },
    { "130, 143", "interrupted by SIGINT or SIGTERM; the next run resumes" },
    { NULL, NULL }
};

/* Variables of the environment that stand for no option. */
static const struct help_variable { const char *name, *doc; } help_variables[] = {
    { "ASSAY_DATA", "folder of your data sets, as --data-dir" },
    { "ASSAY_SIMD", "level of the kernels: portable, avx2 or avx512; sums differ by rounding" },
    { "NO_COLOR", "no colours, if it is set and not empty" },
    { "TERM", "`dumb`: neither colours nor a progress bar; these are for terminals only" },
    { NULL, NULL }
};

static const char *const groups[] = { NULL, "Which claims", "Settings", "Data", "Running",
                                      "Files and output", "Accounting", "Help" };

/* Returns the title of a group of the option table; NULL: there is no group of that number. */
static const char *group_title(int group)
{
    return group > 0 && group < (int)(sizeof groups / sizeof *groups) ? groups[group] : NULL;
}

/* Words that may follow an option or a verb: a fixed list, or the first column of `assay list WHAT`, which names
 * plug-ins too. */
struct help_words { const char *of, *words, *list; };

static const struct help_words after_option[] = {
    { "paper", NULL, "papers" }, { "claim", NULL, "claims" }, { "algorithm", NULL, "algorithms" },
    { "problem", NULL, "problems" }, { "check", "count bound rate order moment law private", NULL },
    { "profile", "quick nightly full", NULL },
    { "arch", "portable avx2 avx512", NULL }, { "constants", "practical theory", NULL },
    { "format", "text csv json sqlite coco extrap", NULL }, { "data-format", "any libsvm csv fann", NULL },
    { "task", "classification regression", NULL },
};

static const struct help_words after_verb[] = {
    { "list", "claims algorithms problems estimators papers figures parameters counts facts coverage theorems "
      "attempts", NULL },
    { "explain", NULL, "claims" }, { "new", "algorithm problem claim", NULL },
    { "data", "list check get add", NULL }, { "help", "man bash zsh", NULL },
};

static const struct help_words *words_of(const struct help_words *at, size_t n, const char *name)
{
    for (size_t k = 0; k < n; k++)
        if (strcmp(at[k].of, name) == 0)
            return &at[k];
    return NULL;
}

/* Returns the words that may follow an option. NULL: no words are known; the completions then offer files where the
 * value is called FILE or DIR, and nothing elsewhere. */
static const struct help_words *words_of_option(const char *name)
{
    return words_of(after_option, sizeof after_option / sizeof *after_option, name);
}

static const struct help_words *words_of_verb(const char *name)
{
    return words_of(after_verb, sizeof after_verb / sizeof *after_verb, name);
}

/* --- the help of the program */

static void print_option(const struct argp_option *o, int *group)
{
    char form[64];
    if (o->group != *group && group_title(o->group))
        printf("\n%s\n", group_title(o->group));
    *group = o->group;
    snprintf(form, sizeof form, o->key < 0x80 ? "-%c, " : "    ", o->key);
    snprintf(form + 4, sizeof form - 4, "--%s%s%s", o->name, o->arg ? " " : "",
             o->arg ? o->arg : "");
    printf("  %-24s %s\n", form, o->doc);
}

static void print_help(void)
{
    int group = 0;
    printf("assay checks by experiment what theorems promise about optimisation algorithms.\n"
           "Start with `assay verify`.\n\nUsage: assay VERB [ARGUMENT...] [OPTION...]\n\n");
    for (const struct verb *v = verbs; v->name; v++)
        printf("  %-8s %-18s %s\n", v->name, v->arguments, v->doc);
    for (const struct argp_option *o = options_table; o->name; o++)
        print_option(o, &group);
    printf("\nEnvironment\n  Every option but --data, --help and --version has a variable: ASSAY_PROFILE=nightly, "
           "ASSAY_n=1e6\n  (one letter keeps its case), ASSAY_RETRY=1. A typed option wins.\n");
    for (const struct help_variable *e = help_variables; e->name; e++)
        printf("  %-24s %s\n", e->name, e->doc);
    printf("\nExit codes, the first that applies: 130, 143; 5, 2, 4, 1, 3, 0\n");
    for (const struct help_exit *e = help_exits; e->code; e++)
        printf("  %-8s %s\n", e->code, e->doc);
    printf("\n`assay help VERB` and `assay VERB --help` print what a verb does, its options and examples; "
           "`help man`,\n`help bash` and `help zsh` the manual page and completions.\n");
}

/* --- the help of one verb */

enum { EXAMPLES = 3 };

/* What a verb does, in a few sentences, and three command lines that a user may type, without the name of the
 * program. */
static const struct help_verb { const char *name, *what, *example[EXAMPLES]; } help_verbs[] = {
    { "verify", "Runs the cells of the selected claims that the store lacks, judges every claim, prints a "
      "table of verdicts\n"
      "and writes the report. The exit code says whether all are supported.",
      { "verify --paper baselines", "verify --claim 'baselines/sgd.rate*' --profile nightly -j 4",
        "verify --algorithm nesterov --n 1e4 --reps 16" } },
    { "list", "Prints what there is: claims, algorithms, problems, estimators, papers, figures, parameters, "
      "counts, facts,\n"
      "coverage, theorems, attempts. Without a word it prints the claims.",
      { "list algorithms", "list parameters --algorithm sgd", "list theorems --paper resque --format csv" } },
    { "plan", "Prints the cells that the selected claims need in the profile, and what they are expected to cost.\n"
      "With --format csv it prints every cell with its role.",
      { "plan --profile nightly", "plan --paper baselines --format csv", "plan --claim 'baselines/sgd.*' "
      "--reps 32" } },
    { "run", "Runs the cells of the selected claims that the store lacks, and judges nothing.",
      { "run --paper baselines -j 2", "run --claim 'baselines/gd.rate*' --set run.trace=1",
        "run --algorithm sgd --retry" } },
    { "explain", "Prints why each selected claim has its verdict: statement, measured numbers, rule, control, "
      "and what would\n"
      "decide an open one. It reads the store and runs nothing. The profile is that of the newest run.",
      { "explain baselines/gd.rate.excess.T", "explain 'baselines/nesterov.*'",
        "explain --paper baselines --store results/store/assay.db" } },
    { "report", "Writes the report (HTML, Markdown, JUnit, figures) from the store, and runs nothing.\n"
      "The profile is that of the newest run, unless --profile names one.",
      { "report --paper baselines", "report --output results/report --canonical", "report --history" } },
    { "nightly", "Runs every cell of the nightly profile anew, and compares verdicts, counts and times with "
      "the baseline.\n"
      "A night that was cut off goes on.",
      { "nightly --budget 60m", "nightly --paper baselines -j 2", "nightly --engine slurm" } },
    { "compare", "Prints what changed from one store or baseline to another: verdicts, counts, measured numbers.",
      { "compare results/baseline results/store/assay.db", "compare old.db new.db --paper baselines",
        "compare results/baseline results/store/assay.db --format json" } },
    { "accept", "Makes the results that the store has of the named claims the baseline.",
      { "accept 'baselines/gd.*' --reason 'first baseline'",
        "accept baselines/gd.rate.excess.T --reason 'the window is longer'",
        "accept 'baselines/*' --profile nightly --reason 'another step'" } },
    { "solve", "Runs one method on one problem, or on a file of yours, and prints its answer: the excess over "
      "the optimum, what\n"
      "it cost, and how to repeat it. Defaults that are used are named on standard error.",
      { "solve --algorithm nesterov --problem chain --T 1000",
        "solve --algorithm nesterov --data heart_scale --l2 0.01 --test-share 0.2 --model heart.model",
        "solve --algorithm dp-sgd --data heart_scale --eps 1 --delta 1e-5 --verbose" } },
    { "sweep", "Runs methods over axes, and prints means with intervals and the exponents that fit them; a "
      "page has the\n"
      "figures. Its options may stand in a study file.",
      { "sweep --algorithm sgd,nesterov --problem spectral --n 1e3..1e5 --reps 8",
        "sweep --algorithm sgd,ac-sa --problem spectral --n 1e3..1e4:3 --tune algo.c=0.1..10:5",
        "sweep --algorithm sgd --problem spectral --n 1e3..1e5 --d 10,100 --format csv" } },
    { "test", "Judges a promise that is typed by the rules that judge the claims of papers.",
      { "test --algorithm sgd --problem spectral --n 1e4..1e7 --measure excess --promise 'n^-0.5 +- 0.1' "
        "--control problem.decades=0.3",
        "test --algorithm nesterov --problem chain --T 64..512 --promise '<= 2*M*R^2/T^2'",
        "test --algorithm nesterov --against gd --problem spectral --T 100..1000" } },
    { "import",
      "Reads results that others measured: tables in CSV, what benchopt writes, folders of COCO. It draws them "
      "as a\n"
      "sweep, or judges a promise on them by the rules of claims. What they say of queries is taken as reported.",
      { "import results.csv", "import results.csv --algorithm sgd --promise 'n^-0.5 +- 0.1' --control gd",
        "import exdata/cma exdata/random --problem 'bbob f1'" } },
    { "reproduce", "Runs a paper's own experiments with its published parameters, and writes a page that compares.",
      { "reproduce dp-gcd", "reproduce dp-gcd --tune", "reproduce dp-gcd --problem california --reps 3" } },
    { "rerun", "Runs one cell again, by its text, and compares the bits with the stored record.",
      { "rerun 'problem chain d=17 | algo gd | goal T=8 | run | rep 0'",
        "rerun 'problem chain d=17 | algo gd | goal T=8 | run | rep 0' --format json",
        "rerun 'problem chain d=17 | algo nesterov | goal T=8 | run | rep 0' --store results/store/assay.db" } },
    { "export", "Prints records in full; with --wide a row a run, as CSV or JSON lines. FILE is that of "
      "--format sqlite.\n"
      "--format coco writes folders for cocopp, --format extrap lines for Extra-P.",
      { "export --wide --paper baselines --where 'algorithm=sgd,goal.n>=1e4'",
        "export --format sqlite --paper baselines --trace runs.db", "export --format coco --output coco" } },
    { "gc", "Drops the records of all runs but the newest ones. Verdicts of all nights stay.",
      { "gc --keep 30", "gc --keep 1 --store old.db", "gc --keep 30 --no-wait" } },
    { "archive",
      "Packs the store, the report that is drawn from it, and the baseline into a tar, with the SHA-256 of every "
      "part. `doctor FILE` checks it. FILE is results/archive/PROFILE-DATE.tar where none is named.",
      { "archive artefact.tar", "archive artefact.tar --store night.db --profile nightly",
        "archive artefact.tar --figures pdf" } },
    { "merge", "Brings the records, runs and nights of stores, or of folders of shards, into one store.",
      { "merge all.db a.db b.db", "merge all.db shards -j 2", "merge all.db other.db --force" } },
    { "shards", "Packs the cells that the store lacks into shards, for other machines.",
      { "shards --paper baselines --output shards", "shards --profile nightly --output shards --seconds 120",
        "shards --claim 'baselines/sgd.*' --output shards" } },
    { "work", "Runs one shard, and leaves its records beside it.",
      { "work shards/00001.shard", "work shards/00001.shard -j 2", "work shards/00002.shard --arch avx2" } },
    { "status", "Says which shards of a folder have come back, and what they hold.",
      { "status shards", "status results/shards", "status /scratch/shards" } },
    { "data", "Lists data sets, checks that they are whole, fetches one, or adds a file of yours.",
      { "data list", "data check mushroom gene",
        "data add small.csv --task classification --licence CC0-1.0 --source https://example.org/small.csv "
        "--data-dir sets" } },
    { "account", "Prices a described mechanism by every accountant.",
      { "account gaussian --sigma 4 --steps 100 --delta 1e-5",
        "account subsampled-gaussian --sigma 1 --q 0.01 --steps 1000 --delta 1e-5",
        "account laplace --scale 2 --steps 10 --delta 1e-5 --format json" } },
    { "audit", "Attacks the privacy of a method: a lower confidence limit of epsilon from runs on "
      "neighbouring data;\n"
      "with --replay it looks for leaks besides the releases.",
      { "audit dp-sgd --data heart_scale --eps 1 --runs 200", "audit dp-sgd --data heart_scale --eps 1 --replay",
        "audit dp-gcd --data heart_scale --eps 1 --replay --reps 4" } },
    { "new", "Writes a working method, problem or claim to start from.",
      { "new algorithm my-method", "new problem my-problem", "new claim my-paper" } },
    { "doctor", "Says what the program finds on this machine: processor, libraries, data sets, the state of "
      "the store; or checks a FILE of `archive`, part by part, and its store.\n"
      "--statistics measures how often verdicts err, and prints CSV, or with --format text a table.",
      { "doctor artefact.tar", "doctor --statistics", "doctor --store results/store/assay.db" } },
    { "help", "Prints the verbs and all options, or those of one verb; also a manual page and completions.",
      { "help export", "help man", "help bash" } },
    { NULL, NULL, { NULL } }
};

static void print_verb(const struct verb *v)
{
    const struct help_verb *h = help_verbs;
    int group = 0;
    while (h->name && strcmp(h->name, v->name))
        h++;
    BUG_IF(!h->name);
    printf("Usage: assay %s%s%s [OPTION...]\n\n%s\n", v->name, *v->arguments ? " " : "", v->arguments, h->what);
    for (const struct argp_option *o = options_table; o->name; o++)
        if (verb_takes(v, o->name))
            print_option(o, &group);
    printf("\nExamples\n");
    for (int k = 0; k < EXAMPLES; k++)
        printf("  assay %s\n", h->example[k]);
}

/* --- the manual page */

/* Prints the text of a line for troff: characters and line starts that troff would interpret are escaped. */
static void put_troff(FILE *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", out);
    for (; *text; text++)
        switch (*text) {
        case '\\': fputs("\\e", out); break;
        case '-': fputs("\\-", out); break;
        case '`': fputs("\\(ga", out); break;
        case '\'': fputs("\\(aq", out); break;
        case '^': fputs("\\(ha", out); break;
        case '~': fputs("\\(ti", out); break;
        default: fputc(*text, out);
        }
}

__attribute__((format(printf, 2, 3)))
static void put_page(FILE *out, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    markup_format(out, put_troff, put_troff, format, list);
    va_end(list);
}

static void put_entry(FILE *out, const char *bold, const char *italic, const char *doc)
{
    put_page(out, ".TP\n\\fB%s\\fR", bold);
    if (italic && *italic)
        put_page(out, " \\fI%s\\fR", italic);
    put_page(out, "\n%s\n", doc);
}

static void put_man_option(FILE *out, const struct argp_option *o, int *group)
{
    char form[64], doc[400], twin[TWIN_MAX];
    if (o->group != *group && group_title(o->group))
        put_page(out, ".SS %s\n", group_title(o->group));
    *group = o->group;
    int n = o->key < 0x80 ? snprintf(form, sizeof form, "-%c, ", o->key) : 0;
    snprintf(form + n, sizeof form - (size_t)n, "--%s", o->name);
    n = snprintf(doc, sizeof doc, "%s", o->doc);
    if (options_twin(o, twin))
        snprintf(doc + n, sizeof doc - (size_t)n, " (%s)", twin);
    put_entry(out, form, o->arg, doc);
}

static const char about[] =
    ".SH DESCRIPTION\n"
    "A theorem about an optimisation algorithm promises an excess, a number of\n"
    "gradients or of rounds, a bias or a privacy, as a function of n, d and other\n"
    "axes.\n"
    "The program generates problems, runs the algorithm through oracles that count\n"
    "every query, fits what was measured, and says for each promise whether it is\n"
    "supported, contradicted, or not decidable from this run.\n"
    "Runs are kept in a store and used again; the next run continues one that was cut\n"
    "off.\n"
    "Data go to standard output, messages to standard error.\n";

static const char values[] =
    ".SH VALUES\n"
    "Numbers are written as 1000, 1e3, 2\\(ha10, 1/8.\n"
    "A \\fIRANGE\\fR is one number, a list A,B,C, or FROM..TO with the number of\n"
    "points that the claim declares; values increase.\n"
    "Names in the selection of claims may be lists and patterns:\n"
    "\\(aqbaselines/gd.*,*/sgd.rate.*\\(aq.\n"
    "A declared axis that is overridden makes a verdict exploratory.\n";

static const char options_head[] =
    ".SH OPTIONS\n"
    "The variable of the environment for an option stands in brackets; a typed option\n"
    "wins.\n"
    "A variable of an option without a value is on unless it is empty, 0, no, off or\n"
    "false.\n";

static void help_man(FILE *out)
{
    int group = 0;
    fputs(".TH ASSAY 1 \"\" \"assay\" \"User Commands\"\n.SH NAME\n"
          "assay \\- checks by experiment what theorems promise about algorithms\n"
          ".SH SYNOPSIS\n.B assay\n.I VERB\n.RI [ ARGUMENT ...]\n.RI [ OPTION ...]\n", out);
    fputs(about, out);
    fputs(".SH VERBS\n", out);
    for (const struct verb *v = verbs; v->name; v++)
        put_entry(out, v->name, v->arguments, v->doc);
    fputs(values, out);
    fputs(options_head, out);
    for (const struct argp_option *o = options_table; o->name; o++)
        put_man_option(out, o, &group);
    fputs(".SH ENVIRONMENT\nBesides the variables of options:\n", out);
    for (const struct help_variable *e = help_variables; e->name; e++)
        put_entry(out, e->name, NULL, e->doc);
    fputs(".SH \"EXIT STATUS\"\nThe first that applies of 130, 143, 5, 2, 4, 1, 3, 0.\n", out);
    for (const struct help_exit *e = help_exits; e->code; e++)
        put_entry(out, e->code, NULL, e->doc);
    fputs(".SH FILES\n", out);
    put_entry(out, "results/store/assay.db", NULL, "the store: all runs");
    put_entry(out, "results/report/", NULL, "the report");
}

static bool takes_path(const struct argp_option *o)
{
    return o->arg && (strcmp(o->arg, "FILE") == 0 || strcmp(o->arg, "DIR") == 0);
}

/* --- completions for bash */

/* Prints shell code that sets `words` to the words that may follow an option or a verb. */
static void put_bash_words(FILE *out, const struct help_words *w)
{
    if (w->list)
        fprintf(out, "words=$(_assay_names \"${COMP_WORDS[0]}\" %s) ;;\n", w->list);
    else
        fprintf(out, "words='%s' ;;\n", w->words);
}

static void put_bash_case(FILE *out, const struct argp_option *o)
{
    const struct help_words *w = words_of_option(o->name);
    if (!o->arg)
        return;
    if (o->key < 0x80)
        fprintf(out, "    -%c|--%s) ", o->key, o->name);
    else
        fprintf(out, "    --%s) ", o->name);
    if (w)
        put_bash_words(out, w);
    else if (takes_path(o))
        fprintf(out, "COMPREPLY=($(compgen -f -- \"$cur\")); compopt -o filenames 2> /dev/null; "
                     "return ;;\n");
    else
        fprintf(out, "return ;;\n");
}

static void help_bash(FILE *out)
{
    fputs("# bash completion for assay\n"
          "_assay_names() {\n    \"$1\" list \"$2\" --format csv 2> /dev/null |\n"
          "        sed -e 1d -e 's/,.*//' -e 's/\"//g'\n}\n"
          "_assay() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local words= verb= k\n"
          "    if [ \"$cur\" = = ]; then\n        cur=\n"
          "    elif [ \"$prev\" = = ] && [ \"$COMP_CWORD\" -gt 1 ]; then\n"
          "        prev=${COMP_WORDS[COMP_CWORD-2]}\n    fi\n"
          "    for ((k = 1; k < COMP_CWORD; k++)); do\n"
          "        case ${COMP_WORDS[k]} in\n        ", out);
    for (const struct verb *v = verbs; v->name; v++)
        fprintf(out, "%s%s", v->name, v[1].name ? "|" : ") verb=${COMP_WORDS[k]}; break ;;\n");
    fputs("        esac\n    done\n    COMPREPLY=()\n    case $prev in\n", out);
    for (const struct argp_option *o = options_table; o->name; o++)
        put_bash_case(out, o);
    fputs("    *) case $cur:$verb in\n    -*) words='", out);
    for (const struct argp_option *o = options_table; o->name; o++)
        fprintf(out, " --%s", o->name);
    fputs("' ;;\n    *:) words='", out);
    for (const struct verb *v = verbs; v->name; v++)
        fprintf(out, "%s ", v->name);
    fputs("' ;;\n", out);
    for (const struct verb *v = verbs; v->name; v++)
        if (words_of_verb(v->name)) {
            fprintf(out, "    *:%s) ", v->name);
            put_bash_words(out, words_of_verb(v->name));
        }
    fputs("    esac ;;\n    esac\n    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\n"
          "complete -F _assay assay\n", out);
}

/* --- completions for zsh */

/* Prints a text for zsh. Escapes single quotes, backslashes, and the brackets and colons that would end a field of
 * _arguments. */
static void put_zsh(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fprintf(out, "%s%c", strchr("[]:\\", *text) ? "\\" : "", *text);
}

static void put_zsh_words(FILE *out, const struct help_words *w)
{
    if (w->list)
        fprintf(out, "{compadd -- $(_assay_names %s)}", w->list);
    else
        fprintf(out, "(%s)", w->words);
}

static void put_zsh_option(FILE *out, const struct argp_option *o)
{
    const struct help_words *w = words_of_option(o->name);
    bool repeats = option_adds_up(o->name);
    if (o->key < 0x80)
        fprintf(out, o->arg ? "        '(-%c --%s)'{-%c+,--%s=}'[" : "        '(-%c --%s)'{-%c,--%s}'[",
                o->key, o->name, o->key, o->name);
    else
        fprintf(out, "        '%s--%s%s[", repeats ? "*" : "", o->name, o->arg ? "=" : "");
    put_zsh(out, o->doc);
    fputs("]", out);
    if (o->arg) {
        fputs(":", out);
        put_zsh(out, o->arg);
        fputs(":", out);
        if (w)
            put_zsh_words(out, w);
        else if (takes_path(o))
            fputs("_files", out);
    }
    fputs("' \\\n", out);
}

static void help_zsh(FILE *out)
{
    fputs("#compdef assay\n# zsh completion for assay\n"
          "_assay_names() { ${words_of_line[1]} list $1 --format csv 2> /dev/null | "
          "sed -e 1d -e 's/,.*//' -e 's/\"//g' }\n"
          "_assay_verbs() {\n    local -a verbs=(\n", out);
    for (const struct verb *v = verbs; v->name; v++) {
        fprintf(out, "        '%s:", v->name);
        put_zsh(out, v->doc);
        fputs("'\n", out);
    }
    fputs("    )\n    _describe verb verbs\n}\n"
          "_assay_arguments() {\n    case ${words_of_line[2]} in\n", out);
    for (const struct verb *v = verbs; v->name; v++) {
        const struct help_words *w = words_of_verb(v->name);
        if (w && w->list)
            fprintf(out, "    %s) compadd -- $(_assay_names %s) ;;\n", v->name, w->list);
        else if (w)
            fprintf(out, "    %s) compadd -- %s ;;\n", v->name, w->words);
    }
    fputs("    esac\n}\n"
          "_assay() {\n    local -a words_of_line=($words)\n    _arguments -s \\\n", out);
    for (const struct argp_option *o = options_table; o->name; o++)
        put_zsh_option(out, o);
    fputs("        '1:verb:_assay_verbs' '*:argument:_assay_arguments'\n}\n_assay \"$@\"\n", out);
}

/* --- the verb */

static const struct { const char *name; void (*print)(FILE *out); } parts[] = {
    { "man", help_man }, { "bash", help_bash }, { "zsh", help_zsh },
};

int verb_help(struct options *o)
{
    const struct verb *verb = o->help && o->verb ? find_verb(o->verb) : NULL;
    if (verb || (!o->help && o->arguments && (verb = find_verb(o->argument[0])))) {
        print_verb(verb);
        return EXIT_OK;
    }
    if (o->help || o->arguments == 0) {
        print_help();
        return EXIT_OK;
    }
    const char *what = o->argument[0];
    struct nearest near = nearest_to(what, strlen(what));
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        if (strcmp(parts[k].name, what) == 0) {
            parts[k].print(stdout);
            return EXIT_OK;
        }
        nearest_try(&near, parts[k].name);
    }
    for (const struct verb *v = verbs; v->name; v++)
        nearest_try(&near, v->name);
    fprintf(stderr, "assay: help %.80s: expected a verb, man, bash, zsh or nothing%s\n", what,
            nearest_hint(&near, ""));
    return EXIT_USAGE;
}
