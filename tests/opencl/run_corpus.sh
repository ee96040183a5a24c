#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles the sources of tests/data/corpus for one device with Intel's compiler and compares what
# visage makes of them with a CPU OpenCL.
#
# usage: run_corpus.sh COMPARE SOURCES DEVICE
# Exit status 77, with the reason: the compiler or the CPU OpenCL is missing.
set -u
compare=$1
sources=$2
device=$3
. "$(dirname "$0")/compile.sh"

for source in arith atomics calls cf priv slm vec f16 at20 sg8; do
    [ $source.$device = sg8.pvc ] && continue # pvc has no SIMD8
    compile $source $source "" || exit 1
done
compare_all "$folder" || exit $?

# The same functions as subroutines, as stack calls, as indirect calls.
for control in 2 3 4; do
    compile calls control$control/calls "-igc_opts 'FunctionControl=$control'" || exit 1
    compare_all "$folder/control$control" || exit $?
done
