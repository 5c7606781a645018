/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_export.c - exports for other programs, read back by independent readers (python3) and compared with
 * what the store exports in its own format. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/need.h"
#include "support/shell.h"

#define GD "--claim 'baselines/gd.rate*,baselines/nesterov.rate*,planted/bound.mark' --planted "

static int begin(void **state)
{
    shell_begin();
    int code = shell("assay verify " GD "--set run.trace=1 > out 2> err; "
                     "assay verify --claim 'baselines/gd.worst*' --store gd.db > out 2> err");
    return code < 0 || code == 2;
}

static int end(void **state)
{
    shell_end();
    return 0;
}

/* This program in Python reads the COCO layout. It checks the header, the comment and the instances; that the .dat
 * file has as many blocks of rows as there are instances; that evaluations grow, best values fall, and last rows
 * agree with the instances. */
static const char coco_reader[] =
    "import glob, os, re\n"
    "runs = 0\n"
    "for info in glob.glob('coco/*/*.info'):\n"
    "    lines = open(info).read().splitlines()\n"
    "    assert len(lines) % 3 == 0 and lines\n"
    "    for k in range(0, len(lines), 3):\n"
    "        head = dict(re.findall(r\"(\\w+) = ('[^']*'|[^,]+)\", lines[k]))\n"
    "        assert set(head) >= {'suite', 'funcId', 'DIM', 'Precision', 'algId', 'data_format'}, head\n"
    "        assert int(head['DIM']) >= 1 and int(head['funcId']) >= 1 and lines[k + 1].startswith('% ')\n"
    "        part = lines[k + 2].split(', ')\n"
    "        data = open(os.path.join(os.path.dirname(info), part[0])).read().splitlines()\n"
    "        blocks = []\n"
    "        for line in data:\n"
    "            if line.startswith('%'):\n"
    "                blocks.append([])\n"
    "            else:\n"
    "                blocks[-1].append([float(v) for v in line.split()])\n"
    "        assert len(blocks) == len(part) - 1\n"
    "        seen = set()\n"
    "        for text, rows in zip(part[1:], blocks):\n"
    "            m = re.fullmatch(r'(\\d+):(\\d+)\\|(\\S+)', text)\n"
    "            assert m and m[1] not in seen\n"
    "            seen.add(m[1])\n"
    "            assert rows[0][0] >= 1 and all(a[0] < b[0] and a[2] >= b[2] for a, b in zip(rows, rows[1:]))\n"
    "            best = float('inf')\n"
    "            for r in rows:\n"
    "                best = min(best, r[3])\n"
    "                assert len(r) == 5 and r[1] == 0 and r[2] == best == r[4]\n"
    "            assert int(m[2]) == rows[-1][0] and abs(float(m[3]) - best) <= 0.06 * abs(best)\n"
    "            runs += 1\n"
    "print(runs)\n";

static void coco_layout(void **state)
{
    FILE *out = fopen("read.py", "w");
    fputs(coco_reader, out);
    fclose(out);
    assert_int_equal(shell("assay export --format coco --output coco > out 2> err"), 0);
    assert_int_equal(shell("python3 read.py > read; cat read err >&2; grep -q \"coco: $(cat read) runs\" err"), 0);
    /* The number of runs is that of the store's traces with evaluations, counted in the store's own format. */
    assert_int_equal(shell("assay export --format csv | python3 -c \"import csv, sys\n"
                           "r = {x['cell'] for x in csv.DictReader(sys.stdin) if x['row'] not in ('', '-1') and "
                           "x['name'] == 'batch_steps' and float(x['value']) > 0}\nprint(len(r))\" > rows; "
                           "cmp rows read"), 0);
    assert_int_equal(shell("grep -l \"algId = 'gd\" coco/*/*.info | grep -q coco/gd"), 0);
    assert_int_equal(shell("assay export --format coco --store gd.db --output none 2> err"), 2);
    assert_true(shell_contains("err", "no run of the store has a trace"));
    assert_int_equal(shell("touch file; assay export --format coco --output file 2> err"), 2);
}

/* An export into the folder of an earlier one leaves no function of that one behind. The first export has four
 * functions of two methods, the second two of one. */
static void coco_replaces_what_it_finds(void **state)
{
    assert_int_equal(shell("for p in spectral chain; do assay sweep --algorithm gd,nesterov --problem $p --T 10,20 "
                           "--reps 1 --set run.trace=1 --store two.db > out 2> err || exit 9; done; "
                           "assay export --format coco --store two.db --output again 2> err && "
                           "assay export --format coco --store two.db --output again 2> err"), 0);
    assert_int_equal(shell("assay sweep --algorithm gd --problem spectral --T 10,20 --reps 1 --set run.trace=1 "
                           "--store one.db > out 2> err && touch again/mine && "
                           "find again -type f | LC_ALL=C sort > before; "
                           "assay export --format coco --store one.db --output again 2> err"), 2);
    assert_true(shell_contains("err", "of another export, whose functions have other numbers"));
    assert_int_equal(shell("find again -type f | LC_ALL=C sort | cmp - before && "
                           "grep -q assay_f4 before && "
                           "assay export --format coco --store one.db --output new 2> err && "
                           "assay export --format coco --store one.db --output again --force 2> err && "
                           "rm again/mine && diff -r again new && ls new | grep -qx 'gd.*'"), 0);
}

/* A run that the store does not have is refused by every form. */
static void a_run_that_is_not_there_is_refused(void **state)
{
    static const char *const form[] = { "", "--format csv", "--format json", "--format json --canonical", "--wide",
                                        "--format coco --output run", "--format sqlite run.db" };
    for (size_t k = 0; k < sizeof form / sizeof *form; k++)
        if (shell("assay export %s --run 77 --store gd.db > out 2> err", form[k]) != 2 || shell_lines("out") ||
            shell_lines("err") != 1 || !(shell_contains("err", "it has no run 77") ||
                                         shell_contains("err", "has no such run")))
            fail_msg("export %s: %s%s", form[k], shell_read("out"), shell_read("err"));
    assert_int_equal(shell("assay export --run 1 --store gd.db --format csv > out"), 0);
    assert_true(shell_lines("out") > 10);
}

/* Makes the environment of Python build/readers with the released readers, once for each list of them. The
 * dependencies that Debian's packages of numpy and matplotlib lack are named one by one, since pip would otherwise
 * install its own numpy, matplotlib and a graphical toolkit. If pip cannot fetch another package either, PyPI is
 * out of reach, and the test is skipped. */
static void readers(void)
{
    static const char list[] = "cocopp==2.9.1 platformdirs extrap==4.2.5 marshmallow==3.26.2 tqdm packaging "
                               "pycubexr";
    need("venv");
    if (shell("cd '" BUILD_DIR "' && { [ \"$(cat readers/made)\" = '%s' ] || { rm -rf readers && "
              "/usr/bin/python3 -m venv --system-site-packages readers && "
              "readers/bin/python -m pip install -q --no-deps %s && echo '%s' > readers/made; }; } "
              "> readers.log 2>&1", list, list, list) == 0)
        return;
    if (shell("cd '" BUILD_DIR "' && { ! readers/bin/python -m pip --version || "
              "readers/bin/python -m pip download -q --no-deps --no-cache-dir --dest readers/six six; } "
              "> /dev/null 2>&1") == 0)
        fail_msg("PyPI does not give %s: see %s/readers.log", list, BUILD_DIR);
    print_message("skip: PyPI is out of reach, which has cocopp 2.9.1 and extrap 4.2.5\n");
    skip();
}

/* cocopp has every run, with its evaluations and the best excess of the store's trace. */
static void coco_opens(void **state)
{
    readers();
    FILE *out = fopen("open.py", "w");
    fputs("import contextlib, csv, glob, io, sys, warnings\n"
          "warnings.simplefilter('ignore')\n"
          "import cocopp\n"
          "assert cocopp.__version__ == '2.9.1'\n"
          "with contextlib.redirect_stdout(io.StringIO()):\n"
          "    data = cocopp.pproc.DataSetList(glob.glob('coco/*'))\n"
          "print(sum(d.nbRuns() for d in data))\n"
          "trace = {}\n"
          "for x in csv.DictReader(sys.stdin):\n"
          "    if x['row']: trace.setdefault((x['cell'], int(x['row'])), {})[x['name']] = float(x['value'])\n"
          "best = {}\n"
          "for (cell, row), x in sorted(trace.items()):\n"
          "    unit = x.get('sample_grads') or x.get('full_grads') or x.get('batch_steps')\n"
          "    if unit: best[cell] = (unit, min(x['ruler'], best.get(cell, (0, float('inf')))[1]))\n"
          "ends = sorted(best.values())\n"
          "got = sorted((float(e), float(f)) for d in data for e, f in zip(d.readmaxevals, d.finalfunvals))\n"
          "assert len(ends) == len(got)\n"
          "for a, b in zip(ends, got): assert a[0] == b[0] and abs(a[1] - b[1]) <= 1e-8 * abs(a[1]), "
          "(a, b)\n", out);
    fclose(out);
    assert_int_equal(shell("assay export --format csv | MPLBACKEND=Agg '" BUILD_DIR "'/readers/bin/python open.py "
                           "> opened 2> err || "
                           "{ tail -3 err >&2; exit 1; }; cmp opened read"), 0);
}

/* Extra-P reads the lines, and its search for a model finds the law of gradient descent: one gradient a step. */
static void extrap_opens(void **state)
{
    readers();
    FILE *out = fopen("model.py", "w");
    fputs("import sys\n"
          "from extrap.fileio.file_reader.jsonlines_file_reader import read_jsonlines_file\n"
          "from extrap.modelers.model_generator import ModelGenerator\n"
          "e = read_jsonlines_file('lines')\n"
          "assert [p.name for p in e.parameters] == ['T'] and len(e.coordinates) > 2\n"
          "ModelGenerator(e).model_all()\n"
          "m = {k[1].name: v for k, v in e.modelers[0].models.items()}\n"
          "for T in 10, 100, 1000: assert abs(m['full_grads'].hypothesis.function.evaluate(T) - T) <= 1e-6 * T\n",
          out);
    fclose(out);
    assert_int_equal(shell("'" BUILD_DIR "'/readers/bin/python model.py 2> err || "
                           "{ tail -3 err >&2; exit 1; }"), 0);
}

/* Every line is an object with one parameter. By theorem the worst excess after T steps is 1/(4T + 2), and a step
 * is one gradient. */
static void extrap_lines(void **state)
{
    assert_int_equal(shell("assay export --format extrap --claim baselines/gd.worst.excess.T --store gd.db > "
                           "lines"), 0);
    assert_int_equal(shell("python3 -c \"import json\n"
        "lines = [json.loads(l) for l in open('lines')]\n"
        "assert all(set(l) == {'params', 'callpath', 'metric', 'value'} and set(l['params']) == {'T'} for l in "
                "lines)\n"
        "y = {l['params']['T']: l['value'] for l in lines if l['metric'] == 'excess'}\n"
        "assert len(y) > 2 and all(len(v) == 1 and abs(v[0] * (4 * T + 2) - 1) <= 1e-9 for T, v in y.items())\n"
        "steps = {l['params']['T']: l['value'][0] for l in lines if l['metric'] == 'full_grads'}\n"
        "assert steps == {T: T for T in y}\""), 0);
    assert_int_equal(shell("assay export --format extrap --claim 'baselines/gd.worst*,baselines/sgd.rate.excess.n' "
                           "2> err"), 2);
    assert_true(shell_contains("err", "expected claims of one axis"));
    assert_int_equal(shell("assay export --format extrap --claim baselines/sgd.rate.excess.n --store gd.db 2> "
                           "err"), 2);
    assert_true(shell_contains("err", "the store holds no run of these claims"));
    assert_int_equal(shell("assay verify --format coco 2> err"), 2);
    assert_true(shell_contains("err", "for `export`"));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(coco_layout), cmocka_unit_test(coco_opens),
                                        cmocka_unit_test(coco_replaces_what_it_finds),
                                        cmocka_unit_test(a_run_that_is_not_there_is_refused),
                                        cmocka_unit_test(extrap_lines), cmocka_unit_test(extrap_opens) };
    return cmocka_run_group_tests(tests, begin, end);
}
