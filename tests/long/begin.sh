# SPDX-License-Identifier: GPL-3.0-or-later
# begin.sh - the beginning of the long tests that run the program in a folder of their own: source it with the
# program as $1. assay <- the program; source <- the tree; work <- a new folder, the current one, removed at the
# end. Variables of the program are unset. fail WORDS... ends the test, with what the last command said.
# shellcheck shell=sh disable=SC2034
set -u
assay=$(realpath "$1")
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
for name in $(env | sed -n 's/^\(ASSAY_[A-Za-z_]*\)=.*/\1/p'); do unset "$name"; done
fail() { echo "FAILED: $*"; for f in err.txt out.txt; do [ -s $f ] && tail -n 15 $f; done; exit 1; }
