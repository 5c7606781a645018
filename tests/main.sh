#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# main.sh NAME... - writes the main() of the program of all tests, which runs the one that is named.
cat <<'C'
#include <stdio.h>
#include <string.h>
C
for name in "$@"; do echo "int ${name}_main(void);"; done
echo 'static const struct { const char *name; int (*run)(void); } tests[] = {'
for name in "$@"; do echo "    { \"$name\", ${name}_main },"; done
cat <<'C'
};
int main(int argc, char **argv)
{
    for (size_t k = 0; argc == 2 && k < sizeof tests / sizeof *tests; k++)
        if (strcmp(tests[k].name, argv[1]) == 0)
            return tests[k].run();
    fprintf(stderr, "usage: %s TEST, a file of tests/unit or tests/contract without its .c\n", argv[0]);
    return 2;
}
C
