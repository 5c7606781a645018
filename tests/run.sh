#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh PROGRAM... - runs test programs, one line each; a failure prints its output.
failed=0 passed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for program in "$@"; do
    start=$(date +%s%N)
    if "$program" > "$log" 2>&1; then verdict=ok; else verdict=FAILED; failed=$((failed + 1)); fi
    ms=$((($(date +%s%N) - start) / 1000000))
    p=$(grep -c '^\[       OK \]' "$log"); s=$(grep -c '^\[  SKIPPED \] [a-z]' "$log")
    passed=$((passed + p)) skipped=$((skipped + s))
    printf '%-7s %-28s %4d passed %s %6d ms\n' "$verdict" "$(basename "$program")" "$p" \
        "$([ "$s" -gt 0 ] && echo "$s skipped")" "$ms"
    [ "$verdict" = ok ] || cat "$log"
    grep '^skip:' "$log"
done
echo "tests: $passed passed, $skipped skipped, $failed programs failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
