#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_nights.sh ASSAY - thirty nights of a month, from the run to the pages, in minutes: a preloaded library gives
# each night its date. One night is missing, two have a planted fault, and from one on the plug-ins are built with
# other options. The claims are four copies of the plug-in of tests/plugin; three of them burn processor time: one a
# little more every night, one half as much again from the sixteenth night on, one twice as much in a single night,
# which is a false alarm. The fault fails its two nights and no other; the history dates the step, calls the drift a
# drift, and does not mention the false alarm; the pages stay short.
. "$(dirname "$0")/begin.sh"

# plug NAME FILE OPTIONS [EDIT]: a copy of the plug-in with another name, whose runs burn $BURN_NAME seconds each.
plug()
{
    burn="atof(getenv(\"BURN_$1\"))"
    rm -rf plug && cp -r "$source/tests/plugin" plug && chmod -R u+w plug || fail "no plug-in"
    sed -i -e "s/\"heavy-ball/\"$1/g" plug/*/*.c
    sed -i -e "s/^#include \"algo.h\"/&\n#include <stdlib.h>\n#include <time.h>/" \
        -e "s/^    arena_seal(w);/&\n    while (clock() < end)\n        ;/" \
        -e "s/^    long d = oracle_dim(o);/&\n    clock_t end = clock() + (clock_t)(1e6 * $burn);/" \
        ${4:+-e "$4"} plug/algos/heavy_ball.c
    # shellcheck disable=SC2086
    cc -std=c17 -D_GNU_SOURCE $3 -fPIC -shared -I"$source/harness/api" plug/plugin.c plug/*/heavy_ball.c -o "$2" ||
        fail "the plug-in does not compile"
}
plugins() { for name in plain drifting stepping spiking; do plug $name $name.so "$1"; done; }
claims='plain/*,drifting/*,stepping/*,spiking/*'
loaded="--plugin drifting.so --plugin stepping.so --plugin spiking.so"

run() { # DAY PLAIN COMMAND...: the program on that day of March, with PLAIN as the plug-in `plain`
    day=$1 plain=$2
    shift 2
    [ "$1" = accept ] || set -- "$@" --claim "$claims"
    echo $(($(date -d "2026-03-$day 02:00:00Z" +%s) - $(date +%s))) > clock
    # shellcheck disable=SC2086
    env LD_PRELOAD="$work/clock.so" SHIFT_FILE="$work/clock" BURN_plain=0 \
        BURN_drifting="$(awk "BEGIN { print 0.035 * 1.03 ^ $day }")" \
        BURN_stepping="$([ "$day" -lt 16 ] && echo 0.035 || echo 0.0525)" \
        BURN_spiking="$([ "$day" -eq 15 ] && echo 0.07 || echo 0.035)" \
        "$assay" "$@" --plugin "$plain" $loaded > out.txt 2> err.txt
}

cc -O2 -Wall -Werror -fPIC -shared "$source/tests/long/shifted_clock.c" -o clock.so || fail "no shifted clock"
plugins -O2
plug plain fault.so -O2 's/-p->step, g/-p->step \/ 2, g/'
nights=0
for k in $(seq 1 30); do
    day=$(printf %02d "$k") plain=plain.so expected=0
    case $k in
    8) continue ;;
    12 | 13) plain=fault.so expected=1 ;;
    18) plugins -O1 ;;
    esac
    run "$day" "$plain" nightly -j1
    code=$?
    nights=$((nights + 1))
    if [ "$k" -eq 1 ]; then
        run "$day" "$plain" accept "$claims" --profile nightly --store results/store/nightly.db --reason first ||
            fail "no baseline"
        continue
    fi
    [ $code -eq $expected ] || fail "night $day: exit $code, expected $expected"
    grep -q ' cells: .* run, 0 reused' err.txt || fail "night $day: cells were reused"
    [ $expected -eq 0 ] || grep -q 'verdict  plain/root.value.excess.T: SUPPORTED -> CONTRADICTED' err.txt ||
        fail "night $day: the fault is not named"
    case $k in 3 | 30) eval "size$k=$(wc -c < results/report/nights.html)" ;; esac
done

run 30 plain.so report --history --profile nightly --store results/store/nightly.db || fail "history: exit $?"
grep -q "2026-03-08" out.txt && fail "the missing night is in the history"
grep -q 'drifting/root.value.excess.T.*drift: time +' out.txt || fail "the drift is not found"
grep -q 'stepping/root.value.excess.T.*step: time +.* since 2026-03-16' out.txt ||
    fail "the step is not found on its night"
grep 'spiking/' out.txt | grep -qE 'step|drift' && fail "a single slow night is taken for a step"
grep -q 'plain/root.value.excess.T, 29 nights from 2026-03-01 to 2026-03-30: SUPPORTED' out.txt || fail "not 29 nights"
[ "$size30" -lt 60000 ] || fail "nights.html has $size30 bytes after 30 nights, $size3 after three"
echo "$nights nights: a fault, a step, a drift and a false alarm are told apart; nights.html has $size30 bytes"
