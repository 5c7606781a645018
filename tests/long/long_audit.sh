#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_audit.sh ASSAY - audits every private method on 60 neighbours, and attacks it by 20000 runs a side at three
# epsilons. Every planted leak must be found by the check that its file names. Seeds are fixed; an honest method
# exceeds its promise with probability at most 1e-6 in each of the attacks. RUNS=n and NEIGHBOURS=n set other
# numbers than 20000 and 60.
assay=$1 failed=0 audits=0
runs=${RUNS:-20000} neighbours=${NEIGHBOURS:-60}

# expect CODE ARGUMENTS...: runs `assay audit`, which must exit with CODE.
expect()
{
    wanted=$1 audits=$((audits + 1))
    shift
    "$assay" audit "$@" > "$folder/out" 2>&1
    code=$?
    [ "$code" -eq "$wanted" ] && return
    echo "audit $*: exit $code, expected $wanted"
    cat "$folder/out"
    failed=1
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
methods=$("$assay" list claims --check private --format csv | sed -n 's|^privacy/\([^,.]*\)\.eps,.*|\1|p')
[ -n "$methods" ] || { echo "no private method"; exit 1; }

# attack METHOD OPTIONS...: a method that must pass the replay and three attacks.
attack()
{
    expect 0 "$@" --replay --reps "$neighbours"
    for eps in 0.5 2 8; do
        expect 0 "$@" --eps $eps --delta 1e-5 --runs "$runs"
    done
}

for method in $methods; do
    attack "$method"
done
attack accelerated-dp-srgd --set algo.noise=root
attack accelerated-dp-srgd --set algo.noise=independent
attack dp-gcd --problem private_mean --d 8 --n 64 --T 8
# A record moves two coordinates in opposite directions, which shows that the printed noise of the choice is too
# small.
choice()
{
    expect "$1" dp-gcd --problem private_mean --d 2 --n 64 --set problem.active=2 --set problem.r=0.5 \
        --set problem.decades=0.058 --T 1 --eps 2 --delta 1e-6 --set algo.accounting=min_basic \
        --set algo.rnm_mode="$2" --runs 100000
}
choice 0 corrected
choice 1 paper
for leak in sensitivity reuse clip step max mark weight; do
    expect 1 planted-leak-$leak --replay --reps 12
done
# A record seldom changes the result of a comparison: at least one neighbour in twenty does, so that 400 neighbours
# miss it with probability 1e-9.
expect 1 planted-leak-stop --replay --reps 400
for leak in redraw size; do
    expect 1 planted-leak-$leak --replay --reps 12 --problem coins_stored --n 64
done
# The replay finds nothing in these methods. What they book costs more than they promise.
for leak in noise depth twice; do
    expect 1 planted-leak-$leak --replay --reps 12
    grep -q '^verdict *EXCEEDED' "$folder/out" || { echo "planted-leak-$leak: not by the accounting"; failed=1; }
done
expect 1 planted-leak-noise --eps 4 --delta 1e-5 --runs 4000 --T 1
echo "long_audit: $audits audits of $(echo "$methods" | wc -l) private methods and of planted leaks"
exit $failed
