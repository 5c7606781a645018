#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_writes.sh ASSAY - the k-th write, sync, truncation or rename of a small run fails, for all k, once with a full
# disk and once with a broken one. strace makes the calls fail: those of the parent on the store and the report. The
# program must say in one line what failed (exit 4), or go on without harm; afterwards the store is whole, and the
# same command ends with the truth. EVERY=n takes each n-th k, SEED=n the first.
set -u
assay=$(realpath "$1")
every=${EVERY:-1} seed=${SEED:-1}
command -v strace > /dev/null || {
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends strace > /dev/null; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
for name in $(env | sed -n 's/^\(ASSAY_[A-Za-z_]*\)=.*/\1/p'); do unset "$name"; done

fail() { echo "FAILED: $*"; for f in err.txt out.txt; do [ -s $f ] && tail -n 5 $f; done; exit 1; }
calls=write,writev,pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2
run() { "$assay" verify --claim 'baselines/gd.rate*' --reps 1 -j1 --store w.db --output report --canonical; }

run > truth.txt 2> err.txt || fail "the undisturbed run: exit $?"
"$assay" export --store w.db --canonical --format csv > truth.csv || fail export
cp -r report truth
rm -rf w.db* report

# The paths that the run writes to, of the calls that can fail. Pipes to workers are not among them.
strace -f -qq -y -e trace=$calls -o trace.txt "$assay" verify --claim 'baselines/gd.rate*' --reps 1 -j1 --store w.db \
    --output report --canonical > out.txt 2> err.txt || fail "under strace: exit $?"
first=$(awk 'NR == 1 { print $1 }' trace.txt)
total=$(awk -v p="$first" -v w="$PWD/" '$1 == p && (index($0, "<" w) || /^[0-9]+ +rename/)' trace.txt | wc -l)
[ "$total" -ge 20 ] || fail "only $total calls: expected those of a store and a report"
rm -rf w.db* report

harmless=0 refused=0
for error in ENOSPC EIO; do
    k=$seed
    while [ "$k" -le "$total" ]; do
        # --inject counts the calls of each kind together, on files below this folder
        strace -qq -P "$PWD" -o /dev/null -e trace=none true 2> /dev/null
        strace -qq -o trace.txt -e trace=$calls -e inject=$calls:error=$error:when="$k" "$assay" verify \
            --claim 'baselines/gd.rate*' --reps 1 -j1 --store w.db --output report --canonical > out.txt 2> err.txt
        code=$?
        cp err.txt said.txt
        case $code in
        0) harmless=$((harmless + 1)) ;;
        *) refused=$((refused + 1))
           grep -q INJECTED trace.txt || fail "k = $k, $error: exit $code without a failed call" ;;
        esac
        [ $code -lt 128 ] || fail "k = $k, $error: killed by signal $((code - 128))"
        [ $code -eq 0 ] || [ -s said.txt ] || fail "k = $k, $error: exit $code without a word"
        run > out.txt 2> err.txt || fail "k = $k, $error: the next run: exit $?; the failing one said: $(cat said.txt)"
        cmp -s out.txt truth.txt || fail "k = $k, $error: other verdicts"
        "$assay" export --store w.db --canonical --format csv | cmp -s - truth.csv || fail "k = $k, $error: other records"
        diff -r truth report > out.txt || fail "k = $k, $error: another report"
        rm -rf w.db* report
        k=$((k + every))
    done
done
echo "$total calls, each $every-th failed with ENOSPC and with EIO: $refused runs said so, $harmless went on; all ended with the truth"
