#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# coverage.sh TEST.c... - writes coverage.c: which tests serve which items of which sheet. A test file
# says ` * Serves: PAPER-KEY` in its head comment; its functions u7_..., v12_..., o29_..., s2_10_... serve
# items U7, V12, O-29, 2.10, and st4_h7_... both of these.
echo '#include "report/coverage.h"'
echo 'const struct coverage coverage[] = {'
awk '
FNR == 1 { paper = "" }
match($0, /\* Serves: [a-z0-9-]+/) { paper = substr($0, RSTART + 10, RLENGTH - 10) }
# s7_16_: item 7.16. Any other word of letters and a number: the item of that name.
paper != "" && match($0, /^static void [a-z]+[0-9]+[a-z]?_/) {
    name = $3; sub(/\(.*/, "", name)
    file = FILENAME; sub(/.*\//, "", file); sub(/\.c$/, "", file)
    n = split(name, word, "_")
    for (k = 1; k < n && word[k] ~ /^[a-z]+[0-9]+[a-z]?$/; k++) {
        item = word[k]
        if (item ~ /^s[0-9]+$/ && word[k + 1] ~ /^[0-9]+$/) {
            item = substr(item, 2)
            for (; word[k + 1] ~ /^[0-9]+$/; k++)
                item = item "." word[k + 1]
        } else if (match(item, /^[a-z]+/))
            item = toupper(substr(item, 1, RLENGTH)) substr(item, RLENGTH + 1)
        sub(/^O/, "O-", item)
        printf "    { \"%s\", \"%s\", \"%s/%s\" },\n", paper, item, file, name
    }
}' "$@"
echo '    { 0, 0, 0 } };'
