/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_client.c - clients/python/assay.py: it reads a store, and every form of an export, as the same table of
 * pandas; its means, intervals and exponents are those of closed forms; it draws what it has computed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/need.h"
#include "support/shell.h"

static int begin(void **state)
{
    shell_begin();
    return shell("assay verify --claim 'baselines/gd.worst*,baselines/sgd.rate.excess.n' --store s.db > out "
                 "2> err; [ $? -ne 2 ] && "
                 "assay verify --claim baselines/gd.rate.excess.T --set run.trace=1 --store t.db > out 2> err; "
                 "[ $? -ne 2 ]");
}

static int end(void **state)
{
    shell_end();
    return 0;
}

static void python(const char *script)
{
    need("pandas");
    FILE *out = fopen("script.py", "w");
    assert_non_null(out);
    fprintf(out, "import sys, sqlite3\nsys.path.insert(0, '%s/clients/python')\nimport numpy as np, pandas as pd\n"
            "import assay\n%s",
            SOURCE_DIR, script);
    fclose(out);
    assert_int_equal(shell("PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg ASSAY='" BUILD_DIR "/assay' /usr/bin/python3 "
                           "script.py"), 0);
}

static void reads_every_form(void **state)
{
    assert_int_equal(shell("assay export --wide --store s.db > s.csv && assay export --wide --store s.db "
                           "--format json > s.jsonl && "
                           "assay export --format sqlite --store s.db --force made.db 2> err"), 0);
    python("frames = [assay.runs(f) for f in ('s.db', 's.csv', 's.jsonl', 'made.db')]\n"
           "assert len(frames[0]) > 100\n"
           "for f in frames:\n"
           "    f = f.drop(columns='id', errors='ignore').sort_values('cell').reset_index(drop=True)\n"
           "    f = f[sorted(f.columns)]\n"
           "    first = f if f is frames[0] else "
           "frames[0].drop(columns='id').sort_values('cell').reset_index(drop=True)\n"
           "    pd.testing.assert_frame_equal(f, first[sorted(first.columns)], check_exact=False, rtol=1e-15)\n"
           "some = assay.runs('s.db', claim='baselines/gd.worst*')\n"
           "assert set(some['algorithm']) == {'gd'} and 0 < len(some) < len(frames[0])\n"
           "some = assay.runs('s.db', where='algorithm=sgd,rep=0')\n"
           "assert set(some['algorithm']) == {'sgd'} and set(some['rep']) == {0}\n"
           "claim = assay.runs('s.db', table='baselines', claim='baselines/gd.worst*')\n"
           "assert {'main'} <= set(claim['role']) and (claim['x'] == claim['goal.T']).all()\n"
           "marks = assay.trace('t.db')\n"
           "raw = assay.runs('t.db')\n"
           "last = marks.groupby('id').last().join(raw.set_index('id')[['measure.excess']])\n"
           "assert len(last) > 3 and (last['ruler'] >= 0).all()\n"
           "# the documented example: a claim's own runs\n"
           "import warnings\n"
           "main = assay.runs('s.db', table='baselines', claim='baselines/sgd.rate.excess.n')\n"
           "with warnings.catch_warnings(record=True) as said:\n"
           "    warnings.simplefilter('always')\n"
           "    assay.means(main, x='goal.n')\n"
           "assert len(said) == 1 and 'are averaged at one goal.n' in str(said[0].message), said\n"
           "main = main[main['role'] == 'main']\n"
           "with warnings.catch_warnings():\n"
           "    warnings.simplefilter('error')\n"
           "    assert abs(assay.slopes(assay.means(main, x='goal.n'))['sgd'] + 0.5) < 0.1\n"
           "import os, shutil\n"
           "shutil.copy('s.db', 'a#b?c%41.db')\n"
           "before = sorted(os.listdir('.'))\n"
           "assert len(assay.runs('a#b?c%41.db')) == len(frames[0]) and sorted(os.listdir('.')) == before\n"
           "for wrong, says in (lambda: assay.runs('none.db'), 'none.db'), \\\n"
           "                   (lambda: assay.runs('s.csv', where='rep=0'), 'expected a store for where'), \\\n"
           "                   (lambda: assay.runs('s.jsonl', claim='x'), 'expected a store for claim'), \\\n"
           "                   (lambda: assay.runs('made.db', claim='x'), 'expected a store for claim'), \\\n"
           "                   (lambda: assay.trace('s.csv'), 'expected a store for table'), \\\n"
           "                   (lambda: assay.runs('s.db', "
           "where='x=1'), \"no run has a column 'x'\"), \\\n"
           "                   (lambda: assay.means(raw, x='goal.q'), 'no column'):\n"
           "    try: wrong()\n"
           "    except (ValueError, KeyError, FileNotFoundError) as e: assert says in str(e), e\n"
           "    else: assert False, says\n");
}

/* Means and exponents are compared with the worst case of gradient descent, whose excess after T steps is 1/(4T +
 * 2); Student's quantiles are compared with tables. */
static void numbers_are_right(void **state)
{
    python("runs = assay.runs('s.db', claim='baselines/gd.worst*', where='algorithm=gd')\n"
           "runs = runs[runs['algo.step'].isna()]\n"
           "t = assay.means(runs, x='goal.T')\n"
           "assert np.allclose(t['mean'] * (4 * t['goal.T'] + 2), 1, rtol=1e-9) and t['lo'].isna().all()\n"
           "for f, q in (1, 12.7062047), (2, 4.3026527), (3, 3.1824463), (4, 2.7764451), (7, 2.3646243), (15, "
           "2.1314495), (100, 1.9839715):\n"
           "    assert abs(assay._student(f) / q - 1) < 1e-3, (f, q)\n"
           "x = np.repeat([10.0, 100.0, 1000.0], 4)\n"
           "made = pd.DataFrame({'algorithm': ['a', 'b'] * 6, 'goal.n': x, 'outcome': 'ok',\n"
           "                     'measure.excess': x ** -0.5 * np.tile([1, 2, 3, 4], 3)})\n"
           "made.loc[len(made)] = ['a', 10.0, 'crashed', np.nan]\n"
           "t = assay.means(made)\n"
           "assert list(t['runs']) == [2] * 6 and np.allclose(assay.slopes(t), -0.5)\n"
           "a = t[t['algorithm'] == 'a']\n"
           "assert np.allclose(a['mean'], 2 * a['goal.n'] ** -0.5)\n"
           "assert np.allclose(a['hi'] - a['mean'], 12.7062047 * a['goal.n'] ** -0.5)\n"
           "import matplotlib.pyplot as plt\n"
           "figure = assay.draw(t)\n"
           "figure.savefig('sweep.svg')\n"
           "ax = figure.axes[0]\n"
           "assert [l.get_label() for l in ax.lines] == ['a, exponent -0.50', 'b, exponent -0.50']\n"
           "assert np.allclose(ax.lines[0].get_ydata(), a['mean']) and ax.get_xscale() == 'log'\n"
           "assert open('sweep.svg').read().startswith('<?xml')\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(reads_every_form), cmocka_unit_test(numbers_are_right) };
    return cmocka_run_group_tests_name("client", tests, begin, end);
}
