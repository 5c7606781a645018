/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hostile.h - for tests of what names and texts of users may do. Each of these texts would, in one of the languages
 * that the program writes, run the command `touch HARMED` or break a page: sh, gnuplot, HTML, SQL, printf formats,
 * paths, the patterns of Slurm. A test makes the file `began` first; no file HARMED may be newer. */
#ifndef ASSAY_TESTS_HOSTILE_H
#define ASSAY_TESTS_HOSTILE_H

#include "support/shell.h"

static const char *const hostile[] = {
    "`touch HARMED`",
    "$(touch HARMED)",
    "'; touch HARMED; '",
    "\"; touch HARMED; \"",
    "' . system('touch HARMED') . '",
    "\" . system(\"touch HARMED\") . \"",
    "!touch HARMED",
    "| touch HARMED",
    "@HARMED",
    "<script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>",
    "javascript:alert(1)",
    "x'; DROP TABLE records; --",
    "%n%s%s%s%1000000d",
    "..%2f..%2fHARMED",
    "../../HARMED",
    "{/=99 {/:Bold x}}}}}",
    "\\\\\\",
    "-rf --force",
    "\xff\xfe\x01\x1b]0;title\a",
    "\xef\xbf\xbf\xc2\x80\xed\xa0\x80",
    "two\nlines\rand a\ttab",
    "%j%%A_%a",
};
enum { HOSTILE = sizeof hostile / sizeof *hostile };

static inline void nothing_was_run(const char *by)
{
    if (shell("find . ../HARMED ../../HARMED -newer began -name HARMED 2> /dev/null | grep .") == 0)
        fail_msg("%s: a file HARMED appeared", by);
}

/* No element and no event handler of a page comes from a name. xmllint reads a page as browsers do, and an XPath
 * expression finds what must not be there. */
static inline void pages_are_whole(const char *folder, const char *by)
{
    int code = shell("find %s -name '*.html' > pages; test -s pages && while read -r p; do "
                     "xmllint --html --recover --xpath \"count(//*[@onerror or @onload]) + "
                     "count(//script[contains(., 'alert(1)')]) + "
                     "count(//a[starts-with(@href, 'javascript')])\" \"$p\" 2> /dev/null | grep "
                     "-qx 0 || exit 9; done < pages",
                     folder);
    if (code)
        fail_msg("%s: %s has a tag of a name (exit %d)", by, folder, code);
}

#endif
