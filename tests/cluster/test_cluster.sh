#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# test_cluster.sh ASSAY [smoke|quick] - verify on a Slurm of three nodes that runs here, with what can go wrong:
# after each scenario the canonical export and report equal those of one machine, byte for byte. What needs no Slurm
# runs beside the scenarios that wait for it. smoke: two nodes, one kill, under a minute. quick: the whole quick
# profile by Slurm, and by 1, 3 and 17 shards without it, ten minutes. Needs root, since Slurm's daemons do, and
# installs Slurm where it is missing.
set -u
assay=$(realpath "$1")
mode=${2:-all}
here=$(dirname "$(realpath "$0")")
. "$here/slurm.sh"
for name in $(env | sed -n 's/^\(ASSAY_[A-Za-z_]*\)=.*/\1/p'); do unset "$name"; done
slurm_install || { echo "FAILED: Slurm cannot be installed"; exit 1; }
work=$(mktemp -d /tmp/assay-cluster-XXXXXX)
chmod 755 "$work"                   # munged runs as another user
cd "$work" || exit 1
beside= verifying= frozen=

finish() {
    [ -z "$beside" ] || kill "$beside" 2> /dev/null
    [ -z "$frozen" ] || kill -KILL $frozen
    [ -z "$verifying" ] || pkill -KILL -P "$verifying"
    slurm_down
    cd /
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM

fail() {
    echo "FAILED: $*"
    squeue
    sinfo
    for f in out.txt pages.txt log[0-9]* cut.*.txt "$slurm_dir"/*.log; do
        echo "--- $f"
        tail -n 15 "$f" 2> /dev/null
    done
    exit 1
}
pass() { echo "ok      $1 ($(($(date +%s) - began)) s)" | tee -a "$work/passed.txt"; }
all_passed() { echo "$(wc -l < "$work/passed.txt") passed, 0 failed"; }

# What is run everywhere: claims, some of which search for the hardest instance first.
plan="--paper baselines --profile quick"
[ "$mode" = quick ] && plan="--profile quick"
[ "$mode" = smoke ] && plan="--claim baselines/gd.*,baselines/sgd.* --profile quick"
canonical() { "$assay" export --canonical --store "$1" > "$1.csv" || fail "export of $1"; }
# pages STORE: its canonical report, into STORE.pages
pages() {
    "$assay" report --canonical $plan --store "$1" --output "$1.pages" > pages.txt 2>&1
    decided $?
}
# same STORE WHAT: are its records and its report those of one machine?
same() {
    canonical "$1"
    cmp "$1.csv" "$work/one.db.csv" || fail "$2: the records are not those of one machine"
    pages "$1"
    diff -r "$1.pages" "$work/one.db.pages" || fail "$2: the report is not that of one machine"
}
# verify NAME OPTIONS...: on the cluster, into NAME.db
verify() {
    store=$1.db
    shift
    "$assay" verify $plan --store "$store" --output report --engine slurm --seconds 2 "$@" > out.txt 2>&1
}
decided() { [ "$1" -eq 0 ] || [ "$1" -eq 3 ] || fail "exit code $1"; }
running() { squeue --noheader --states=running --array --format=%i; }
# What an administrator does after an accident: a job that lost its node waits two minutes unless it is told not to;
# a controller that died before it wrote down which jobs had started holds these jobs, and drains their nodes.
start_waiting() {
    for id in $(squeue --noheader --states=pending --array --format=%i); do
        scontrol release "$id" 2> /dev/null
        scontrol update jobid="$id" starttime=now 2> /dev/null
    done
    for node in $(sinfo --noheader --states=drain --Node --format=%N); do
        scontrol update nodename="$node" state=resume 2> /dev/null
    done
}
# Waits for a verify in the background: ended SECONDS WHAT
ended() {
    limit=$(($(date +%s) + $1))
    while kill -0 $verifying 2> /dev/null; do
        [ "$(date +%s)" -lt $limit ] || fail "$2: the run did not end"
        start_waiting
        sleep 1
    done
    wait $verifying
    code=$? verifying=
    decided $code
}

# --- any scheduler: shards in any order, merged twice
# cut FOLDER SECONDS: writes shards of so many seconds, and sets `count`
cut() {
    rm -rf "$1"
    "$assay" shards $plan --output "$1" --seconds "$2" > out.txt 2>&1 || fail "shards"
    count=$(ls "$1"/*.shard | wc -l)
}
# shards NUMBER: with exactly so many shards
shards() {
    began=$(date +%s)
    cut "cut$1" 1e6
    total=$(sed -n 's/.*about \(.*\) s on one core.*/\1/p' out.txt)
    for percent in 100 102 105 110 120 135 150; do
        [ "$count" -eq "$1" ] && break
        cut "cut$1" "$(awk -v t="$total" -v n="$1" -v p="$percent" 'BEGIN { print t / n * p / 100 }')"
    done
    [ "$count" -eq "$1" ] || fail "the cells cannot be packed into $1 shards"
    ls "cut$1"/*.shard | shuf | parallel -j2 --joblog "log$1" "$assay" work {} > out.txt 2>&1 ||
        fail "a shard of $1"
    for merged in "cut$1.db" "again$1.db"; do
        "$assay" merge "$merged" $(ls "cut$1"/*.db | shuf) > out.txt 2>&1 || fail "merge of $1 shards"
        "$assay" merge "$merged" "cut$1" >> out.txt 2>&1 || fail "merge of $1 shards, a second time"
        "$assay" verify $plan --store "$merged" --output report > out.txt 2>&1       # the stages that follow
        decided $?
        same "$merged" "$1 shards"
    done
    pass "$1 shards give the records of one machine, in any order and twice"
}

# --- a job that was taken for dead ends after all: the merge compares what it brings
duplicates() {
    began=$(date +%s)
    "$assay" shards $plan --output zombie --seconds 2 > out.txt 2>&1 || fail "shards"
    for restart in 0 1; do
        mkdir -p kept
        mv zombie/*.db kept 2> /dev/null
        ls zombie/*.shard |
            SLURM_JOB_ID=900 SLURM_RESTART_COUNT=$restart parallel -j2 "$assay" work {} > out.txt 2>&1 ||
            fail "work"
    done
    mv kept/*.db zombie
    [ "$(ls zombie/*.db | wc -l)" -eq $((2 * $(ls zombie/*.shard | wc -l))) ] || fail "no duplicate happened"
    "$assay" merge zombie.db zombie > out.txt 2>&1 || fail "merge of duplicates"
    same zombie.db "a zombie"
    pass "a zombie's records are duplicates, bit by bit"
}

# --- what must be refused
refused() {
    words=$1
    shift
    "$@" > out.txt 2>&1
    [ $? -eq 2 ] || fail "$words: exit code $?, expected 2"
    grep -q "$words" out.txt || fail "expected '$words'"
    [ "$(wc -l < out.txt)" -eq 1 ] || fail "$words: more than one line"
}
refusals() {
    began=$(date +%s)
    first=$(ls zombie/*.shard | head -n 1)
    rm zombie/*.db
    refused "of another kind" env ASSAY_SIMD=portable "$assay" work "$first"
    refused "of another kind" env OPENBLAS_CORETYPE=Nehalem "$assay" work "$first"
    sed 's/^core ...../core 00000/' "$first" > zombie/other.shard
    refused "checksum is wrong" "$assay" work zombie/other.shard
    rm zombie/other.shard
    refused "Slurm" env PATH=/nonexistent "$assay" verify $plan --store nowhere.db --engine slurm --seconds 0.5
    [ -z "$(ls nowhere.db.shards 2> /dev/null | grep stage)" ] || fail "shards are left without Slurm"
    pass "another kind, a changed manifest, no Slurm: refused in one line"
}

# --- a flipped bit in what a job left
flipped_bit() {
    began=$(date +%s)
    "$assay" work "$first" > out.txt 2>&1 || fail "work"
    attempt=$(ls zombie/*.db)
    size=$(stat -c %s "$attempt")
    printf '\377\000\377' | dd of="$attempt" bs=1 seek=$((size / 2)) conv=notrunc 2> /dev/null
    "$assay" merge flipped.db zombie > out.txt 2>&1
    code=$?
    [ $code -eq 5 ] || [ $code -eq 2 ] || fail "a flipped bit: exit code $code"
    [ ! -e flipped.db ] || fail "a flipped bit: something was merged"
    pass "a flipped bit is found before anything is merged"
}

# All of these, in a folder of their own.
without_slurm() {
    mkdir plain && cd plain || exit 1
    for number in 1 3 17; do shards $number; done
    duplicates
    refusals
    flipped_bit
}

began=$(date +%s)
"$assay" verify $plan --store one.db --output report -j2 > out.txt 2>&1
decided $?
canonical one.db
pages one.db
mkdir slurm
[ "$mode" = smoke ] && nodes=2 || nodes=3
slurm_up slurm $nodes || exit 1
pass "Slurm is up, one machine has run"

began=$(date +%s)
if [ "$mode" = quick ]; then
    "$assay" verify $plan --store plain.db --output report --engine slurm > out.txt 2>&1
else
    verify plain
fi
decided $?
same plain.db "an array"
grep -q "in [0-9]* shards" out.txt || fail "nothing was submitted"
[ -z "$(ls plain.db.shards 2> /dev/null | grep stage)" ] || fail "shards are left"
pass "an array gives the records of one machine"

if [ "$mode" = quick ]; then
    slurm_down
    for number in 1 3 17; do shards $number; done
    all_passed
    exit 0
fi
if [ "$mode" = all ]; then
    without_slurm > beside.txt 2>&1 &
    beside=$!
fi

# --- a node's daemon and its job are killed
began=$(date +%s)
verify killed & verifying=$!
slurm_until 20 . running || fail "no job started"
sleep 1
eval "kill -9 \$pid_n1"
kill -9 $(pgrep -f "assay work $work/killed.db.shards") || fail "no job to kill"
slurm_until 60 . sinfo --noheader --nodes=n1 --states=down --format=%D || fail "n1 is not taken for dead"
slurm_node n1
ended 240 "a node was killed"
same killed.db "a node was killed"
slurm_until 30 "^$nodes\$" sinfo --noheader --states=idle --format=%D || fail "the node did not come back"
pass "a node and its job were killed"

if [ "$mode" = smoke ]; then
    all_passed
    exit 0
fi

# --- three adaptive stages: the claim is open after each round, and asks for as many replicates again
began=$(date +%s)
stages="--planted --claim planted/rate.open,baselines/gd.rate* --reps 8 --T 256..4096"
"$assay" run $stages --store here.db > out.txt 2>&1 || fail "three stages on one machine"
"$assay" run $stages --store stages.db --engine slurm --seconds 0.002 > out.txt 2>&1 || fail "three stages"
[ "$(grep -c ' shards: ' out.txt)" -eq 3 ] || fail "not three arrays"
canonical here.db
canonical stages.db
cmp here.db.csv stages.db.csv || fail "three stages: the records are not those of one machine"
pass "three adaptive stages are three arrays"

# --- a cell that runs out of time is tried again on another node
began=$(date +%s)
hang="--planted --claim planted/hang,baselines/gd.rate* --T 256..4096 --timeout 1"
mkdir spy
printf '#!/bin/sh\necho "$@" >> "%s/sbatch.log"\nexec %s "$@"\n' "$work" "$(command -v sbatch)" > spy/sbatch
chmod +x spy/sbatch
"$assay" run $hang --store hang.db -j2 > out.txt 2>&1
[ $? -eq 4 ] || fail "a cell that runs out of time: exit code"
PATH=$work/spy:$PATH "$assay" run $hang --store again.db --engine slurm --seconds 0.01 > out.txt 2>&1
[ $? -eq 4 ] || fail "a cell that runs out of time, on Slurm: exit code"
tail -n 1 sbatch.log | grep -q -e '--exclude=n[1-3]' || fail "the second try was not sent to another node"
canonical hang.db
canonical again.db
cmp hang.db.csv again.db.csv || fail "a cell that runs out of time: the records are not those of one machine"
pass "a failure is tried again on another node"

# --- Ctrl-C, and the same command again
began=$(date +%s)
verify stopped & verifying=$!
slurm_until 20 . running || fail "no job started"
sleep 1
pkill -INT -P $verifying || fail "nothing to interrupt"
wait $verifying
code=$? verifying=
[ $code -eq 130 ] || fail "exit code $code after Ctrl-C, expected 130"
slurm_until 20 '^0$' sh -c 'squeue --noheader | wc -l' || fail "the array was not cancelled"
verify stopped
decided $?
same stopped.db "Ctrl-C and the same command"
pass "Ctrl-C cancels the array, the same command goes on"

# --- the controller dies and comes back
began=$(date +%s)
verify controller & verifying=$!
slurm_until 20 . running || fail "no job started"
kill -9 "$pid_ctld"
sleep 3
slurm_controller
ended 240 "the controller was killed"
same controller.db "the controller was killed"
pass "the controller was killed and started again"

# --- nobody waits
began=$(date +%s)
verify detached --detach || fail "exit code $? of --detach"
grep -q submitted out.txt || fail "--detach did not say what it submitted"
limit=$(($(date +%s) + 240))
until [ -s detached.db.shards/rest.txt ] && [ -z "$(squeue --noheader)" ]; do
    [ "$(date +%s)" -lt $limit ] || fail "the detached run did not end"
    start_waiting
    sleep 1
done
same detached.db "detached"
pass "a detached run goes on by itself"

wait $beside || { beside=; cat beside.txt; exit 1; }
beside=
cat beside.txt

# --- two networks: a node is cut off while its job goes on; the job runs again elsewhere, and both end
began=$(date +%s)
slurm_down
mkdir apart
slurm_up apart 2 apart || exit 1
"$assay" shards $plan --output cut --seconds 3 > out.txt 2>&1 || fail "shards"
shards=$(ls cut/*.shard | wc -l)
sbatch --quiet --requeue --array="1-$shards" --open-mode=append \
    --output="$work/cut.%a.txt" --wrap "'$assay' work cut" || fail "sbatch"
slurm_until 30 n2 squeue --noheader --states=running --format=%N || fail "no job started on n2"
# The command and its worker: cells run, so that the command has looked already at what is there.
on_n2() {
    slurm_processes n2 | xargs ps -o pid=,args= -p |
        awk '/[a]ssay work cut/ { n++; p = p " " $1 } n > 1 { print p }'
}
slurm_until 20 . on_n2 || fail "no shard runs on n2"
frozen=$(on_n2)
kill -STOP $frozen || fail "the job on n2 cannot be stopped"
slurm_cut n2
limit=$(($(date +%s) + 240))
until [ -z "$(squeue --noheader)" ]; do
    [ "$(date +%s)" -lt $limit ] || fail "the array did not end without n2"
    start_waiting
    sleep 1
done
before=$(ls cut/*.db | wc -l)
[ "$before" -eq "$shards" ] || fail "$before shards of $shards came back without n2"
kill -CONT $frozen
frozen=
slurm_until 240 "^$((shards + 1))\$" sh -c 'ls cut/*.db | wc -l' || fail "the job that was cut off did not end"
[ "$(ls cut/*.db | sed 's|\(cut/[^.]*\).*|\1|' | sort | uniq -d | wc -l)" -eq 1 ] || fail "no duplicate happened"
"$assay" merge cut.db cut > out.txt 2>&1 || fail "merge after a partition"
same cut.db "a partition"
slurm_join n2
slurm_until 60 '^2$' sinfo --noheader --states=idle --format=%D || fail "n2 did not come back"
pass "a node is cut off, its job runs twice, both results are equal"

all_passed
