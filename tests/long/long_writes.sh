#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_writes.sh ASSAY - the k-th write, sync, truncation or rename of a small run fails, for all k, once as on a full
# disk and once as on a broken one. strace makes the calls of the parent fail, whatever they write to: store, report,
# workers, standard output. The program must say what failed, or go on without harm; it must not crash, and afterwards
# the same command ends with the records and the report of an undisturbed run. EVERY=n takes each n-th k, SEED=n the
# first.
. "$(dirname "$0")/begin.sh"
every=${EVERY:-1} seed=${SEED:-1}
command -v strace > /dev/null || sh "$source/harness/make/install.sh" strace || fail "strace cannot be installed"

calls=write,writev,pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2
run() { "$assay" verify --claim 'baselines/gd.rate*' --reps 1 -j1 --store w.db --output report --canonical; }

run > truth.txt 2> err.txt || fail "the undisturbed run: exit $?"
"$assay" export --store w.db --canonical --format csv > truth.csv || fail export
cp -r report truth
rm -rf w.db* report

strace -f -qq -o trace.txt -e trace=$calls "$assay" verify --claim 'baselines/gd.rate*' --reps 1 -j1 --store w.db \
    --output report --canonical > out.txt 2> err.txt || fail "under strace: exit $?"
awk 'NR == 1 { parent = $1 } $1 == parent && /\(/ { sub(/\(.*/, "", $2); n[$2]++ } END { for (c in n) print c, n[c] }' trace.txt |
    sort > counts.txt
total=$(awk '{ n += $2 } END { print n + 0 }' counts.txt)
[ "$total" -ge 20 ] || fail "only $total calls: expected those of a store and a report"
rm -rf w.db* report

# Call number k of one kind fails, then the run is repeated.
harmless=0 refused=0
try() {
    strace -qq -o trace.txt -e trace="$1" -e inject="$1:error=$2:when=$3" "$assay" verify --claim 'baselines/gd.rate*' \
        --reps 1 -j1 --store w.db --output report --canonical > out.txt 2> err.txt
    code=$?
    cp err.txt said.txt
    [ $code -lt 128 ] || fail "$*: killed by signal $((code - 128))"
    if [ $code -eq 0 ]; then
        harmless=$((harmless + 1))
    else
        refused=$((refused + 1))
        grep -q INJECTED trace.txt || fail "$*: exit $code without a failed call"
        grep -q '^write(2, .*INJECTED' trace.txt || [ -s said.txt ] || fail "$*: exit $code without a word"
    fi
    run > out.txt 2> err.txt || fail "$*: the next run: exit $?; the failing one said: $(cat said.txt)"
    cmp -s out.txt truth.txt || fail "$*: other verdicts"
    "$assay" export --store w.db --canonical --format csv | cmp -s - truth.csv || fail "$*: other records"
    diff -r truth report > out.txt || fail "$*: another report"
    rm -rf w.db* report
}

tried=0
while read -r call count <&3; do
    k=$seed
    while [ "$k" -le "$count" ]; do
        try "$call" ENOSPC "$k"
        try "$call" EIO "$k"
        tried=$((tried + 1))
        k=$((k + every))
    done
done 3< counts.txt
echo "$tried of $total calls failed with ENOSPC and with EIO: $refused runs said so, $harmless went on; all ended whole"
