#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh PROGRAM NAME... - runs tests of the program, JOBS at a time, one line each; a failure prints its output.
# A test whose source says ` * Alone: REASON` measures time: it runs after the others, with nothing beside it.
# One whose source says ` * Slow` begins first, so that it is not what the others are waited for at the end.
# One whose source says ` * Waits: REASON` needs little of a processor: it runs beside the JOBS others.
[ "$1" = one ] && {
    program=$2 name=$3 folder=$4 log=$4/$3.log
    start=$(date +%s%N)
    if "$program" "$name" > "$log" 2>&1; then verdict=ok; else verdict=FAILED; fi
    ms=$((($(date +%s%N) - start) / 1000000))
    p=$(grep -c '^\[       OK \]' "$log"); s=$(grep -c '^\[  SKIPPED \] [a-z]' "$log")
    {
        printf '%-7s %-28s %4d passed %s %6d ms\n' "$verdict" "$name" "$p" "$([ "$s" -gt 0 ] && echo "$s skipped")" "$ms"
        [ "$verdict" = ok ] || cat "$log"
        grep '^skip:' "$log"
    } > "$log.said"
    flock "$folder" cat "$log.said"
    echo "$verdict $p $s" > "$log.sum"
    exit 0
}
program=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
source_of() { ls "$(dirname "$0")"/*/"$1.c" 2> /dev/null | head -n 1; }
first= then= waits= alone=
for name in "$@"; do
    file=$(source_of "$name")
    [ -n "$file" ] || { echo "no test $name: expected a file of tests/unit or tests/contract without its .c" >&2; exit 2; }
    if grep -q '^ \* Alone: ' "$file"; then alone="$alone $name"
    elif grep -q '^ \* Waits: ' "$file"; then waits="$waits $name"
    elif grep -q '^ \* Slow' "$file"; then first="$first $name"; else then="$then $name"; fi
done
for name in $waits; do sh "$0" one "$program" "$name" "$folder"; done &
for name in $first $then; do echo "$name"; done |
    xargs -r -P "${JOBS:-$(nproc)}" -I{} sh "$0" one "$program" {} "$folder"
wait
for name in $alone; do sh "$0" one "$program" "$name" "$folder"; done
cat "$folder"/*.sum | awk -v n="$#" '{ p += $2; s += $3; failed += $1 != "ok" }
    END { print "tests: " p + 0 " passed, " s + 0 " skipped, " failed + n - NR " programs failed"
          exit failed > 0 || NR < n || p == 0 }'
