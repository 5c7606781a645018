#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# counts.sh BUILD - how large the product is: its lines of C that are neither blank nor comment, and the public
# symbols of harness/ by who uses them. A symbol that a library of the program defines too is left out: it stands in
# place of the library's, whose callers are libraries. NAMES=1 lists the symbols that no other room uses. Objects
# must be built: make build/assay build/assay-tests.
set -u
build=$(realpath "${1:-build}")
cd "$(dirname "$0")/.." || exit 1
find algos problems claims harness -name '*.[ch]' -o -name '*.cc' | sort | while read -r f; do
    gcc -fpreprocessed -dD -E -P -x c "$f" 2> /dev/null
done | grep -c '[^[:space:]]' | sed 's/^/lines of C, neither blank nor comment: /'
objects() {
    find "$@" -name '*.c' | sed 's/c$/o/' | while read -r o; do [ ! -f "$build/obj/$o" ] || echo "$o"; done
}
all=$(objects algos problems claims harness tests)
cd "$build/obj" || exit 1
{
    ldd ../assay | awk '$3 ~ /^\// { print $3 }' | xargs nm -D --defined-only -P |
        awk 'NF > 2 { sub(/@.*/, "", $1); print "L", $1 }'
    echo "$all" | grep '^harness/' | xargs nm -A -P -g | awk '$3 ~ /^[TDBRV]$/ { print "D", $1, $2 }'
    echo "$all" | xargs nm -A -P -g | awk '$3 == "U" { print "U", $1, $2 }'
} | awk '
    function place(object,  part) { split(object, part, "/"); return part[1] == "harness" ? part[2] : part[1] }
    { sub(/:$/, "", $2) }
    $1 == "L" { library[$2] = 1; next }
    $1 == "D" && $3 in library { interposed++; next }
    $1 == "D" { file[$3] = $2; next }
    $3 in file && $2 != file[$3] { if (place($2) == place(file[$3])) own[$3]++; else other[$3] = 1 }
    END {
        for (s in file) if (file[s] !~ /harness\/cli\/main\.o/) {
            n++
            if (other[s]) shared++
            else if (own[s]) { room++; single += own[s] == 1 }
            else none++
            if (!other[s] && ENVIRON["NAMES"])
                print own[s] ? "  own room only: " own[s] : "  no other file:", s, file[s]
        }
        printf "public symbols of harness: %d, besides %d of libraries; used in their own room only: %d, " \
               "of these by one file: %d; by no other file: %d\n", n, interposed, room, single, none }'
