#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_cluster.sh ASSAY - runs on a Slurm of three nodes while daemons and jobs are killed at random. SEEDS=n sets
# the number of runs, 50 by default; SEED=n sets the first seed. Each run must end with the records of one machine,
# byte for byte. Needs root.
set -u
assay=$(realpath "$1")
seeds=${SEEDS:-50} seed=${SEED:-1}
here=$(dirname "$(realpath "$0")")
. "$here/../cluster/slurm.sh"
for name in $(env | sed -n 's/^\(ASSAY_[A-Za-z_]*\)=.*/\1/p'); do unset "$name"; done
slurm_install || { echo "FAILED: Slurm cannot be installed"; exit 1; }
work=$(mktemp -d /tmp/assay-cluster-XXXXXX)
chmod 755 "$work"                   # munged runs as another user
cd "$work" || exit 1
trap 'slurm_down; cd /; rm -rf "$work"' EXIT
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

strike() {
    draw 5
    case $drawn in
    0) what=worker; pkill -9 -o -f "assay work .*/$seed.db.shards" ;;
    1) what=jobs; pkill -9 -f "assay work .*/$seed.db.shards" ;;
    2) what=step; pkill -9 -o -f slurmstepd ;;
    3) what=node
       draw 3
       eval "kill -9 \$pid_n$((drawn + 1))"
       sleep 1
       slurm_node "n$((drawn + 1))" ;;
    4) what=controller
       kill -9 "$pid_ctld"
       sleep 1
       slurm_controller ;;
    esac
    struck="$struck $what"
}

mend() {
    for id in $(squeue --noheader --states=pending --array --format=%i 2> /dev/null); do
        scontrol release "$id" 2> /dev/null
        scontrol update jobid="$id" starttime=now 2> /dev/null
    done
    for node in $(sinfo --noheader --states=drain --Node --format=%N 2> /dev/null); do
        scontrol update nodename="$node" state=resume 2> /dev/null
    done
}

begun=$(date +%s) kills=0
for k in $(seq "$seeds"); do
    struck=
    "$assay" run $plan --store "$seed.db" --engine slurm --seconds 1.5 --tries 4 > out.txt 2>&1 & run=$!
    draw 3
    strikes=$((1 + drawn))
    for i in $(seq $strikes); do
        draw 40
        sleep "$(awk -v t="$drawn" 'BEGIN { print 0.5 + t / 10 }')"
        kill -0 $run 2> /dev/null && strike && kills=$((kills + 1))
    done
    limit=$(($(date +%s) + 240))
    while kill -0 $run 2> /dev/null; do
        [ "$(date +%s)" -lt $limit ] || fail "$seed" "the run did not end after:$struck"
        mend
        sleep 1
    done
    wait $run
    code=$?
    [ $code -eq 0 ] || fail "$seed" "exit $code after:$struck"
    "$assay" export --canonical --store "$seed.db" | cmp - one.csv || fail "$seed" "other records after:$struck"
    rm -rf "$seed".db*
    seed=$((seed + 1))
done
echo "long_cluster: $seeds runs, $kills strikes at jobs, steps, nodes and the controller; all ended with the records of one machine ($(($(date +%s) - begun)) s)"
