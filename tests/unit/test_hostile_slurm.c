/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_hostile_slurm.c - names of users do no harm where the program writes scripts for Slurm and calls the
 * programs of Slurm, in whose place this test has scripts. The truth is the store that one machine makes.
 * Waits: runs on a cluster sleep between two looks at their arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/fake_slurm.h"
#include "support/hostile.h"

#define PLAN "--claim 'baselines/gd.rate*,heavy-ball/*' "
#define DATA "--claim baselines/heart.order.early.budget --set problem.data=mine "

/* Makes Slurm, a plug-in, a data set, and what one machine makes of the claims about them. */
static int begin(void **state)
{
    shell_begin();
    fake_slurm_make();
    return shell("touch began && mkdir data && cc -std=c17 -O2 -w -fPIC -shared -I'%s/harness/api' "
                 "'%s'/tests/plugin/*.c '%s'/tests/plugin/*/*.c -o x.so && seq 40 | awk 'BEGIN { print \"y,a,b\" } "
                 "{ print $1 %% 2 * 2 - 1 \",\" $1 * $1 %% 7 \",\" $1 %% 5 }' > mine.csv && "
                 "assay data add mine.csv --name mine --task classification --licence none --source here "
                 "--data-dir data > out && assay run " PLAN "--plugin x.so --store one.db > out && "
                 "assay export --canonical --store one.db > one.csv && "
                 "assay run " DATA "--data-dir data --store two.db > out && "
                 "assay export --canonical --store two.db > two.csv && grep -q 'outcome ok' two.csv",
                 SOURCE_DIR, SOURCE_DIR, SOURCE_DIR);
}

static int end(void **state)
{
    shell_end();
    return 0;
}

/* Has a submission had this word? */
static int submitted(const char *word)
{
    FILE *f = fopen("sbatch.args", "r");
    char *line = NULL;
    size_t room = 0;
    int found = 0;
    while (f && !found && getdelim(&line, &room, 0, f) > 0)
        found = strcmp(line, word) == 0;
    free(line);
    if (f)
        fclose(f);
    return found;
}

/* Each hostile text without a slash is the name of the folder of the command, of its store and of its plug-in. The
 * arrays run, and then the command once more as a job of its own; what it prints is beside the store. */
static void names_of_folders_and_stores(void **state)
{
    char word[1200];
    for (int k = 0; k < HOSTILE; k++) {
        if (strchr(hostile[k], '/'))
            continue;
        setenv("NAME", hostile[k], 1);
        assert_int_equal(shell("rm -f sbatch.args sbatch.err; mkdir -p \"in/$NAME\" && "
                               "cp x.so \"in/$NAME/$NAME.so\""), 0);
        int code = shell(FAKE_SLURM "cd \"in/$NAME\" && assay run " PLAN "--plugin \"$PWD/$NAME.so\" "
                         "--store=\"$NAME.db\" --engine slurm --seconds 0.03 --detach "
                         "--slurm-args \"--comment='\\$(touch HARMED)'\" > \"$HERE/out\" 2> \"$HERE/err\"");
        if (code)
            fail_msg("run in %s: exit %d: %s", hostile[k], code, shell_read("err"));
        assert_int_equal(shell("for i in $(seq 3000); do [ -n \"$(ls jobs)\" ] || exit 0; sleep 0.02; done; "
                               "exit 1"), 0);
        code = shell("assay export --canonical --store \"in/$NAME/$NAME.db\" | cmp - one.csv");
        if (code)
            fail_msg("run in %s: other records: %s", hostile[k], shell_read("sbatch.err"));
        assert_int_equal(shell("test -s \"in/$NAME/$NAME.db.shards/rest.txt\" && "
                               "grep -qx 'export ASSAY_RESTS=1' \"in/$NAME/$NAME.db.shards/rest.sh\""), 0);
        snprintf(word, sizeof word, "%s/in/%s/%s.db.shards/rest.sh", shell_folder, hostile[k], hostile[k]);
        assert_true(submitted(word));
        snprintf(word, sizeof word, "%s/in/%s/%s.db.shards/stage-001/array-0.sh", shell_folder, hostile[k],
                 hostile[k]);
        assert_true(submitted(word) && submitted("--comment=$(touch HARMED)"));
        nothing_was_run(hostile[k]);
    }
}

/* Each hostile text without a slash is the name of a folder of data, which jobs are told. */
static void names_of_data(void **state)
{
    for (int k = 0; k < HOSTILE; k++) {
        if (strchr(hostile[k], '/'))
            continue;
        setenv("NAME", hostile[k], 1);
        int code = shell("mkdir -p of && cp -r data \"of/$NAME\" && rm -rf d.db* && " FAKE_SLURM
                         "assay run " DATA "--data-dir \"$PWD/of/$NAME\" --store d.db --engine slurm "
                         "--seconds 0.03 > out 2> err");
        if (code)
            fail_msg("--data-dir %s: exit %d: %s", hostile[k], code, shell_read("err"));
        assert_true(shell_contains("err", " shards: "));
        assert_int_equal(shell("assay export --canonical --store d.db | cmp - two.csv"), 0);
        nothing_was_run(hostile[k]);
    }
}

/* More options of sbatch are split as a shell splits words. A command among them is refused, and not run. */
static void options_of_sbatch(void **state)
{
    static const char *const bad[] = { "$(touch HARMED)", "`touch HARMED`", "--comment=\"$(touch HARMED)\"",
                                       "a; touch HARMED", "a | touch HARMED", "a > HARMED", "a & touch HARMED",
                                       "'open", "--comment=$((`touch HARMED`))" };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        setenv("NAME", bad[k], 1);
        int code = shell("rm -rf e.db*; " FAKE_SLURM "assay run " PLAN "--plugin x.so --store e.db --engine slurm "
                         "--seconds 0.03 --slurm-args \"$NAME\" > out 2> err");
        if (code != 2 || !shell_contains("err", "expected options of sbatch"))
            fail_msg("--slurm-args %s: exit %d: %s", bad[k], code, shell_read("err"));
        nothing_was_run(bad[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_folders_and_stores),
        cmocka_unit_test(names_of_data),
        cmocka_unit_test(options_of_sbatch),
    };
    return cmocka_run_group_tests_name("hostile slurm", tests, begin, end);
}
