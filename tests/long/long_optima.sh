#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_optima.sh ASSAY - checks published optima that take seconds each; the program that does it is in the tests'
# folder. Where the published optima are not on this machine, the exit code is 77.
set -u
said=$(ASSAY_LONG=1 "$(dirname "$1")/assay-tests" test_erm_known 2>&1)
code=$?
echo "$said"
[ $code -eq 0 ] || exit $code
case $said in *'[  SKIPPED ]'*) echo "long_optima: NOT RUN, the published optima are not here"; exit 77 ;; esac
