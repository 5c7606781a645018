#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_kill.sh ASSAY - ends runs in many ways. The next run must say so, lose at most the cells that were running
# or had just ended,
# and end with the bytes of an undisturbed run. KILLS=n sets another number of instants than 200; SEED=n sets the
# seed.
. "$(dirname "$0")/begin.sh"
kills=${KILLS:-200} seed=${SEED:-1}
mounted= pid= skipped=
trap '[ -n "$mounted" ] && umount "$work/small" 2> /dev/null; [ -n "$pid" ] && kill -9 "-$pid" 2> /dev/null; rm -rf "$work"' EXIT

say() { printf '%4d s  %-14s %s\n' $(($(date +%s) - from)) "$1" "$2"; }
from=$(date +%s)

# Prints one number of (0, 1) a line. They are drawn before anything runs, so that the instants are the same every
# time.
awk -v seed="$seed" 'BEGIN { srand(seed); for (k = 0; k < 5000; k++) print rand() }' > random.txt
exec 3< random.txt
draw() { read -r u <&3; awk -v u="$u" -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a + u * (b - a) }'; }
draw_below() { read -r u <&3; awk -v u="$u" -v n="$1" 'BEGIN { printf "%d", u * n }'; }

# The claims have counts, rates and a trace; one asks for more replicates until its rounds are used up.
claims='planted/rate.open,planted/bound.mark,baselines/gd.count*,baselines/gd.rate*,baselines/sgd.rate.excess.T'
run() { "$assay" verify --planted --claim "$claims" --reps 8 --T 256..32768 -j2 "$@"; }
start() {   # in a group of its own, so that a kill of the group spares this script
    setsid "$assay" verify --planted --claim "$claims" --reps 8 --T 256..32768 -j2 "$@" \
        > out.txt 2> err.txt &
    pid=$!
}
finish() { wait "$pid" 2> /dev/null; code=$?; pid=; }
records() { sqlite3 -readonly "$1" 'SELECT count(*) FROM records' 2> /dev/null || echo 0; }
skip() { echo "skip: $1"; skipped="$skipped${skipped:+; }$1"; }
one_line() { [ "$(wc -l < err.txt)" -eq 1 ] || fail "$1: more or less than one line on stderr"; }

# --- the records and the report with which every run must end: the truth
begun=$(date +%s%N)
run --store truth.db --output truth > out.txt 2> err.txt
wanted=$?
span=$(awk -v a="$begun" -v b="$(date +%s%N)" 'BEGIN { printf "%.3f", (b - a) / 1e9 }')
[ "$wanted" -eq 1 ] || fail "the undisturbed run: exit $wanted"
cells=$(records truth.db)
run --store truth.db --output truth --canonical > truth.txt 2> err.txt
"$assay" export --store truth.db --canonical --format csv > truth.csv || fail "export"
LC_ALL=C sort truth.csv > truth.sorted
say undisturbed "$cells cells, $span s"

# Every record of an unfinished store must be right: all lines of its export are lines of the truth.
check_part() {
    if ! "$assay" export --store "$1" --canonical --format csv > part.csv 2> err.txt; then
        one_line "$2"                    # killed before the store was made
        grep -q 'no such store\|empty' err.txt || fail "$2: export"
        : > part.csv
    fi
    LC_ALL=C sort part.csv | LC_ALL=C comm -23 - truth.sorted > wrong.txt
    [ -s wrong.txt ] && { head -n 3 wrong.txt; fail "$2: records that the undisturbed run does not have"; }
}
# Runs again. The run must use all records that are there, say that a run was cut off, and end with the truth.
check_whole() {
    had=$(records "$1")
    run --store "$1" --output whole --canonical > out.txt 2> err.txt
    code=$?
    [ $code -eq "$wanted" ] || fail "$2: the next run ended with $code"
    grep -q "^$cells cells: $((cells - had)) run, $had reused" err.txt || fail "$2: not $had reused"
    cmp -s out.txt truth.txt || fail "$2: other verdicts"
    "$assay" export --store "$1" --canonical --format csv | cmp - truth.csv || fail "$2: other records"
    diff -r truth whole > out.txt || fail "$2: another report"
    ls whole/.new-* > /dev/null 2>&1 && fail "$2: something was left beside the report"
    rm -rf whole
}

# --- kill -9 of the parent, of the whole group, and of a worker; the last costs one more start of one cell
done_kills=0 stores=0 within=0
while [ $done_kills -lt "$kills" ]; do
    start --store kill.db --output whole
    sleep "$(draw 0 "$(awk -v s="$span" -v k=$done_kills 'BEGIN { print k % 3 == 2 ? s / 3 : s }')")"
    seen=$(records kill.db)
    case $((done_kills % 3)) in
    0) kill -9 "$pid" 2> /dev/null; finish ;;
    1) kill -9 "-$pid" 2> /dev/null; finish ;;
    2) worker=$(cat "/proc/$pid/task/$pid/children" 2> /dev/null | cut -d' ' -f1)
       [ -z "$worker" ] || grep -q gnuplot "/proc/$worker/cmdline" 2> /dev/null ||
           kill -9 "$worker" 2> /dev/null
       finish
       [ $code -eq "$wanted" ] || fail "kill of a worker: exit $code" ;;
    esac
    done_kills=$((done_kills + 1))
    check_part kill.db "kill $done_kills"
    now=$(records kill.db)
    [ "$now" -ge "$seen" ] || fail "kill $done_kills: $seen records before, $now after"
    [ "$now" -gt 0 ] && [ "$now" -lt "$cells" ] && within=$((within + 1))
    if [ "$now" -eq "$cells" ]; then
        LC_ALL=C sort part.csv | cmp - truth.sorted || fail "kill $done_kills: records are missing"
        [ $((stores % 4)) -eq 0 ] && check_whole kill.db "kill $done_kills"
        stores=$((stores + 1))
        rm -f kill.db*
    fi
done
check_whole kill.db "the last kill"
[ $within -gt 0 ] || fail "kill -9: every run was killed before its first record or after its last one"
say 'kill -9' "$done_kills: of the parent, the group, a worker by turns; $within left a part; $stores stores"

# --- signals that ask a run to stop
asked=0
for k in 1 2 3 4 5 6 7 8; do
    [ $((k % 2)) -eq 0 ] && { name=INT expected=130; } || { name=TERM expected=143; }
    rm -rf ask.db* ask
    start --store ask.db --output ask
    sleep "$(draw 0 "$span")"
    kill -$name "$pid" 2> /dev/null
    finish
    [ $code -eq $expected ] || [ $code -eq "$wanted" ] || fail "SIG$name: exit $code"
    had=$(records ask.db)
    [ $code -eq $expected ] && [ "$had" -gt 0 ] && [ "$had" -lt "$cells" ] && {
        asked=$((asked + 1))
        grep -q 'interrupted, the next run resumes' err.txt || fail "SIG$name: not said"; }
    check_part ask.db "SIG$name"
    run --store ask.db --output ask > out.txt 2> err.txt
    [ $code -eq $expected ] && [ "$had" -gt 0 ] && [ "$had" -lt "$cells" ] &&
        { grep -q 'did not end; its [0-9]* records are kept' err.txt ||
            fail "SIG$name: the next run does not tell"; }
    check_whole ask.db "SIG$name"
done
[ $asked -gt 0 ] || fail "signals: every run was asked to stop before its first record or after its last one"
say signals "4 SIGTERM, 4 SIGINT; $asked left a part"

# --- power cut: the files are copied at one instant, and the log is cut where the disk need not have it yet. The
# cut is behind the frames that are being merged into the file (nBackfillAttempted in SQLite's format of -shm),
# which were flushed before.
for k in $(seq 1 24); do
    rm -rf power.db* cut; mkdir cut
    start --store power.db --output whole
    sleep "$(draw 0 "$span")"
    kill -STOP "$pid" 2> /dev/null
    cp power.db* cut/ 2> /dev/null
    had=$(records cut/power.db)
    kill -CONT "$pid" 2> /dev/null
    kill -9 "-$pid" 2> /dev/null
    finish
    if [ $((k % 2)) -eq 0 ] && [ -s cut/power.db-wal ] && [ -s cut/power.db-shm ]; then
        folded=$(od -An -tu4 -j128 -N4 cut/power.db-shm)
        at_least=$((32 + folded * 4120)) size=$(stat -c %s cut/power.db-wal)
        [ "$size" -gt "$at_least" ] &&
            truncate -s $((at_least + $(draw_below $((size - at_least))))) cut/power.db-wal
        [ $((k % 4)) -eq 0 ] && rm -f cut/power.db-shm
        had=0
    fi
    check_part cut/power.db "power cut $k"
    [ "$(records cut/power.db)" -ge "$had" ] || fail "power cut $k: records lost"
    [ $((k % 3)) -eq 0 ] && check_whole cut/power.db "power cut $k"
done
rm -rf power.db* cut
say 'power cut' '24, the log cut short in half of them'

# --- full disk
mkdir small
if mount -t tmpfs -o size=600k none small 2> /dev/null; then
    mounted=1
    run --store small/a.db --output whole > out.txt 2> err.txt
    [ $? -eq 2 ] || fail "full disk: exit"
    one_line 'full disk'
    grep -q 'full\|No space' err.txt || fail "full disk: not named"
    check_part small/a.db 'full disk'
    kept=$(records small/a.db)
    [ "$kept" -gt 0 ] || fail "full disk: nothing kept"
    cp err.txt full.txt
    mount -o remount,size=60m small
    check_whole small/a.db 'full disk, made larger'
    cat /dev/zero > small/zero 2> /dev/null
    run --store truth.db --output small/r > out.txt 2> err.txt
    [ $? -eq 2 ] || fail "no space for the report: exit"
    tail -n 1 err.txt | grep -q '^assay: .*No space' || fail "no space for the report: not said"
    ls small/r/.new-* > /dev/null 2>&1 && fail "no space for the report: half of it was left"
    say 'full disk' "$kept of $cells cells kept"

    # --- no permission to write: to a store without a log, to a store with a log, and to a folder without a store
    rm -rf small/* whole
    cp truth.db small/rest.db
    for part in 2 3 5 8 13; do
        rm -f small/log.db*
        start --store small/log.db --output whole
        sleep "$(awk -v s="$span" -v p=$part 'BEGIN { print s / p }')"; kill -9 "-$pid"; finish
        had=$(records small/log.db)
        [ "$had" -lt "$cells" ] && break
    done
    [ -s small/log.db-wal ] || skip "read-only store with a log: no kill left one"
    mount -o remount,ro small
    for store in rest log none; do
        run --store small/$store.db --output whole > out.txt 2> err.txt
        [ $? -eq 2 ] || fail "read-only, $store: exit"
        one_line "read-only, $store"
    done
    "$assay" report --store small/rest.db --output small/r > out.txt 2> err.txt
    [ $? -eq 2 ] || fail "read-only report: exit"
    one_line "read-only report"
    check_part small/log.db read-only
    mount -o remount,rw small
    check_whole small/log.db 'read-only, then writable'
    check_whole small/rest.db 'read-only, then writable'
    say 'read-only' "a store at rest and one with a log of $had cells"
    umount small && mounted=
else
    skip "full disk and read-only folder: this user cannot mount a tmpfs"
fi

# --- the folder of the store is moved away while cells run, and comes back
gone=0
for k in 1 2 3 4 5; do
    rm -rf home away whole; mkdir home
    start --store home/a.db --output whole
    while kill -0 "$pid" 2> /dev/null && [ "$(records home/a.db)" -eq 0 ]; do sleep 0.02; done
    mv home away
    finish
    [ $code -eq "$wanted" ] && continue      # it had put its last record
    gone=$((gone + 1))
    [ $code -eq 2 ] || fail "store moved away: exit $code"
    grep -q '^assay: home/a.db: .*moved away or deleted' err.txt || fail "store moved away: not said"
    [ ! -e home ] || fail "store moved away: another was made in its place"
    mv away home
    check_part home/a.db 'store moved away'
    check_whole home/a.db 'store moved away and back'
done
[ $gone -gt 0 ] || fail "store moved away: every run had ended before"
say 'moved away' "$gone of 5 runs lost their store; it came back whole"

# --- the clock is set back by a year while cells run
cat > clock.c << 'END'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static const long back = 31536000;
int clock_gettime(clockid_t id, struct timespec *t)
{
    int code = (int)syscall(SYS_clock_gettime, id, t);
    t->tv_sec -= id == CLOCK_REALTIME ? back : 0;
    return code;
}
int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    t->tv_sec = now.tv_sec;
    t->tv_usec = now.tv_nsec / 1000;
    return 0;
}
time_t time(time_t *t)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return t ? *t = now.tv_sec : now.tv_sec;
}
END
if cc -shared -fPIC -w clock.c -o clock.so 2> /dev/null; then
    start --store clock.db --output whole
    sleep "$(awk -v s="$span" 'BEGIN { print s / 2 }')"; kill -9 "-$pid"; finish
    LD_PRELOAD=$work/clock.so "$assay" run --claim 'baselines/gd.count*' --store clock.db 2> err.txt ||
        fail "clock set back"
    [ "$(LD_PRELOAD=$work/clock.so date +%Y)" -lt "$(date +%Y)" ] || fail "clock set back: it was not"
    sqlite3 clock.db 'SELECT count(*) FROM runs a JOIN runs b ON a.id < b.id WHERE a.started > b.started' |
        grep -qx 0 || fail "clock set back: the later run begins before the earlier one"
    sqlite3 clock.db "DELETE FROM records WHERE NOT EXISTS
        (SELECT 1 FROM run_records WHERE run = 1 AND id BETWEEN first AND last)"
    check_whole clock.db 'clock set back'
    say clock 'a year back'
else
    skip "clock set back: no compiler"
fi

# --- two runs on one store: the second waits for the first and uses its records
run --store two.db --output one > one.txt 2> one.err & first=$!
run --store two.db --output two > two.txt 2> two.err; second=$?
wait $first; first=$?
[ $first -eq "$wanted" ] && [ $second -eq "$wanted" ] || fail "two runs: exit $first and $second"
total=$(cat one.err two.err | sed -n 's/.*cells: \([0-9]*\) run.*/\1/p' | awk '{ n += $1 } END { print n }')
[ "$total" -eq "$cells" ] || fail "two runs: $total cells run, not $cells"
cmp one.txt two.txt || fail "two runs: other verdicts"
check_whole two.db 'two runs'
"$assay" run --planted --claim planted/hang --timeout 60 --store hang.db > out.txt 2>&1 & first=$!
sleep 1
"$assay" run --claim 'baselines/gd.count*' --store hang.db > out.txt 2> err.txt
[ $? -eq 2 ] || fail "a store in use: exit"
[ "$(wc -l < err.txt)" -eq 2 ] || fail "a store in use: expected a line at once, and one that gives up"
[ "$(grep -c "process $first on [^ ]* since [^ ]* is writing" err.txt)" -eq 2 ] ||
    fail "a store in use: holder not named"
"$assay" run --claim 'baselines/gd.count*' --store hang.db --no-wait > out.txt 2> err.txt
[ $? -eq 2 ] || fail "a store in use, --no-wait: exit"
one_line 'a store in use, --no-wait'
kill $first; wait $first
say 'two runs' "$total cells in both; one that waits too long is told of the holder"

# --- a store of a newer version
cp truth.db newer.db
sqlite3 newer.db "UPDATE meta SET value = 99 WHERE key = 'schema'"
cksum < newer.db > sum.txt
for verb in "verify --claim baselines/gd.count*" "report --claim baselines/gd.count*" export; do
    "$assay" $verb --store newer.db > out.txt 2> err.txt
    [ $? -eq 2 ] || fail "newer store, $verb: exit"
    one_line "newer store, $verb"
    grep -q 'newer version' err.txt || fail "newer store, $verb: not named"
done
cksum < newer.db | cmp - sum.txt || fail "newer store: changed"
say 'newer version' 'refused, untouched'

# --- damage: a page, or a few bytes, are changed at random places
told=0
size=$(stat -c %s truth.db)
for k in $(seq 1 20); do
    cp truth.db bad.db
    [ $((k % 2)) -eq 0 ] && bytes=4096 || bytes=3
    at=$((100 + $(draw_below $((size - bytes - 100)))))
    head -c $bytes /dev/urandom | dd of=bad.db bs=1 seek=$at conv=notrunc 2> /dev/null
    run --store bad.db --output whole --canonical > out.txt 2> err.txt
    code=$?
    if [ $code -eq 5 ]; then
        told=$((told + 1))
        one_line "damage at $at"
        grep -q 'damaged store: bad.db: .*move it away' err.txt || fail "damage at $at: not named"
        mv bad.db away.db
        [ $((k % 10)) -eq 0 ] && check_whole bad.db 'a new store after damage'
    else                             # it hit nothing that is read
        [ $code -eq "$wanted" ] || fail "damage at $at: exit $code"
        cmp -s out.txt truth.txt || fail "damage at $at: other verdicts"
        diff -r truth whole > out.txt || fail "damage at $at: another report"
    fi
    rm -rf bad.db* whole
done
[ $told -ge 10 ] || fail "damage: told of $told times only"
say damage "20 places, $told told of, no wrong number"
echo "long_kill: all is as it was${skipped:+; not tried: $skipped}"
