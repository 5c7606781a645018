#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# coverage.sh TEST.c... - writes coverage.c: which tests serve which items of which sheet. A test file
# says ` * Serves: PAPER-KEY` in its head comment; its functions u7_..., v12_..., o29_..., s2_10_... serve
# items U7, V12, O-29, 2.10.
echo '#include "coverage.h"'
echo 'const struct coverage coverage[] = {'
awk '
FNR == 1 { paper = "" }
match($0, /\* Serves: [a-z0-9-]+/) { paper = substr($0, RSTART + 10, RLENGTH - 10) }
paper != "" && match($0, /^static void [a-z]+[0-9]+[a-z]?_/) {
    name = $3; sub(/\(.*/, "", name)
    item = name; sub(/_.*/, "", item)
    if (match(name, /^s[0-9]+(_[0-9]+)+_/)) {
        item = substr(name, 2, RLENGTH - 2); gsub(/_/, ".", item)
    } else if (match(item, /^[a-z]+/))
        item = toupper(substr(item, 1, RLENGTH)) substr(item, RLENGTH + 1)
    sub(/^O/, "O-", item)
    file = FILENAME; sub(/.*\//, "", file); sub(/\.c$/, "", file)
    printf "    { \"%s\", \"%s\", \"%s/%s\" },\n", paper, item, file, name
}' "$@"
echo '    { 0, 0, 0 } };'
