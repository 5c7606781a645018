/* SPDX-License-Identifier: GPL-3.0-or-later */
/* need.h - for tests that call a program or read a file which is no part of assay. Those named here come with
 * packages that `make test` installs, so that a missing one is a failure: a test that is skipped shows nothing. */
#ifndef ASSAY_TESTS_NEED_H
#define ASSAY_TESTS_NEED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each with a command that succeeds where it is there, and the packages of Debian that have it. */
static const struct { const char *name, *there, *packages; } needed_tools[] = {
    { "sqlite3", "command -v sqlite3", "sqlite3" },
    { "gnuplot", "gnuplot -e 'set terminal pdfcairo'", "gnuplot-nox" },
    { "xmllint", "xmllint --version", "libxml2-utils" },
    { "python3", "command -v python3", "python3" },
    { "numpy", "python3 -c 'import numpy'", "python3-numpy" },
    { "pandas", "/usr/bin/python3 -c 'import pandas, matplotlib'", "python3-pandas python3-matplotlib" },
    { "venv", "/usr/bin/python3 -c 'import ensurepip, matplotlib, six'", "python3-venv python3-matplotlib" },
    { "heart_scale", "test -r /usr/share/doc/liblinear-tools/examples/heart_scale", "liblinear-tools" },
    { "gene.train", "test -r /usr/share/doc/libfann-dev/examples/datasets/gene.train", "libfann-doc" },
};

/* Is what the table calls `name` missing on this machine? If so the test fails, unless the variable ASSAY_MAY_SKIP
 * is set. */
static inline bool lacks(const char *name)
{
    char command[200];
    size_t k = 0;
    while (k < sizeof needed_tools / sizeof *needed_tools && strcmp(needed_tools[k].name, name))
        k++;
    if (k == sizeof needed_tools / sizeof *needed_tools)
        fail_msg("tests/support/need.h has no '%s'", name);
    snprintf(command, sizeof command, "%s > /dev/null 2>&1", needed_tools[k].there);
    if (system(command) == 0)
        return false;
    if (!getenv("ASSAY_MAY_SKIP"))
        fail_msg("no %s: apt-get install %s, or set ASSAY_MAY_SKIP=1 to skip what needs it", name,
                 needed_tools[k].packages);
    print_message("skip: no %s (Debian: %s)\n", name, needed_tools[k].packages);
    return true;
}

static inline void need(const char *name)
{
    if (lacks(name))
        skip();
}

#endif
