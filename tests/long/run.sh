#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh sample|release BUILD - runs the campaigns that take longer than `make test`. `sample` runs a part of each,
# in an hour on two cores; `release` runs them whole, which takes hours. `release` does not repeat a step that
# has passed for this commit: if it is cut off, the next call continues. The last line that a step printed is in
# BUILD/release/counts.csv. A step that fails does not keep the others from running; the end is 1.
set -u
mode=$1 build=$2
long=$(dirname "$0")
kept=$build/release
make="make --no-print-directory"
commit=$(git rev-parse HEAD 2> /dev/null || echo none)
[ -z "$(git status --porcelain -- . ":!docs/testing.csv" 2> /dev/null)" ] || commit=$commit-changed
mkdir -p "$kept"
[ -f "$kept/counts.csv" ] || echo 'step,commit,ended,seconds,said' > "$kept/counts.csv"

# step NAME COMMAND...: runs the command, unless it has passed. Where it fails, its name is added to `failed`.
step()
{
    name=$1
    shift
    if [ "$mode" = release ] && [ "$commit" = "${commit%-changed}" ] &&
        grep -q "^$name,$commit," "$kept/counts.csv"; then
        echo "== $name: passed before, for this commit"
        return
    fi
    echo "== $name"
    from=$(date +%s)
    "$@" > "$kept/$name.log" 2>&1
    code=$?
    took=$(($(date +%s) - from))
    if [ "$code" -ne 0 ]; then
        tail -n 40 "$kept/$name.log"
        echo "FAILED: $name after $took s, exit $code: the whole of it is in $kept/$name.log"
        failed="$failed $name"
        return 1
    fi
    said=$(grep -v '^make' "$kept/$name.log" | tail -n 1 | tr -d '"' | cut -c1-200)
    echo "   $took s: $said"
    [ "$mode" = sample ] || echo "$name,$commit,$(date -u +%Y-%m-%dT%H:%M:%SZ),$took,\"$said\"" >> "$kept/counts.csv"
}

case $mode in
sample)
    export KILLS=40 RUNS=4000 NEIGHBOURS=20 RECORDS=1000000 ROUNDS=1 TRIES=10 KINDS=baselines ARM=no EVERY=29
    export DIEHARDER="0 2 8 15 100 102"
    seconds=10 ;;
release)
    export STOPPED=3600
    seconds=300 ;;
*) echo "usage: $0 sample|release BUILD" >&2; exit 2 ;;
esac
failed=
# The runs on a cluster wait for most of their time, for daemons that find out what died: they go beside the others.
(step long_cluster sh "$long/long_cluster.sh" "$build/assay") > "$kept/beside.txt" 2>&1 &
beside=$!
trap 'kill $beside 2> /dev/null' EXIT
step sanitizers $make test SAN=address,undefined
step fuzz $make fuzz SECONDS=$seconds
step benchmarks $make "$build/bench"
for script in "$long"/long_*.sh; do
    name=$(basename "$script" .sh)
    [ "$name" = long_cluster ] || step "$name" sh "$script" "$build/assay"
done
wait $beside || failed="$failed long_cluster"
trap - EXIT
cat "$kept/beside.txt"
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
echo "all steps passed"
