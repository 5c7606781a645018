#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_rows.sh ASSAY - ten stores of 1e6 records of one number are merged, five at a time: each merge takes less than
# 512 MiB, and the merged store has every record once with the number that it was given. ROWS=n: of so many in all.
# Five gigabytes of the folder for temporary files, ten minutes.
set -u
assay=$(realpath "$1") build=$(dirname "$1") rows=${ROWS:-10000000}
make -s "$build/fill_store" || exit 1
fill=$(realpath "$build/fill_store") each=$((rows / 10))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
mib=$((rows / 2000)) free=$(df -Pm "$work" | awk 'NR == 2 { print $4 }')
if [ "$free" -lt "$mib" ]; then
    echo "long_rows: NOT RUN, it takes $mib MiB of ${work%/*}, which has $free"
    exit 77
fi
cd "$work" || exit 1
for first in 0 5; do
    for k in 0 1 2 3 4; do
        "$fill" small $k.db $(((first + k) * each)) $each > fill.txt || exit 1
    done
    "$fill" run "$assay" merge all.db 0.db 1.db 2.db 3.db 4.db > merge.txt 2> merge.err || exit 1
    tail -n 1 merge.err | { read -r took size code
        echo "long_rows: a merge of $((5 * each)) records took $took s and $size MiB"
        [ "$code" -eq 0 ] && [ "$size" -le 512 ]; } || {
        echo "FAILED: expected exit 0 and at most 512 MiB"; tail -n 5 merge.err; exit 1; }
    rm -f [0-9].db*
done
# problem chain | ... | rep K,FINGERPRINT,ok,,,measure.excess,VALUE with VALUE = 1/(K + 1)
"$assay" export --store all.db --canonical --format csv | awk -F, -v rows=$((10 * each)) '
    NR == 1 { next }
    { rep = $1; sub(/.* rep /, "", rep); n++; sum += rep + 1; bad += $6 != "measure.excess" || $7 * (rep + 1) - 1 > 1e-12 ||
      1 - $7 * (rep + 1) > 1e-12 }
    END { printf "long_rows: %d records, %d of them wrong\n", n, bad
          exit !(n == rows && bad == 0 && sum == rows * (rows + 1) / 2) }' || { echo "FAILED: other records"; exit 1; }
