#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_browser.sh ASSAY - the report's pages in a browser: sizes and times, errors on the console, filters, links,
# sorting, every figure, words, rules of accessibility (axe-core), narrow screens, dark mode, no script, paper; and a
# night with a planted regression, which the first screen must name. Screenshots stay in build/browser/ to be looked at.
# With REPORT=DIR it looks at the report in that folder too, as at one of a night.
set -u
assay=$(realpath "$1")
tests=$(realpath "$(dirname "$0")")
source=$(realpath "$tests/../..")
shots=$source/build/browser
report=${REPORT:+$(realpath "$REPORT")}
command -v chromium > /dev/null || sh "$source/harness/make/install.sh" chromium || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$shots"
cd "$work" || exit 1

"$assay" verify --paper baselines,dp-gcd --profile quick --store r.db --output report > table.txt 2> said.txt ||
    [ $? -eq 3 ] || {
    cat said.txt; exit 1; }

# A night after a night, with a fault in the method.
cp -r "$source/tests/plugin" plug && chmod -R u+w plug
build() { cc -std=c17 -O2 -fPIC -shared -I"$source/harness/api" plug/plugin.c plug/algos/heavy_ball.c \
              plug/claims/heavy_ball.c -o "$1"; }
night() { "$assay" nightly --paper heavy-ball --plugin "$1" --store night.db --output night --baseline verdicts.csv \
              > table.txt 2> said.txt; }
build good.so && night good.so
"$assay" accept '*' --paper heavy-ball --plugin good.so --profile nightly --store night.db --baseline verdicts.csv \
    --reason first > table.txt 2> said.txt
sed -i 's/-p->step, g/-p->step \/ 2, g/' plug/algos/heavy_ball.c
build bad.so && night bad.so

axe=$shots/axe.min.js
[ -s "$axe" ] || { sh "$source/harness/make/install.sh" python3-pip > axe.txt 2>&1 &&
                   /usr/bin/python3 -m pip download -q --no-deps -d axe axe-core-python==0.1.0 >> axe.txt 2>&1 &&
                   python3 -m zipfile -e axe/*.whl axe && cp axe/axe_core_python/axe.min.js "$axe"; }
[ -s "$axe" ] || { axe=; tail -n 3 axe.txt; }
python3 "$tests/long_browser.py" "$shots" "$axe" night report ${report:+"$report"} || exit
[ -n "$axe" ] || skipped="; not looked at: accessibility, as axe-core cannot be fetched"
echo "long_browser: the pages are as they should be${skipped:-}"
