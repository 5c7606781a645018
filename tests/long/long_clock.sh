#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_clock.sh ASSAY - runs while the clock of the machine jumps: by days and years, forwards and back, as when it
# is set (a preloaded library shifts the date under the program); by an hour, forwards only, the clock that never
# goes back too, as after sleep; and while all processes of the run are stopped for STOPPED seconds (60; an hour:
# 3600). Each must end with the exit code, the verdicts and the records of an undisturbed run: no cell may time out,
# and the time of a cell may not be negative.
. "$(dirname "$0")/begin.sh"
stopped=${STOPPED:-60} pid=
# A run that is stopped has a group of its own, and ends by this alone.
trap '[ -z "$pid" ] || kill -9 "$pid" "-$pid" 2> /dev/null; rm -rf "$work"' EXIT

cc -O2 -Wall -Werror -fPIC -shared "$source/tests/long/shifted_clock.c" -o clock.so || fail "no shifted clock"
claims=${CLAIMS:-baselines/*}
run() { exec "$assay" verify --claim "$claims" --profile quick --reps 1 -j2 --store w.db --canonical; }
(run) > truth.txt 2> err.txt
expected=$?
[ $expected -eq 0 ] || [ $expected -eq 3 ] || fail "the undisturbed run: exit $expected"
"$assay" export --store w.db --canonical --format csv > truth.csv || fail export
rm -f w.db*

# ended WHAT CODE: is all as it was undisturbed?
ended()
{
    [ "$2" -eq $expected ] || fail "$1: exit $2, expected $expected"
    cmp -s out.txt truth.txt || fail "$1: other verdicts"
    "$assay" export --store w.db --canonical --format csv | cmp -s - truth.csv || fail "$1: other records"
    "$assay" export --store w.db --format csv --wide > times.csv || fail export
    awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "seconds") at = k }
        NR > 1 && at && $at < 0 { bad++ } END { exit !at || bad }' times.csv || fail "$1: a negative time"
    rm -f w.db*
}

# jumping WHAT MONOTONIC SECONDS...: a run during which the clock is later by one number of seconds after the other,
# for a fifth of a second each. MONOTONIC=1: the clock that never goes back jumps too.
jumping()
{
    what=$1 monotonic=$2
    shift 2
    echo 0 > clock
    (
        export LD_PRELOAD="$work/clock.so" SHIFT_FILE="$work/clock"
        [ -z "$monotonic" ] || export SHIFT_MONOTONIC=1
        run
    ) > out.txt 2> err.txt &
    pid=$! jumps=0
    while kill -0 $pid 2> /dev/null; do
        for offset in "$@"; do
            echo "$offset" > clock.new && mv clock.new clock
            jumps=$((jumps + 1))
            sleep 0.2
            kill -0 $pid 2> /dev/null || break
        done
    done
    wait $pid
    code=$? pid=
    ended "$what" $code
    [ $jumps -ge 3 ] || fail "$what: only $jumps jumps: expected a longer run"
    echo "$what: $jumps jumps"
}

jumping "dates" "" 86400 -34560000 315360000 -3600 0
# shellcheck disable=SC2046
jumping "hours" 1 $(seq 3600 3600 3600000)

setsid "$assay" verify --claim "$claims" --profile quick --reps 1 -j2 --store w.db --canonical > out.txt \
    2> err.txt &
pid=$!
sleep 1
kill -STOP -$pid || fail "the run had ended before it was stopped"
sleep "$stopped"
kill -CONT -$pid
wait $pid
code=$? pid=
ended "stopped for $stopped s" $code
echo "dates and hours that jump, and $stopped s stopped: the same verdicts and records"
