#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_store.sh ASSAY - makes a store of 1e7 records. A run that continues must look up all of them, at a million a
# second of processor time or more; a report's 50,000 must be read within seconds. Then a paper's quick profile runs
# into that store. Its report must be made within seconds, and be word for word that of a store with this paper
# alone. RECORDS=n sets another number of records. The test takes four gigabytes of the folder for temporary files, three of
# memory, and three minutes of the processor.
set -u
assay=$(realpath "$1") paper=baselines
bench=$(dirname "$1")/bench records=${RECORDS:-10000000}
[ -x "$bench" ] || { echo "FAILED: no $bench: make bench builds it"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
mib=$((records / 2000)) free=$(df -Pm "$work" | awk 'NR == 2 { print $4 }')
memory=$(awk '/^MemAvailable/ { printf "%d", $2 / 1024 }' /proc/meminfo)
if [ "$free" -lt "$mib" ] || [ "$memory" -lt "$mib" ]; then
    echo "long_store: NOT RUN, it takes $mib MiB of ${work%/*}, which has $free, and of memory, which has $memory"
    exit 77
fi
for name in $(env | sed -n 's/^\(ASSAY_[A-Za-z_]*\)=.*/\1/p'); do unset "$name"; done
full=$work/full.db own=$work/own.db
ASSAY_BENCH_RECORDS=$records ASSAY_BENCH_STORE=$full "$bench" --benchmark_filter='^full/' --benchmark_repetitions=3 \
    --csv="$work/full.csv" > "$work/full.txt" 2>&1 ||
    { echo "FAILED: the benchmark"; tail -n 5 "$work/full.txt"; exit 1; }

# Prints the median of a case, in milliseconds of processor time.
median() {
    awk -F, -v name="full/$1" '$1 == name && $2 == "cpu_time" { print 1000 * $3 }' "$work/full.csv" | sort -g |
        awk '{ v[NR] = $1 } END { if (NR) printf "%.0f", v[int((NR + 1) / 2)] }'
}
scan=$(median 'scan/all') read=$(median 'read/5e4 of them')
[ -n "$scan" ] && [ -n "$read" ] || { echo "FAILED: no times"; cat "$work/full.txt"; exit 1; }
# The limits are 1e6 rows a second, and seconds for a report. Medians of three runs were within 10% of each other on
# a busy machine.
awk -v n="$records" -v scan="$scan" -v read="$read" 'BEGIN {
    rate = n / scan * 1000
    printf "long_store: %d records, %.3g looked up a second; 50000 of them read in %.2g s\n", n, rate, read / 1000
    if (rate < 0.8e6) { print "FAILED: expected 1e6 a second, 0.8e6 at the least"; bad = 1 }
    if (read > 5000) { print "FAILED: expected them within 5 s"; bad = 1 }
    exit bad }'

# Makes the report of a paper; took=its seconds.
report() {
    from=$(date +%s%N)
    "$assay" report --paper $paper --profile quick --canonical --store "$1" --output "$2" > "$2.txt" 2> "$work/err.txt"
    code=$?
    took=$(awk -v from="$from" -v to="$(date +%s%N)" 'BEGIN { printf "%.2f", (to - from) / 1e9 }')
    case $code in 0 | 1 | 3) ;; *) echo "FAILED: report, exit $code"; cat "$work/err.txt"; exit 1 ;; esac
}
for store in "$own" "$full"; do
    "$assay" run --paper $paper --profile quick -j2 --store "$store" > "$work/out.txt" 2> "$work/err.txt"
    code=$?
    [ $code -eq 0 ] || [ $code -eq 3 ] || { echo "FAILED: run, exit $code"; cat "$work/err.txt"; exit 1; }
done
report "$own" "$work/alone"
alone=$took
report "$full" "$work/among"
sed "s|$work/alone||g; s|$own||g" "$work/alone.txt" > "$work/alone.said"
sed "s|$work/among||g; s|$full||g" "$work/among.txt" > "$work/among.said"
grep -q SUPPORTED "$work/alone.said" || { echo "FAILED: nothing was judged"; cat "$work/alone.said"; exit 1; }
cmp -s "$work/alone.said" "$work/among.said" ||
    { echo "FAILED: another report"; diff "$work/alone.said" "$work/among.said"; exit 1; }
echo "long_store: the report of $paper in $took s among them, in $alone s from a store of its own"
awk -v took="$took" 'BEGIN { exit !(took < 10) }' || { echo "FAILED: expected it within 10 s"; exit 1; }
