#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_planted.sh ASSAY - runs nights of a copy of this tree. Unchanged nights must pass. A step twice as long, one
# gradient more in each step, and noise 1.1 times too large must fail the night, by the claims that see them. A
# kernel that takes 30% longer must be reported without failing the night. Each fault must be named on the report's
# first screen, and the history must name the commit that brought it. The program is built from the copy: ASSAY is
# not used. On a machine whose unchanged nights differ in their times by a quarter or more, a slow kernel that is not
# found says nothing about the program: the exit code is 77.
set -u
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
for name in $(env | sed -n 's/^\(ASSAY_[A-Za-z_]*\)=.*/\1/p'); do unset "$name"; done
fail() { echo "FAILED: $*"; for f in "$work"/err "$work"/out; do [ -s "$f" ] && tail -n 15 "$f"; done; exit 1; }
from=$(date +%s)
say() { printf '%4d s  %s\n' $(($(date +%s) - from)) "$1"; }

# --- the copy, which is a separate repository
mkdir "$work/tree"
(cd "$source" && git ls-files -z | tar --null -T - -cf - 2> /dev/null) | tar xf - -C "$work/tree" || fail "no copy"
[ -d "$source/build" ] && cp -a "$source/build" "$work/tree/build"
cd "$work/tree" || exit 1
touch Makefile
git init -q . && git config user.name test && git config user.email test@example.org || fail "no repository"
commit() { git add -A && git commit -q --allow-empty -m "$1" || fail "commit"; }
build() { make -s -j2 build/assay > "$work/out" 2> "$work/err" || fail "build: $1"; }

gated='baselines/gd.*,baselines/sgd.rate.excess.n,baselines/mushroom.private.excess.T'
timed='resque/parallel.thm2.near.kappa,resque/parallel.pooled.excess.kappa,baselines/mushroom.order.excess.*'
night() {   # CODE WHAT
    build/assay nightly --profile quick --claim "$gated,$timed" -j1 > "$work/out" 2> "$work/err"
    code=$?
    [ "$code" -eq "$1" ] || fail "$2: exit $code, expected $1"
}
# Prints the index of the report up to the list of theorems: what was verified, what is contradicted, what changed.
first_screen() { sed '/id="theorems"/q' results/report/index.html; }
history() { build/assay report --history --profile quick --store results/store/nightly.db; }

rm -f results/baseline/verdicts.csv
echo results/ >> .gitignore
commit first
build first
build/assay nightly --profile quick --claim "$gated,$timed" -j1 > "$work/out" 2> "$work/err"
build/assay accept "$gated,$timed" --profile quick --store results/store/nightly.db \
    --reason first > "$work/out" 2> "$work/err" || fail "no baseline"
for k in 2 3 4 5 6; do
    night 0 "unchanged night $k"
done
say "6 unchanged nights"

# --- WHAT CLAIM FILE SED: the fault must fail the night, be named, be found in the history, and be gone when mended
gate() {
    cp "$3" "$work/saved"
    sed -i "$4" "$3"
    cmp -s "$3" "$work/saved" && fail "$1: nothing was planted in $3"
    commit "$1"
    id=$(git rev-parse --short=12 HEAD)
    build "$1"
    night 1 "$1"
    first_screen > "$work/screen"
    grep -q "to be accepted or mended" "$work/screen" || fail "$1: not on the first screen"
    grep -q "<code>$2" "$work/screen" || fail "$1: $2 is not named on the first screen"
    grep -q "commit <code>$id" "$work/screen" || fail "$1: commit $id is not named on the first screen"
    history > "$work/night"
    cat "$work/night" >> "$work/out"
    grep -A 8 "commit $id " "$work/night" | grep -q " $2" || fail "$1: the history does not find it"
    say "$1: $(sed -n "/commit $id /{n;p}" "$work/night")"
    cp "$work/saved" "$3"
    commit "mended: $1"
    build "mended: $1"
    night 0 "mended: $1"
}

# The rate claims of SGD hardly see this fault: their step is the best one, where the excess is flat.
gate "a step twice as long" baselines/mushroom.order.excess.budget algos/sgd.c \
    's/walk_step(at, p->step)/walk_step(at, 2 * p->step)/'
gate "one gradient more in a step" baselines/gd.count.full_grads.T algos/gd.c \
    's/while (oracle_grad(o, x, g)) {/& if (!oracle_grad(o, x, g)) break;/'

# The noise is that of the tree, which is private to this method.
gate "noise 1.1 times too large" baselines/mushroom.private.excess.T harness/oracle/noise.c \
    's/draw_node(p, serial, sd, /draw_node(p, serial, 1.1 * sd, /'

# Both claims of resque draw normals. spread is the longest time of the nights so far in per cent of the shortest, in
# units of the yardstick, for the claim whose times vary most. Fields 1, 10 and 14 of a line are the claim,
# its seconds and those of the yardstick.
spread=$(sqlite3 results/store/nightly.db "SELECT line FROM standings WHERE claim LIKE 'resque/parallel.%'" |
    awk -F, '$14 > 0 { t = $10 / $14; if (t > high[$1]) high[$1] = t; if (!low[$1] || t < low[$1]) low[$1] = t }
        END { for (c in low) if (100 * high[c] / low[c] > most) most = 100 * high[c] / low[c]; printf "%d", most }')
[ "$spread" -ge 100 ] || fail "no times of the unchanged nights"

# --- normals that take 30% longer: the bits are the same, no night fails, and the history has a step in time
cat > "$work/slow.h" << 'END'
#include <time.h>
static double slow_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static void slow_wait(double begin)
{
    double end = slow_clock();
    while (slow_clock() < end + 0.3 * (end - begin))
        ;
}
END
cp "$work/slow.h" harness/numeric/slow.h
sed -i -e '/^#include "rng.h"/a #include "slow.h"' \
    -e 's/^    draw_rows(lanes_now()->normals, .*/    double begin = slow_clock();\n&\n    slow_wait(begin);/' \
    -e 's/^    draw(lanes_now()->normals, .*/    double begin = slow_clock();\n&\n    slow_wait(begin);/' harness/numeric/rng.c
[ "$(grep -c slow_wait harness/numeric/rng.c)" -eq 2 ] || fail "no slow kernel was planted"
commit "slow normals"
id=$(git rev-parse --short=12 HEAD)
build "slow normals"
for k in 1 2 3 4 5; do
    night 0 "slow night $k"
done
history > "$work/out"
if ! grep "step: time +.* commit $id " "$work/out" > "$work/steps"; then
    [ "$spread" -lt 125 ] || { echo "long_planted: three faults were found; NOT JUDGED is the slow kernel, since the \
longest time of the unchanged nights is $spread% of the shortest"; exit 77; }
    fail "the history does not find the slow kernel"
fi
first_screen | grep -q "step: time +.*commit $id" || fail "the slow kernel is not on the first screen"
grep -q "^resque/parallel" "$work/steps" || fail "not of the claims that draw normals"
say "normals 30% slower: $(head -n 1 "$work/steps")"
