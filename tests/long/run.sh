#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh sample|release BUILD - runs the campaigns that take longer than `make test`. `sample` runs a part of each,
# in an hour on two cores; `release` runs them whole, which takes hours. A step that has passed for this commit is not
# repeated: if a call is cut off, the next one continues, and `release` passes over the steps that `sample` has run
# whole. The last line that a step printed is in BUILD/release/counts.csv. A step that fails does not keep the others
# from running; the end is 1. A step that ends with 77 tested nothing, or not what it is for, since this machine lacks
# something: it is not recorded, and the last line names it. run.sh starts itself for each lane, with the name of the
# lane and the commit behind its arguments.
set -u
mode=$1 build=$2
long=$(dirname "$0")
kept=$build/release
make="make --no-print-directory"
commit=$(git rev-parse HEAD 2> /dev/null || echo none)
[ -z "$(git status --porcelain -- . ":!docs/testing.csv" 2> /dev/null)" ] || commit=$commit-changed
mkdir -p "$kept"
[ -f "$kept/counts.csv" ] || echo 'step,commit,ended,seconds,said' > "$kept/counts.csv"

# The steps of which `sample` runs a part: they are recorded under another name, with .sample behind it.
parts=' fuzz long_arm long_audit long_clock long_kill long_kinds long_memory long_random long_store long_workers '
parts="$parts long_writes "

# step NAME COMMAND...: runs the command, unless it has passed. Where it fails, its name is added to failed.txt; where
# it was not run, to missing.txt.
step()
{
    name=$1 key=$1
    shift
    case $mode$parts in sample*" $name "*) key=$name.sample ;; esac
    if [ "$commit" = "${commit%-changed}" ] && grep -q "^$key,$commit," "$kept/counts.csv"; then
        echo "== $name: passed before, for this commit"
        return
    fi
    echo "== $name"
    from=$(date +%s)
    "$@" > "$kept/$name.log" 2>&1
    code=$?
    took=$(($(date +%s) - from))
    said=$(grep -v '^make' "$kept/$name.log" | tail -n 1 | tr -d '"' | cut -c1-200)
    if [ "$code" -eq 77 ]; then
        echo "NOT RUN: $name after $took s: $said"
        echo "$name" >> "$kept/missing.txt"
        return 0
    elif [ "$code" -ne 0 ]; then
        tail -n 40 "$kept/$name.log"
        echo "FAILED: $name after $took s, exit $code: the whole of it is in $kept/$name.log"
        echo "$name" >> "$kept/failed.txt"
        return 1
    fi
    echo "   $took s: $said"
    echo "$key,$commit,$(date -u +%Y-%m-%dT%H:%M:%SZ),$took,\"$said\"" >> "$kept/counts.csv"
}

case $mode in
sample)
    export KILLS=40 RUNS=4000 NEIGHBOURS=20 RECORDS=1000000 ROUNDS=1 TRIES=10 KINDS=baselines ARM=no EVERY=29
    export DIEHARDER="0 2 8 15 100 102"
    seconds=10 ;;
release)
    export STOPPED=3600 KILLS=1000 TRIES=400
    seconds=120 ;;
*) echo "usage: $0 sample|release BUILD" >&2; exit 2 ;;
esac
# What takes processor time alone runs in three lanes at once: on two cores the steps of one processor fill what the
# sanitizers leave, and the cluster and the clock wait for most of their time. What measures times, and what copies
# the build, comes after them, with nothing beside it.
script() { for name in "$@"; do step "$name" sh "$long/$name.sh" "$build/assay"; done; }
waiting() { script long_cluster long_clock; }
serial()
{
    step warnings $make CC=clang warnings
    step fuzz $make fuzz SECONDS=$seconds
    script long_memory long_random long_writes long_rows long_audit
}
parallel()
{
    step sanitizers $make test SAN=address,undefined
    script long_kill long_kinds long_arm long_optima long_nights
}
alone() { step benchmarks $make "$build/bench"; script long_browser long_planted long_size long_store long_workers; }

[ $# -lt 4 ] || { commit=$4; "$3"; exit; }

# A lane is a session of its own, so that a signal ends all of it: the EXIT trap sends it to the group of processes.
# The shell waits for lanes in the background, since it would handle no signal while a command runs in front.
lanes=
start() { setsid sh "$0" "$mode" "$build" "$1" "$commit" & lanes="$lanes $!"; }
# A step that fails is in failed.txt, and its lane ends with 0 or 1. A lane that was killed ends with more.
finish()
{
    for lane in $lanes; do
        wait "$lane"
        [ $? -le 1 ] || echo "a lane that was killed" >> "$kept/failed.txt"
    done
    lanes=
}
trap 'for lane in $lanes; do kill -s TERM -- "-$lane"; done 2> /dev/null' EXIT
trap 'exit 130' INT TERM HUP

for file in "$long"/long_*.sh; do
    grep -qw "$(basename "$file" .sh)" "$0" || { echo "$0: $file is in no lane" >&2; exit 2; }
done
: > "$kept/failed.txt"
: > "$kept/missing.txt"
start waiting > "$kept/waiting.txt" 2>&1
start serial > "$kept/serial.txt" 2>&1
start parallel
finish
cat "$kept/waiting.txt" "$kept/serial.txt"
start alone
finish
failed=$(paste -sd ' ' "$kept/failed.txt")
missing=$(paste -sd ' ' "$kept/missing.txt")
[ -z "$failed" ] || { echo "failed: $failed${missing:+; not run: $missing}" >&2; exit 1; }
echo "all steps passed${missing:+; not run: $missing}"
