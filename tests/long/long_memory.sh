#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_memory.sh ASSAY - the k-th allocation of a small run fails, alone or with all after it: in the parent at
# TRIES (100) values of k, and in the workers at ten. A preloaded library makes them fail. The program must say so,
# or go on without harm; it may end by its own check of a pointer, but never by a wild one. Afterwards the same
# command ends with the records and the report of an undisturbed run.
. "$(dirname "$0")/begin.sh"
tries=${TRIES:-100}

run() { "$@" "$assay" verify --claim 'baselines/gd.rate*' --reps 1 -j1 --store m.db --output report --canonical; }
cc -O2 -Wall -Werror -fPIC -shared "$source/tests/long/short_memory.c" -o short.so || fail "no library"

run env > truth.txt 2> err.txt || fail "the undisturbed run: exit $?"
"$assay" export --store m.db --canonical --format csv > truth.csv || fail export
cp -r report truth
rm -rf m.db* report
run env LD_PRELOAD="$work/short.so" COUNT_FILE=count.txt > out.txt 2> err.txt || fail "with the library: exit $?"
count=$(cat count.txt)
[ "$count" -ge 1000 ] || fail "only $count allocations: expected those of a store and a report"
rm -rf m.db* report

harmless=0 told=0 stopped=0
# Allocation number $1 fails; $2: 1 with all after it; $3: where.
try() {
    run env LD_PRELOAD="$work/short.so" FAIL_AT="$1" FAIL_ALL="$2" FAIL_IN="$3" > out.txt 2> err.txt
    code=$?
    case $code in
    0) harmless=$((harmless + 1)) ;;
    134) stopped=$((stopped + 1)); grep -q '^assay: bug at ' err.txt || fail "$*: abort without a word" ;;
    *)
        told=$((told + 1))
        [ $code -lt 128 ] || fail "$*: killed by signal $((code - 128))"
        [ -s err.txt ] || fail "$*: exit $code without a word" ;;
    esac
    run env > out.txt 2> err.txt
    code=$?
    # A cell whose worker had too little memory is stored as that, and runs again by --retry.
    [ $code -eq 4 ] && [ "$3" = workers ] && {
        "$assay" run --claim 'baselines/gd.rate*' --reps 1 -j1 --store m.db --retry > out.txt 2> err.txt
        run env > out.txt 2> err.txt; code=$?; }
    [ $code -eq 0 ] || fail "$*: the next run: exit $code"
    cmp -s out.txt truth.txt || fail "$*: other verdicts"
    "$assay" export --store m.db --canonical --format csv | cmp -s - truth.csv || fail "$*: other records"
    diff -r truth report > out.txt || fail "$*: another report"
    rm -rf m.db* report
}

k=1 tried=0
while [ $k -le "$count" ]; do
    for all in 0 1; do
        try $k $all parent
        tried=$((tried + 1))
    done
    k=$((k + (count + tries - 1) / tries))
done
for k in 1 2 3 5 8 13 21 34 55 89; do
    for all in 0 1; do
        try $k $all workers
        tried=$((tried + 1))
    done
done
echo "long_memory: $tried failures of $count allocations: $told told, $harmless went on, $stopped ended by a check"
