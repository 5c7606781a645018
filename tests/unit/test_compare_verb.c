/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_compare_verb.c - compare and accept as users run them: a store against itself, against a baseline, and
 * against programs with a fault planted in the example plug-in. Nothing is random. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/shell.h"

#define BUILD "cc -std=c17 -O2 -fPIC -shared -I'" SOURCE_DIR "/harness/api' plug/plugin.c " \
              "plug/algos/heavy_ball.c plug/claims/heavy_ball.c -o "
#define BALL "--paper heavy-ball --plugin x.so "

static int begin(void **state)
{
    shell_begin();
    return shell("cp -r '%s/tests/plugin' plug && chmod -R u+w plug && " BUILD "x.so && "
                 "assay verify " BALL "> out 2>&1 && "
                 "assay accept 'heavy-ball/*' --reason first " BALL "> accepted", SOURCE_DIR);
}

static int end(void **state)
{
    shell_end();
    return 0;
}

static void unchanged(void **state)
{
    assert_true(shell_contains("accepted", "results/baseline/verdicts.csv: 1 accepted"));
    assert_int_equal(shell_lines("results/baseline/verdicts.csv"), 2);
    assert_int_equal(shell("assay compare results/baseline results/store/assay.db " BALL "> out"), 0);
    assert_true(shell_contains("out", "1 claims compared: 1 as before; nothing to be accepted"));
    assert_int_equal(shell("assay compare results/store/assay.db results/store/assay.db " BALL "> out"), 0);
    assert_true(shell_contains("out", "1 as before; nothing to be accepted"));
    assert_int_equal(shell("assay compare results/baseline results/store/assay.db > out"), 1);
    assert_true(shell_contains("out", "gone     heavy-ball/root.value.excess.T"));   /* without the plug-in */
}

/* Runs the same cells by a plug-in whose source has this edit, a command of sed. `compare` must show the same
 * change against the baseline and against the store of the plug-in without the edit. */
static void plant(const char *edit)
{
    assert_int_equal(shell("rm -rf plug new.db && cp -r '%s/tests/plugin' plug && chmod -R u+w plug && "
                           "sed -i '%s' plug/algos/heavy_ball.c && " BUILD "y.so && "
                           "assay verify --paper heavy-ball --plugin y.so --store new.db > out 2>&1; "
                           "test $? -ne 2", SOURCE_DIR, edit), 0);
    assert_int_equal(shell("assay compare results/baseline new.db --paper heavy-ball --plugin y.so > text"), 1);
    assert_int_equal(shell("assay compare results/store/assay.db new.db --paper heavy-ball --plugin y.so "
                           "> stores"), 1);
    assert_int_equal(shell("head -n 2 text > a; head -n 2 stores | cmp - a"), 0);
}

/* With steps of half the length the answer changes, and so does the verdict. */
static void half_the_step(void **state)
{
    plant("s/-p->step, g/-p->step \\/ 2, g/");
    assert_true(shell_contains("text", "verdict  heavy-ball/root.value.excess.T: SUPPORTED -> CONTRADICTED; "
                               "measure "));
    assert_true(shell_contains("text", "1 to be accepted or mended"));
}

/* The edited method counts T gradients more, and its answer is the same: no verdict shows this wrong number, but
 * the comparison of counts does. */
static void one_gradient_more_a_step(void **state)
{
    plant("s/while (oracle_grad(o, x, g)) {/& oracle_charge(o, COUNT_sample_grads, 1);/");
    assert_true(shell_contains("text", "counts   heavy-ball/root.value.excess.T: sample_grads 0 -> "));
}

/* Two baselines of a claim of ReSQue. One batch step less, with as many nonzeros less as were seen between two
 * kinds of machine, is nothing to be accepted. A sample less in each of the other batches too is. */
static void a_sample_less_in_each_batch(void **state)
{
#define BATCHES "--claim resque/parallel.thm1.binding.d "
    assert_int_equal(shell("cat > was.csv << 'END'\n"
                           "claim,profile,verdict,control,cells,counts,scale,levels,infinite,seconds,"
                           "reason,commit\n"
                           "resque/parallel.thm1.binding.d,quick,SUPPORTED,CAUGHT,48,sample_grads=232690700 "
                           "nonzeros=5426416748 batch_steps=42757 issued=232690700 taken=232690700,log,"
                           "7.4161171109 7.4076525508 7.4335923421,0,71.756,x,abc\nEND\n"
                           "sed 's/=42757/=42756/; s/=5426416748/=5425711314/; s/,7.4161/,7.4162/' was.csv "
                           "> step.csv; "
                           "sed 's/=232690700/=232647944/g' step.csv > less.csv"), 0);
    assert_int_equal(shell("assay compare was.csv step.csv " BATCHES "> out"), 0);
    assert_true(shell_contains("out", "1 moved; nothing to be accepted"));
    assert_int_equal(shell("assay compare was.csv less.csv " BATCHES "> out"), 1);
    assert_true(shell_contains("out", "counts   resque/parallel.thm1.binding.d: sample_grads 232690700 -> "
                               "232647944 "));
}

static void missing_or_broken_sides_are_refused(void **state)
{
    assert_int_equal(shell("assay compare results/baseline 2> err"), 2);
    assert_true(shell_contains("err", "expected BASE NEW"));
    assert_int_equal(shell("assay compare results/baseline nothing.db 2> err"), 2);
    assert_true(shell_contains("err", "compare: nothing.db cannot be read"));
    assert_int_equal(shell("echo claim,profile > bad.csv; assay compare bad.csv results/baseline 2> err"), 2);
    assert_true(shell_contains("err", "bad.csv:1: expected a heading"));
    assert_int_equal(shell("assay compare results/baseline results/store/assay.db --claim 'gd*' 2> err"), 2);
}

static void csv_and_json_say_the_same(void **state)
{
    assert_int_equal(shell("assay compare results/baseline results/store/assay.db --format csv " BALL
                           "| grep -c '^heavy-ball/root.value.excess.T,quick,as before,no,SUPPORTED,SUPPORTED,' "
                           "> out"), 0);
    assert_int_equal(shell("assay compare results/baseline results/store/assay.db --format json " BALL
                           "| python3 -c 'import json, sys; a = json.load(sys.stdin); "
                           "assert len(a) == 1 and a[0][\"change\"] == \"as before\"'"), 0);
}

/* Where the records of two stores come from kinds of machine that differ in the level of the kernels, one line
 * names both levels. A store and its copy are of one kind, and nothing is said. */
static void other_machines_are_named(void **state)
{
    char *level;
    if (shell("assay doctor | sed -n 's/^ok *simd *//p' | tr -d '\\n' > level; grep -qvx portable level")) {
        print_message("skip: this machine has only the level portable\n");
        skip();
    }
    level = shell_read("level");
    assert_int_equal(shell("ASSAY_SIMD=portable assay verify " BALL "--store portable.db > out 2>&1 && "
                           "assay compare results/store/assay.db portable.db " BALL "> out 2> err"), 0);
    assert_true(shell_contains("out", "1 as before; nothing to be accepted"));
    assert_int_equal(shell("grep -q '^numbers may differ by rounding: results/store/assay.db is of level %s, .*, "
                           "portable.db of level portable, ' err", level), 0);
    assert_int_equal(shell_lines("err"), 1);
    assert_int_equal(shell("cp results/store/assay.db copy.db && "
                           "assay compare results/store/assay.db copy.db " BALL "> out 2> err"), 0);
    assert_int_equal(shell_lines("err"), 0);
    free(level);
}

static void contradictions_are_accepted_by_name(void **state)
{
#define PLANTED "--planted --store p.db --baseline b.csv "
    assert_int_equal(shell("assay verify --claim 'planted/bound.contradicted' " PLANTED "> out 2> err"), 1);
    assert_int_equal(shell("assay accept 'planted/bound.c*d' --reason x " PLANTED "> out 2> err"), 3);
    assert_true(shell_contains("err", "planted/bound.contradicted is CONTRADICTED and was left out: accept it "
                               "by its name"));
    assert_true(shell_contains("out", "b.csv: 0 accepted, 0 stay (0 as before, 0 moved within chance), 0 dropped, "
                               "1 not run, 1 left out; 0 lines"));
    assert_int_equal(shell("test -e b.csv"), 1);
    assert_int_equal(shell("assay accept planted/bound.contradicted " PLANTED "2> err"), 2);
    assert_true(shell_contains("err", "--reason: expected a sentence"));
    assert_int_equal(shell("assay accept planted/bound.contradicted --reason 'planted, so' " PLANTED "> out"), 0);
    assert_int_equal(shell("grep -q 'CONTRADICTED.*\"planted, so\"' b.csv"), 0);
    assert_int_equal(shell("assay verify --claim 'planted/bound.contradicted' " PLANTED "> out 2> err"), 0);
    assert_int_equal(shell("assay accept 'planted/bound.c*d' --reason again " PLANTED "> out"), 0);
    assert_int_equal(shell("grep -q '\"planted, so\"' b.csv"), 0);       /* the reason is kept */
    assert_int_equal(shell("assay accept planted/bound.nan --reason x " PLANTED "2> err"), 2);
    assert_true(shell_contains("err", "no whole record of profile quick"));
    assert_int_equal(shell("assay verify --claim 'planted/bound.contradicted' --T 4,8 " PLANTED
                           "> out 2> err; assay accept planted/bound.contradicted --T 4,8 --reason x " PLANTED
                           "2> err"), 2);
    assert_true(shell_contains("err", "judged with other settings than declared"));
}

/* Of the seven claims that a pattern names, the four without a contradiction are accepted. The three contradicted
 * ones are left out, and one line on stderr names each of them. */
static void patterns_leave_contradictions_out(void **state)
{
#define BOTH "--planted --store both.db --baseline both.csv "
    assert_int_equal(shell("assay verify --claim 'planted/bound.*' " BOTH "> out 2> err"), 1);
    assert_int_equal(shell("assay accept 'planted/bound.*' --reason x " BOTH "> out 2> err"), 3);
    assert_true(shell_contains("out", "both.csv: 4 accepted, 0 stay (0 as before, 0 moved within chance), 0 "
                               "dropped, 0 not run, 3 left out; 4 lines"));
    assert_int_equal(shell("grep -q '^planted/bound.both-caught,quick,SUPPORTED,' both.csv"), 0);
    assert_int_equal(shell("grep -q CONTRADICTED both.csv"), 1);
    for (int k = 0; k < 3; k++) {
        static const char *const left[] = { "contradicted", "nan", "mark" };
        assert_int_equal(shell("grep -q '^accept: planted/bound.%s is .* left out' err", left[k]), 0);
    }
    assert_int_equal(shell_lines("err"), 3);
}

/* A second call writes nothing new. If one line has another count, this line alone is written. */
static void an_unchanged_line_is_not_written(void **state)
{
    assert_int_equal(shell("assay verify --claim 'planted/bound.*' " BOTH "> out 2> err"), 1);
    shell("assay accept 'planted/bound.*' --reason x " BOTH "> out 2> err; cp both.csv first.csv");
    shell("assay accept 'planted/bound.*' --reason x " BOTH "> out 2> err");
    assert_true(shell_contains("out", "both.csv: 0 accepted, 4 stay (4 as before, 0 moved within chance), 0 "
                               "dropped, 0 not run, 3 left out; 4 lines"));
    assert_int_equal(shell("cmp both.csv first.csv"), 0);
    assert_int_equal(shell("sed -i '/both-caught/s/full_grads=/&1/; "
                           "s/,[0-9a-f]*\\(\\(,[^,]*\\)\\{6\\}\\)$/,earlier\\1/' both.csv"), 0);
    assert_int_equal(shell("grep -c ,earlier, both.csv > n; grep -q 4 n"), 0);
    shell("assay accept 'planted/bound.*' --reason x " BOTH "> out 2> err");
    assert_true(shell_contains("out", "both.csv: 1 accepted, 3 stay (3 as before, 0 moved within chance),"));
    assert_int_equal(shell("grep -c ,earlier, both.csv > n; grep -q 3 n"), 0);
    assert_int_equal(shell("grep both-caught both.csv | grep -q ,earlier,"), 1);
}

/* The baseline has lines of four claims that the program does not have, one of them of another paper, and one line
 * of another profile. A selection removes the lines that it names, and no line of a claim outside of it. */
static void lines_of_claims_that_are_gone(void **state)
{
    shell("assay verify --claim 'planted/bound.*' " BOTH "> out 2> err; assay accept 'planted/bound.*' --reason x "
          "" BOTH
          "> out 2> err; grep '^planted/bound.both-caught,' both.csv > one");
    assert_int_equal(shell("for c in planted/bound.once planted/bound.twice planted/other old/bound.once; do "
                           "sed \"s,^[^,]*,$c,\" one >> both.csv; done; "
                           "sed 's,^[^ ,]*\\,quick,planted/bound.night\\,nightly,' one >> both.csv"), 0);
    shell("assay accept 'planted/*' --reason x --algorithm gd " BOTH "> out 2> err");   /* a line does not name its
                                                                                           algorithm: none is
                                                                                           removed */
    assert_int_equal(shell("grep -c . both.csv > n; grep -qx 10 n"), 0);
    assert_int_equal(shell("assay accept planted/bound.once --reason x " BOTH "> out 2> err"), 0);
    assert_true(shell_contains("out", "both.csv: 0 accepted, 0 stay (0 as before, 0 moved within chance), 1 "
                               "dropped, 0 not run, 0 left out; 8 lines"));
    shell("assay accept 'planted/bound.*' --reason x " BOTH "> out 2> err");
    assert_true(shell_contains("out", "both.csv: 0 accepted, 4 stay (4 as before, 0 moved within chance), 1 "
                               "dropped,"));
    shell("assay accept '*' --paper planted --reason x " BOTH "> out 2> err");
    assert_true(shell_contains("out", " 1 dropped,"));
    assert_int_equal(shell("grep -c old/bound.once both.csv > n; grep -qx 1 n"), 0);
    shell("assay accept '*' --reason x --store both.db --baseline both.csv > out 2> err");   /* without --planted a
                                                                                                selection has no
                                                                                                planted claim */
    assert_true(shell_contains("out", " 1 dropped,"));
    assert_int_equal(shell("grep -c . both.csv > n; grep -qx 6 n && grep -q ^planted/bound.night both.csv"), 0);
    assert_int_equal(shell("assay accept planted/bound.once --reason x " BOTH "> out 2> err"), 2);
    assert_true(shell_contains("err", "unknown claim 'planted/bound.once'"));
}

/* Each of three claims has eight groups of replicates. If the level of one group changed, Student's t is 1, which
 * chance explains, and the line of the baseline stays. If all groups changed alike, the line is written again. A
 * line that is accepted by the name of its claim is always written. */
static void a_change_within_chance_is_not_written(void **state)
{
#define MOVED "--planted --store m.db --baseline m.csv "
#define LEVELS "'planted-estimators/levels.moment.[lms]*'"
    assert_int_equal(shell("assay verify --claim " LEVELS " " MOVED "> out 2> err"), 0);
    assert_int_equal(shell("assay accept " LEVELS " --reason x " MOVED "> out"), 0);
    assert_true(shell_contains("out", "m.csv: 3 accepted, 0 stay (0 as before, 0 moved within chance),"));
    assert_int_equal(shell("cat > move.py <<'EOF'\nimport csv\nlines = list(csv.DictReader(open('m.csv', "
                           "newline='')))\n"
                           "for l in lines:\n"
                           "    l['commit'], x = 'earlier', [float(v) for v in l['levels'].split()]\n"
                           "    assert len(x) == 8\n"
                           "    moved = {'most': 1, 'least': 8}.get(l['claim'].split('.')[-1], 0)\n"
                           "    l['levels'] = ' '.join(repr(v + 0.01 * (k < moved)) for k, v in enumerate(x))\n"
                           "out = csv.DictWriter(open('m.csv', 'w', newline=''), lines[0], lineterminator='\\n')\n"
                           "out.writeheader()\nout.writerows(lines)\nEOF\npython3 move.py"), 0);
    assert_int_equal(shell("assay accept " LEVELS " --reason x " MOVED "> out"), 0);
    assert_true(shell_contains("out", "m.csv: 1 accepted, 2 stay (1 as before, 1 moved within chance),"));
    assert_int_equal(shell("grep -c ,earlier, m.csv > n; grep -q 2 n"), 0);
    assert_int_equal(shell("grep levels.moment.least m.csv | grep -q ,earlier,"), 1);
    assert_int_equal(shell("assay accept planted-estimators/levels.moment.most --reason x " MOVED "> out"), 0);
    assert_true(shell_contains("out", "m.csv: 1 accepted, 0 stay"));
    assert_int_equal(shell("grep levels.moment.most m.csv | grep -q ,earlier,"), 1);
}

/* Claims without a line in the baseline are not compared, and their number is printed. */
static void claims_without_a_baseline_line_are_counted(void **state)
{
    assert_int_equal(shell("head -n 2 first.csv > short.csv; assay compare short.csv first.csv --planted --paper "
                           "planted --profile quick > out 2> err"), 0);
    assert_true(shell_contains("err", "3 claims have no line of profile quick in the base: not compared"));
    assert_int_equal(shell("assay compare short.csv first.csv --planted --paper planted --profile nightly > out 2> "
                           "err"), 3);
    assert_true(shell_contains("err", "no line of profile nightly that was run: nothing was compared"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unchanged), cmocka_unit_test(half_the_step),
        cmocka_unit_test(one_gradient_more_a_step), cmocka_unit_test(a_sample_less_in_each_batch),
        cmocka_unit_test(missing_or_broken_sides_are_refused),
        cmocka_unit_test(csv_and_json_say_the_same), cmocka_unit_test(other_machines_are_named),
        cmocka_unit_test(contradictions_are_accepted_by_name),
        cmocka_unit_test(patterns_leave_contradictions_out),
        cmocka_unit_test(an_unchanged_line_is_not_written), cmocka_unit_test(a_change_within_chance_is_not_written),
        cmocka_unit_test(claims_without_a_baseline_line_are_counted),
        cmocka_unit_test(lines_of_claims_that_are_gone),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
