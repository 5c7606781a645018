#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_random.sh ASSAY - tests 400 million normals against their law, and runs dieharder on uniforms and normals.
# The seed is fixed. A p-value below 1e-7 or above 1 - 1e-7 fails: a sound generator fails with probability 2e-5, as
# there are 102 p-values in two streams. Left out are the tests that dieharder itself calls suspect (5, 6, 7, 14)
# and those that repeat others for many sizes.
set -u
build=$(dirname "$1")
command -v dieharder > /dev/null || sh "$(dirname "$0")/../../harness/make/install.sh" dieharder || exit 1
ASSAY_LONG=1 "$build/assay-tests" test_rng_tails || exit 1
make -s "$build/stream_random" || exit 1

# Runs the tests of one law, one after the other; status 1 if one of them fails.
of_law() {
    failed=0
    for test in ${DIEHARDER:-0 1 2 3 4 8 9 10 11 12 13 15 16 17 100 101 102 204 206}; do
        "$build/stream_random" "$1" | dieharder -g 200 -d "$test" | awk -F'|' -v law="$1" '
            $5 ~ /^ *[01]\.[0-9]+ *$/ {
                p = $5 + 0; n++
                if (p < 1e-7 || p > 1 - 1e-7) bad = 1
                printf "%s %s p = %s\n", law, $1, $5 }
            END { exit !n || bad }' || { echo "dieharder -d $test: FAILED for $1"; failed=1; }
    done
    return $failed
}

of_law uniforms &
other=$!
of_law normals
status=$?
wait $other && exit $status
exit 1
