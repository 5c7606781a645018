#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_size.sh ASSAY - plans a claim with 1e6 cells in less than a minute. Verify and report on a store that has
# their records, and a merge of that store, must take less than 2 GiB in any process, and the merge less than two
# minutes of a processor; the merged store must have the same records. RECORDS=n sets another number of records. The
# records are copies of those of 16 replicates. The test takes seven gigabytes of the folder for temporary files
# and five minutes.
set -u
assay=$(realpath "$1") build=$(dirname "$1") claim=baselines/mushroom.private.excess.T
records=${RECORDS:-1000000}
reps=$((records / 15))                       # the claim has five points of three runs
[ "$reps" -le 66667 ] || reps=66667
make -s "$build/fill_store" || exit 1
fill=$(realpath "$build/fill_store")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
mib=$((reps * 15 / 130)) free=$(df -Pm "$work" | awk 'NR == 2 { print $4 }')
if [ "$free" -lt "$mib" ]; then
    echo "long_size: NOT RUN, it takes $mib MiB of ${work%/*}, which has $free"
    exit 77
fi
cd "$work" || exit 1
for name in $(env | sed -n 's/^\(ASSAY_[A-Za-z_]*\)=.*/\1/p'); do unset "$name"; done

# step NAME SECONDS MIB COMMAND...: runs the command, which may take at most so many seconds and MiB.
step() {
    name=$1 seconds=$2 most=$3
    shift 3
    "$fill" run "$@" > "$name.txt" 2> "$name.err"
    tail -n 1 "$name.err" | { read -r took size code; echo "long_size: $name took $took s and $size MiB"
        case $code in 0 | 3) ;; *) echo "FAILED: $name, exit $code"; tail -n 5 "$name.err"; exit 1 ;; esac
        awk -v took="$took" -v size="$size" -v seconds="$seconds" -v most="$most" 'BEGIN { exit took > seconds || size > most }' ||
            { echo "FAILED: expected at most $seconds s and $most MiB"; exit 1; }; } || exit 1
}
"$assay" run --claim $claim --reps 16 --store a.db 2> run.err || { echo "FAILED: run"; cat run.err; exit 1; }
step plan 60 2048 "$assay" plan --claim $claim --reps $reps --format csv
"$fill" a.db < plan.txt > fill.txt || exit 1
step verify 300 2048 "$assay" verify --claim $claim --reps $reps -j2 --store a.db
grep -q ' 0 run' verify.err || { echo "FAILED: cells were run"; cat verify.err; exit 1; }
step report 300 2048 "$assay" report --claim $claim --reps $reps --store a.db
step merge 120 512 "$assay" merge b.db a.db
for store in a b; do
    "$assay" export --store $store.db --canonical --format csv | cksum > $store.sum || exit 1
done
cmp a.sum b.sum || { echo "FAILED: other records"; exit 1; }
echo "long_size: $(awk '{ print $1 }' fill.txt) records"
