#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_workers.sh ASSAY - measures how much sooner two workers end than one. The quick profile of a paper whose
# cells take a millisecond each runs with either number in turn, on empty stores; the records must be the same
# bytes. The time is judged only on a machine that has nothing else to do; on others the exit code is 77. There two
# workers must be at least 1.6 times as fast, since what writes the records has no processor of its own. On
# PROFILE=nightly, whose cells take ten milliseconds in the mean, they must be at least 1.9 times as fast. PAPER=key
# sets the paper, ROUNDS=n the number of rounds. NTH=n runs every n-th claim of all papers instead of one paper:
# with PROFILE=nightly that is an n-th of a night.
set -u
assay=$(realpath "$1")
paper=${PAPER:-dp-gcd} profile=${PROFILE:-quick} rounds=${ROUNDS:-2} nth=${NTH:-}
case $profile in quick) least=1.6 ;; *) least=1.9 ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
for name in $(env | sed -n 's/^\(ASSAY_[A-Za-z_]*\)=.*/\1/p'); do unset "$name"; done
hertz=$(getconf CLK_TCK)
selected="--paper $paper"
if [ "$nth" ]; then
    paper="each ${nth}th claim"
    selected="--claim $("$assay" list claims --format csv | awk -F, -v profile="$profile" -v n="$nth" '
        $7 ~ profile && ++claims % n == 0 { printf "%s%s", comma, $1; comma = "," }')"
fi

# Prints the ticks in which a processor did something, or in which another guest of its machine did.
busy() { awk '$1 == "cpu" { printf "%d", $2 + $3 + $4 + $7 + $8 + $9 }' /proc/stat; }

# Runs with so many workers, on an empty store without certified optima. Prints the seconds, those of its processor
# time, and those that others took of the machine.
timed() {
    rm -rf run
    mkdir run
    before=$(busy) from=$(date +%s%N)
    ( "$assay" run $selected --profile "$profile" "-j$1" --store run/run.db > out.txt 2> err.txt
      echo $? > code.txt; times > times.txt )
    to=$(date +%s%N) after=$(busy)
    [ "$(cat code.txt)" -eq 0 ] || [ "$(cat code.txt)" -eq 3 ] ||
        { echo "FAILED: -j$1"; tail -n 5 err.txt; exit 1; }
    "$assay" export --store run/run.db --canonical --format csv > "$1.csv" || exit 1
    awk -v from="$from" -v to="$to" -v ticks=$((after - before)) -v hertz="$hertz" 'NR == 2 {
        for (k = 1; k <= 2; k++) { split($k, t, "[ms]"); own += 60 * t[1] + t[2] }
        printf "%.3f %.3f %.3f\n", (to - from) / 1e9, own, ticks / hertz - own }' times.txt >> "times.$1"
}

for round in $(seq "$rounds"); do
    timed 1
    timed 2
    cmp -s 1.csv 2.csv || { echo "FAILED: -j1 and -j2 have other records"; exit 1; }
done
cells=$(sed -n 's/^\([0-9]*\) cells: .*/\1/p' err.txt)
paste -d ' ' times.1 times.2 |
    awk -v cells="$cells" -v paper="$paper, $profile" -v least="$least" -v processors="$(nproc)" '
    { one += $1; two += $4; own1 += $2; own2 += $5; others += $3 + $6 }
    END {
        ratio = one / two; taken = others > 0 ? others / (one + two) : 0
        printf "long_workers: %s, %d cells, %.3g ms each: 2 workers are %.2f times as fast as 1", paper, cells,
               1000 * own1 / NR / cells, ratio
        printf "; they take %.3f times its processor time; others took %.2f of a processor\n", own2 / own1, taken
        if (processors < 2 || taken > 0.05) {
            print "long_workers: not judged, the machine has " (processors < 2 ? "one processor" : "other work")
            exit 77
        }
        if (ratio < least) { print "FAILED: expected " least " times at the least"; exit 1 } }'
