#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_optima.sh ASSAY - checks published optima that take seconds each; the program that does it is in the tests'
# folder.
ASSAY_LONG=1 "$(dirname "$1")/assay-tests" test_erm_known
