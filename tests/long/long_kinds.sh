#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_kinds.sh ASSAY - checks what a run records of its kind of machine. The quick profile of all papers runs for
# two levels of kernels and two BLAS cores, and the stores are merged. Records that say that they depend on neither
# are compared bit by bit by the merge, which would name the first difference. KINDS=key runs one paper only. All
# take about fifteen minutes on two cores; some of their records must note BLAS, and some the level. The exit code is 77
# where runs were of one kind, as on a processor without AVX2.
set -u
assay=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
paper=${KINDS:-}
for name in $(env | sed -n 's/^\(ASSAY_[A-Za-z_]*\)=.*/\1/p'); do unset "$name"; done
run() {
    "$assay" run ${paper:+--paper "$paper"} --profile quick --store "$1.db" --cache '' > "$1.txt" 2>&1
    code=$?
    [ $code -eq 0 ] || [ $code -eq 3 ] || { echo "FAILED: run, exit $code"; tail -n 5 "$1.txt"; exit 1; }
}
run own
OPENBLAS_CORETYPE=Nehalem run blas
ASSAY_SIMD=portable run level
kind() { "$assay" doctor --store "$1.db" | sed -n 's/^[a-z]* *kinds  *//p'; }
own=$(kind own) missing=
[ -n "$own" ] || { echo "FAILED: doctor names no kind"; exit 1; }
for other in blas level; do
    [ "$(kind $other)" != "$own" ] || missing="$missing $other"
done
"$assay" merge all.db own.db blas.db level.db > merge.txt 2>&1 || { echo "FAILED: merge"; cat merge.txt; exit 1; }
new() { sed -n "s/^$1.db: \([0-9]*\) records, \([0-9]*\) of them new/\1 \2/p" merge.txt; }
echo "$(new blas) $(new level)" | awk -v some="$paper$missing" '{
    printf "long_kinds: %d of %d records note BLAS, %d the level; all others are equal in every bit\n", $2, $1, $4
    exit !(NF == 4 && $2 < $1 && $4 <= $3 && (some || $2 * $4 > 0)) }' || { echo "FAILED"; cat merge.txt; exit 1; }
[ -z "$missing" ] || { echo "long_kinds: NOT RUN in full, no other kind by:$missing; all are $own"; exit 77; }
