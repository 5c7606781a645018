#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_optima.sh ASSAY - published optima that take seconds each; the program is in the tests' folder.
ASSAY_LONG=1 "$(dirname "$1")/assay-tests" test_erm_known
