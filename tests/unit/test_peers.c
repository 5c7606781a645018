/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_peers.c - times of other programs, from the output of a comparison (tests/peers/peers_table.py) through
 * the file to the pages: the numbers of the file are shown, damage is reported by line, and without a file
 * nothing is shown. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "nights/peers.h"
#include "support/shell.h"

#define HEADING "work,assay_seconds,peer,peer_version,peer_seconds,ratio,checked,off,allowed,date,machine,commit," \
                "skipped\n"
#define STEP "\"step, <dense>\",0.0025,numpy,1.24.2,0.0175,7,w after 5 " \
        "steps,1.3e-16,1e-10,2026-11-23T13:05:00Z,Some EPYC,abcdef012345,\n"
#define NORMAL "a normal,2e-09,numpy,1.24.2,7e-09,3.5,laws: see the tests,,,2026-11-23T13:05:00Z,Some " \
        "EPYC,abcdef012345,\n"
#define SKIPPED "epoch,,scikit-learn,,,,,,,2026-11-23T13:05:00Z,Some EPYC,abcdef012345,scikit-learn is not " \
        "installed\n"
#define REPORT "assay report --profile quick --claim 'baselines/gd.count*' --store s.db --baseline none.csv "

static int begin(void **state)
{
    shell_begin();
    return shell("mkdir -p results; assay verify --profile quick --claim 'baselines/gd.count*' --store s.db "
                 "--baseline none.csv > out 2> err");
}

static int end(void **state)
{
    shell_end();
    return 0;
}

static void put(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void the_pages_show_the_file(void **state)
{
    struct peers p;
    struct why why = { "" };
    put("p.csv", HEADING STEP NORMAL SKIPPED);
    assert_int_equal(peers_read("p.csv", &p, &why), OK);
    assert_int_equal(p.n, 3);
    assert_string_equal(p.of[0].work, "step, <dense>");
    assert_true(p.of[0].ours == 0.0025 && p.of[0].theirs == 0.0175 && p.of[0].off == 1.3e-16);
    assert_true(p.of[0].allowed == 1e-10 && isnan(p.of[1].off) && p.of[1].ours == 2e-9);
    assert_string_equal(p.of[0].version, "1.24.2");
    assert_string_equal(p.of[2].skipped, "scikit-learn is not installed");
    free(p.of);
    assert_int_equal(peers_read("nowhere.csv", &p, &why), OK);
    assert_int_equal(p.n, 0);
}

/* For every wrong line the message names the file, the line and, where one field is wrong, its column. Nothing of
 * the file is kept. */
static void damage(void **state)
{
    static const struct { const char *text, *told; } bad[] = {
        { "", "p.csv:1: expected a heading" },
        { "work,assay_seconds\n", "p.csv:1: expected a heading" },
        { HEADING STEP "step,0.0025,num", "p.csv:3: 3 fields: expected 13" },
        { HEADING "s,-1,numpy,1,1,1,w,0,1,d,m,c,\n", "p.csv:2: assay_seconds: '-1': expected seconds above 0" },
        { HEADING STEP NORMAL "s,1,numpy,1,x,1,w,0,1,d,m,c,\n", "p.csv:4: peer_seconds: 'x': expected seconds" },
        { HEADING "s,1,numpy,1,inf,1,w,0,1,d,m,c,\n", "p.csv:2: peer_seconds: 'inf': expected seconds" },
        { HEADING "s,1,numpy,1,2,2,w,0.1,0.01,d,m,c,\n", "p.csv:2: off: '0.1': expected a number from 0 to" },
        { HEADING "s,1,numpy,1,2,2,w,0.1,,d,m,c,\n", "p.csv:2: allowed: '': expected a number" },
        { HEADING "s,1,numpy,1,2,2,,0,1,d,m,c,\n", "p.csv:2: checked: '': expected what was found equal" },
        { HEADING "s,1,,1,2,2,w,0,1,d,m,c,\n", "p.csv:2: peer: '': expected a name" },
        { HEADING ",1,numpy,1,2,2,w,0,1,d,m,c,\n", "p.csv:2: work: '': expected a name" } };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct peers p;
        struct why why = { "" };
        put("p.csv", bad[k].text);
        assert_int_equal(peers_read("p.csv", &p, &why), BAD_INPUT);
        assert_null(p.of);
        if (strncmp(why.text, bad[k].told, strlen(bad[k].told)))
            fail_msg("'%s', not '%s'", why.text, bad[k].told);
    }
}

static void rows_on_the_pages(void **state)
{
    put("results/peers.csv", HEADING STEP NORMAL SKIPPED);
    assert_int_equal(shell(REPORT "> out 2> err"), 0);
    assert_int_equal(shell("tr -d '\\n' < results/report/about.html > page"), 0);
    assert_true(shell_contains("page", "<h2 id=\"peers-h\">Beside other programs</h2>"));
    assert_true(shell_contains("page", "class=\"words\">step, &lt;dense&gt;</th><td>2.5 ms</td><td "
                               "class=\"words\">17.5 ms, numpy (1.24.2)</td><td>7</td><td class=\"words\">w after "
                               "5 steps: to 1.3e-16, at most 1e-10</td><td class=\"words\">2026-11-23, Some EPYC, "
                                       "commit abcdef012345</td></tr>"));
    assert_true(shell_contains("page", "a normal</th><td>2 ns</td><td class=\"words\">7 ns, numpy "
                               "(1.24.2)</td><td>3.5</td><td class=\"words\">laws: see the tests</td>"));
    assert_true(shell_contains("page", "epoch</th><td>-</td><td class=\"words\">scikit-learn</td><td>-</td>"
                               "<td class=\"words\">skipped: scikit-learn is not installed</td>"));
    assert_true(shell_contains("results/report/report.md", "## Beside other programs"));
    assert_true(shell_contains("results/report/report.md", "| 2.5 ms | 17.5 ms, numpy (1.24.2) | 7 | w after 5 "
                               "steps: to 1.3e-16, at most 1e-10 | 2026-11-23, Some EPYC, commit abcdef012345 |"));
    assert_int_equal(shell(REPORT "--canonical > out 2> err; grep -qr 'Beside other' results/report"), 1);
}

static void without_a_file_nothing_is_shown(void **state)
{
    unlink("results/peers.csv");
    assert_int_equal(shell(REPORT "> out 2> err"), 0);
    assert_int_equal(shell("grep -qr -e 'Beside other' -e 'id=\"peers' results/report"), 1);
    put("results/peers.csv", HEADING);
    assert_int_equal(shell(REPORT "> out 2> err"), 0);
    assert_int_equal(shell("grep -qr -e 'Beside other' -e 'id=\"peers' results/report"), 1);
}

/* If the file of peers is damaged, the report is written all the same, and says what is wrong with the file. */
static void damage_on_the_pages(void **state)
{
    put("results/peers.csv", HEADING NORMAL "s,1,numpy,1,soon,1,w,0,1,d,m,c,\n");
    assert_int_equal(shell(REPORT "> out 2> err"), 0);
    assert_true(shell_contains("err", "report: results/peers.csv:3: peer_seconds: 'soon': expected seconds above "
                               "0; its times are left out"));
    assert_true(shell_contains("results/report/about.html",
                               "The file is not read: results/peers.csv:3: "
                               "peer_seconds"));
    assert_true(shell_contains("results/report/report.md", "The file is not read: results/peers.csv:3: peer"));
    assert_true(shell_contains("results/report/about.html", "<section id=\"provenance\""));
    assert_int_equal(shell("grep -rq 'a normal' results/report"), 1);
}

/* A row whose two programs give different answers is not written, its script is named, and the exit code is 1; a
 * skipped row says why. A peer that is faster is named, and the exit code is 4. The former contents of the file are
 * replaced. */
static void wrong_rows_are_not_kept(void **state)
{
    put("some.py", "import sys\nsys.path.insert(0, '" SOURCE_DIR "/tests/peers')\nfrom peers_table import Table\nt "
        "= Table()\n"
        "t.row('equal, at 1', 0.5, 2.0, 'numpy, two words', 1e-12, 1e-9, 'w')\n"
        "t.row('another', 1.0, 2.0, 'numpy', float('nan') if len(sys.argv) > 1 else 0, 1e-9, 'w')\n"
        "t.skip('not here', 'scikit-learn', 'not installed')\nsys.exit(t.bad)\n");
    put("broken.py", "import sys\nsys.path.insert(0, '" SOURCE_DIR "/tests/peers')\nfrom peers_table import "
        "Table\nt = Table()\n"
        "t.row('before it broke', 1.0, 3.0, 'numpy', 0, 1e-9, 'w')\nsys.exit('broken')\n");
    put("kept.csv", "old");
    assert_int_equal(shell("/usr/bin/python3 -B '" SOURCE_DIR "/tests/peers/peers_table.py' kept.csv assay some.py "
                           "broken.py > out 2> err"), 1);
    struct peers p;
    struct why why = { "" };
    assert_int_equal(peers_read("kept.csv", &p, &why), OK);
    assert_int_equal(p.n, 3);
    assert_string_equal(p.of[0].work, "equal, at 1");
    assert_true(p.of[0].ours == 0.5 && p.of[0].theirs == 2 && p.of[0].off == 1e-12 && p.of[0].allowed == 1e-9);
    assert_string_equal(p.of[0].peer, "numpy, two words");
    assert_true(strlen(p.of[0].date) == 20 && p.of[0].machine[0]);
    assert_string_equal(p.of[1].skipped, "not installed");
    assert_string_equal(p.of[2].work, "before it broke");
    assert_true(shell_contains("out", "nan, expected at most 1e-09"));
    assert_true(shell_contains("out", "\nskipped: not here: not installed\nfailed: some.py: answers differ"));
    assert_true(shell_contains("out", "\nfailed: broken.py: "));
    assert_false(shell_contains("out", "\nfaster: "));
    assert_int_equal(shell("test -e kept.csv.new"), 1);
    free(p.of);
    assert_int_equal(shell("sed -i 's/len(sys.argv) > 1/False/' some.py; /usr/bin/python3 -B '" SOURCE_DIR
                           "/tests/peers/peers_table.py' kept.csv assay some.py > out 2> err"), 0);
    assert_int_equal(shell_lines("kept.csv"), 4);
    assert_int_equal(shell("sed -i 's/0.5, 2.0/3.0, 2.0/' some.py; /usr/bin/python3 -B '" SOURCE_DIR
                           "/tests/peers/peers_table.py' kept.csv assay some.py > out 2> err"), 4);
    assert_true(shell_contains("out", "\n"
                               "faster: numpy, two words in 'equal, at 1': assay takes 1.5 times as long"));
}

/* A script in which a peer is faster runs five times in all, and each row is the one with the median ratio: two
 * slow runs of five are no finding, three are. The times of the row `work` come from a file, one a run; those of
 * the other row never change. */
static void a_peer_that_is_faster_by_chance_is_no_finding(void **state)
{
    static const struct { const char *times; int code; double ours; } cases[] = {
        { "9 1 1.25 0.5 7", 0, 1.25 }, { "9 1 3 2.5 0.5", 4, 2.5 }, { "1 9 9 9 9", 0, 1 } };
    put("timed.py", "import sys\nsys.path.insert(0, '" SOURCE_DIR "/tests/peers')\nfrom peers_table import Table\n"
        "left = open('times').read().split()\nopen('times', 'w').write(' '.join(left[1:]))\nt = Table()\n"
        "t.row('work', float(left[0]), 2.0, f'numpy, {left[0]} s', 0, 1e-9, 'w')\n"
        "t.row('other', 1.0, 3.0, 'numpy', 0, 1e-9, 'w')\nsys.exit(t.bad)\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct peers p;
        struct why why = { "" };
        put("times", cases[k].times);
        assert_int_equal(shell("/usr/bin/python3 -B '" SOURCE_DIR "/tests/peers/peers_table.py' kept.csv assay "
                               "timed.py > out 2> err"), cases[k].code);
        assert_int_equal(peers_read("kept.csv", &p, &why), OK);
        assert_int_equal(p.n, 2);
        assert_true(p.of[0].ours == cases[k].ours && p.of[0].theirs == 2 && p.of[1].ours == 1);
        free(p.of);
    }
    assert_true(shell_contains("times", "9 9 9 9"));     /* where nothing was slower, one run is enough */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pages_show_the_file), cmocka_unit_test(damage), cmocka_unit_test(rows_on_the_pages),
        cmocka_unit_test(without_a_file_nothing_is_shown), cmocka_unit_test(damage_on_the_pages),
        cmocka_unit_test(wrong_rows_are_not_kept), cmocka_unit_test(a_peer_that_is_faster_by_chance_is_no_finding),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
