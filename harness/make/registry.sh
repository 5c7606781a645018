#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# registry.sh OBJECTS FLAGS CORE UNIT... - writes registry.c: every file of the folders is a symbol. Its functions
# set variables, since a program or a subshell for each of hundreds of units takes seconds.
objects=$1 flags=$2 core=$3
shift 3

# look_at UNIT: sets kind, symbol and planted.
look_at() {
    case $1 in
    algos/estimators/* | tests/planted/estimators/*) kind=estimator ;;
    algos/* | tests/planted/algos/*) kind=algo ;;
    problems/* | tests/planted/problems/*) kind=problem ;;
    claims/* | tests/planted/claims/*) kind=paper ;;
    esac
    case $1 in tests/planted/*) planted=planted_ ;; *) planted= ;; esac
    symbol=${1##*/}
    symbol=${kind}_${symbol%.c}
}
# names_of SOURCE...: sets hashes, the files with the hashes of sources.
names_of() {
    hashes=
    for file; do
        [ -s "$objects/${file%.c}.hash" ] || { echo "$0: $file has no hash in $objects" >&2; exit 1; }
        hashes="$hashes $objects/${file%.c}.hash"
    done
}
# hash_of UNIT: sets hash. A paper's is made from all of its files, be it a folder or one file.
# shellcheck disable=SC2086
hash_of() {
    case $1 in *.c) names_of "$1" ;; *) names_of "$1"/*.c ;; esac
    case $1 in
    claims/*) hash=$(sort $hashes | sha256sum | cut -c1-32) ;;
    *) read -r hash < "${hashes# }" ;;
    esac
}

echo '#include "cell/registry.h"'
for unit in "$@"; do
    look_at "$unit"
    echo "extern const struct $kind $symbol;"
done
for wanted in algo estimator problem paper; do
    for is in '' planted_; do
        echo "const struct $wanted *const registry_${is}${wanted}s_[] = {"
        for unit in "$@"; do
            look_at "$unit"
            [ "$kind" = "$wanted" ] && [ "$planted" = "$is" ] && echo "    &$symbol,"
        done
        echo '    0 };'
    done
done
echo 'const struct registry_hash registry_hashes_[] = {'
for unit in "$@"; do
    look_at "$unit"
    hash_of "$unit"
    echo "    { &$symbol, \"$hash\" },"
done
echo '    { 0, 0 } };'
# shellcheck disable=SC2086
names_of $core
# shellcheck disable=SC2086
echo "const char registry_core_hash_[] = \"$({ cat "$flags"; sort $hashes; } | sha256sum | cut -c1-32)\";"
