#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles the sources of tests/data/kernels with Intel's compiler and compares GenX_IR's listings of
# our binaries with ours.
#
# usage: run_compiled.sh VISAGE SOURCES PYTHON
# Exit status 77, with the reason: the compiler or GenX_IR is missing.
set -u
visage=$1
sources=$2
python=$3
scripts=$(dirname "$0")
. "$scripts/../opencl/compile.sh"

# The devices that nothing else is compiled for here, and pvc for its SIMD32.
count=0
for device in tgllp pvc; do
    for source in algorithm atomic branch convert fmath function group halfs integer memory; do
        compile $source $source "" || exit 1
        count=$((count + 1))
    done
    for control in 2 3 4; do
        compile function control$control/function "-igc_opts 'FunctionControl=$control'" || exit 1
        count=$((count + 1))
    done
done
"$python" "$scripts/compare_listings.py" "$visage" "$folder" --least=$count
