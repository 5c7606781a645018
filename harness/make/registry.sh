#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# registry.sh OBJECTS FLAGS CORE UNIT... - writes registry.c: every file of the folders is a symbol.
objects=$1 flags=$2 core=$3
shift 3

kind_of() {
    case $1 in
    algos/estimators/* | tests/planted/estimators/*) echo estimator ;;
    algos/* | tests/planted/algos/*) echo algo ;;
    problems/* | tests/planted/problems/*) echo problem ;;
    claims/* | tests/planted/claims/*) echo paper ;;
    esac
}
symbol_of() { echo "$(kind_of "$1")_$(basename "$1" .c)"; }
# A paper's is made from all of its files, be it a folder or one file.
hash_of() {
    case $1 in
    claims/*.c) sha256sum < "$objects/${1%.c}.hash" | cut -c1-32 ;;
    claims/*) for f in "$1"/*.c; do cat "$objects/${f%.c}.hash"; done | sort | sha256sum | cut -c1-32 ;;
    *) cat "$objects/${1%.c}.hash" ;;
    esac
}

echo '#include "cell/registry.h"'
for unit in "$@"; do
    echo "extern const struct $(kind_of "$unit") $(symbol_of "$unit");"
done
for kind in algo estimator problem paper; do
    for planted in '' planted_; do
        echo "const struct $kind *const registry_${planted}${kind}s_[] = {"
        for unit in "$@"; do
            case $unit in tests/planted/*) is=planted_ ;; *) is= ;; esac
            [ "$(kind_of "$unit")" = "$kind" ] && [ "$is" = "$planted" ] && echo "    &$(symbol_of "$unit"),"
        done
        echo '    0 };'
    done
done
echo 'const struct registry_hash registry_hashes_[] = {'
for unit in "$@"; do
    echo "    { &$(symbol_of "$unit"), \"$(hash_of "$unit")\" },"
done
echo '    { 0, 0 } };'
echo "const char registry_core_hash_[] = \"$({ cat "$flags"; for c in $core; do hash_of "$c"; done | sort; } | sha256sum | cut -c1-32)\";"
