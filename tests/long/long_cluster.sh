#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_cluster.sh ASSAY - runs on a Slurm of three nodes while daemons, jobs and the command itself are killed at
# random, and merges that are killed. SEEDS=n sets the number of runs, 50 by default; SEED=n sets the first seed.
# Each run must end with the records of one machine, byte for byte, and of 20 runs or more every kind of strike must
# have killed something. Needs root.
set -u
assay=$(realpath "$1")
seeds=${SEEDS:-50} seed=${SEED:-1}
here=$(dirname "$(realpath "$0")")
. "$here/../cluster/slurm.sh"
for name in $(env | sed -n 's/^\(ASSAY_[A-Za-z_]*\)=.*/\1/p'); do unset "$name"; done
slurm_packages="$slurm_packages parallel"
slurm_install || { echo "FAILED: Slurm cannot be installed"; exit 1; }
work=$(mktemp -d /tmp/assay-cluster-XXXXXX)
chmod 755 "$work"                   # munged runs as another user
cd "$work" || exit 1
run=
# Where the command or a job hangs, it is killed, as nothing else ends it.
finish() {
    [ -z "$run" ] || kill -9 "$run" 2> /dev/null
    slurm_down
    left=$(pgrep -f "assay work $work/")
    [ -z "$left" ] || kill -9 $left 2> /dev/null
    cd / && rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM
plan="--paper baselines --profile quick"
fail() { echo "FAILED: seed $1: $2"; tail -n 5 out.txt; exit 1; }

# draw N: prints a number below N that depends on the seed and a counter
counter=0
draw() {
    counter=$((counter + 1))
    drawn=$(printf '%s %s' "$seed" "$counter" | cksum | cut -d' ' -f1)
    drawn=$((drawn % $1))
}

"$assay" run $plan --store one.db > out.txt 2>&1
"$assay" export --canonical --store one.db > one.csv
mkdir slurm
slurm_up slurm 3 || exit 1

start() {
    "$assay" run $plan --store "$seed.db" --engine slurm --seconds 1.5 --tries 4 >> out.txt 2>&1 & run=$!
}
# The oldest is the command of a job, the latest one of its workers.
jobs_of_this_run() { pgrep -f "assay work $work/$seed.db.shards" | sort -n; }

# Kills what is drawn, if it is there; adds a word to `struck`.
strike() {
    draw 6
    case $drawn in
    0) what=worker victims=$(jobs_of_this_run | tail -n 1) ;;
    1) what=jobs victims=$(jobs_of_this_run) ;;
    2) what=step victims=$(jobs_of_this_run | head -n 1)
       [ -z "$victims" ] || victims=$(ps -o ppid= -p "$victims") ;;
    3) what=node
       draw 3
       eval "victims=\$pid_n$((drawn + 1))" ;;
    4) what=controller victims=$pid_ctld ;;
    5) what=command victims=$run ;;
    esac
    said=$what
    [ -n "$victims" ] && kill -9 $victims 2> /dev/null || said=nothing
    case $what in
    node)
        sleep 1
        slurm_node "n$((drawn + 1))" ;;
    controller)
        sleep 1
        slurm_controller ;;
    command)
        wait $run 2> /dev/null
        start ;;
    esac
    struck="$struck $said"
    echo $said >> struck.txt
}

# What an administrator does, and a system that starts daemons again.
mend() {
    kill -0 "$pid_ctld" 2> /dev/null || slurm_controller
    for node in n1 n2 n3; do eval "kill -0 \$pid_$node" 2> /dev/null || slurm_node $node; done
    for id in $(squeue --noheader --states=pending --array --format=%i 2> /dev/null); do
        scontrol release "$id" 2> /dev/null
        scontrol update jobid="$id" starttime=now 2> /dev/null
    done
    for node in $(sinfo --noheader --states=drain --Node --format=%N 2> /dev/null); do
        scontrol update nodename="$node" state=resume 2> /dev/null
    done
}

begun=$(date +%s)
for k in $(seq "$seeds"); do
    struck=
    : > out.txt
    start
    draw 3
    strikes=$((1 + drawn))
    for i in $(seq $strikes); do
        draw 40
        sleep "$(awk -v t="$drawn" 'BEGIN { print 0.5 + t / 10 }')"
        kill -0 $run 2> /dev/null && strike
    done
    limit=$(($(date +%s) + 240))
    while kill -0 $run 2> /dev/null; do
        [ "$(date +%s)" -lt $limit ] || fail "$seed" "the run did not end after:$struck"
        mend
        sleep 1
    done
    wait $run
    code=$? run=
    [ $code -eq 0 ] || fail "$seed" "exit $code after:$struck"
    "$assay" export --canonical --store "$seed.db" | cmp - one.csv || fail "$seed" "other records after:$struck"
    rm -rf "$seed".db*
    seed=$((seed + 1))
done
strikes=$(sort struck.txt | uniq -c | awk '{ printf "%s%s %s", sep, $1, $2; sep = ", " }')
[ "$seeds" -lt 20 ] || [ "$(grep -v nothing struck.txt | sort -u | wc -l)" -eq 6 ] ||
    fail "$seed" "a kind of strike killed nothing: $strikes"

# Merges: a kill leaves the records of the first so many shards, and the same command ends with all of them.
slurm_down
"$assay" shards $plan --output cut --seconds 1 > out.txt 2>&1 || fail "$seed" "shards"
ls cut/*.shard | parallel -j2 "$assay" work {} > out.txt 2>&1 || fail "$seed" "a shard"
lines() { "$assay" export --canonical --store "$1" 2> /dev/null | wc -l; }
sum=0
echo 0 > sums.txt
for attempt in cut/*.db; do
    sum=$((sum + $(lines "$attempt")))
    echo $sum >> sums.txt
done
from=$(date +%s%N)
"$assay" merge whole.db cut/*.db > out.txt 2>&1 || fail "$seed" "merge"
span=$((($(date +%s%N) - from) / 1000))
"$assay" export --canonical --store whole.db > whole.csv
parts=0
for k in $(seq "$seeds"); do
    draw 2
    [ $drawn -eq 0 ] || rm -f merged.db*
    "$assay" merge merged.db cut/*.db > out.txt 2>&1 & run=$!
    draw "$span"
    sleep "$(awk -v t="$drawn" 'BEGIN { print t / 1e6 }')"
    kill -9 $run 2> /dev/null
    wait $run 2> /dev/null
    run=
    has=$(lines merged.db)
    grep -qx "$has" sums.txt || fail "$seed" "$has lines of records after merge was killed, not those of whole shards"
    [ "$has" -gt 0 ] && [ "$has" -lt "$sum" ] && parts=$((parts + 1))
done
[ $parts -gt 0 ] || fail "$seed" "no merge was killed between two shards"
"$assay" merge merged.db cut/*.db > out.txt 2>&1 || fail "$seed" "merge after kills"
"$assay" export --canonical --store merged.db | cmp - whole.csv || fail "$seed" "other records after kills of merge"
echo "long_cluster: $seeds runs, strikes at $strikes; $seeds kills of merge, $parts of them between two shards;" \
    "all ended with the records of one machine ($(($(date +%s) - begun)) s)"
