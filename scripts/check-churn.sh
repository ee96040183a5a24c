#!/bin/sh
# SPDX-License-Identifier: MIT
# The OpenCL driver under stress, and what it costs; figures on standard output:
#
#     scripts/check-churn.sh BUILD [TIMES]
#
# TIMES makes it longer: 100 takes hours. Exits 1 where something was left behind or a limit was
# missed; tests/opencl-driver/churn.c says what is done and judged.
set -u

build=$(cd "$1" && pwd) || exit 2
times=${2:-1}
source=$(cd "$(dirname "$0")/.." && pwd)
cache=$(mktemp -d) || exit 2
trap 'rm -rf "$cache"' EXIT
export OCL_ICD_VENDORS="$build/visage.icd" VISAGE_COMPILER="$build/visage-compiler"
export VISAGE_CACHE_DIR="$cache"

failed=0
churn() {
    engine=$1
    shift
    VISAGE_ENGINE=$engine "$build/tests/opencl-driver/driver_churn" "$@" || failed=1
}
# Where LLVM would be loaded late, that would count as something that is left: one engine only.
churn interp programs $((10000 * times))
churn jit programs $((2000 * times))
churn auto launches $((1000000 * times))
churn auto exchanges $((500000 * times))
churn interp objects $((100000 * times))
churn jit client $((20000 * times))
churn auto cost "$source/examples/vector_add/vector_add.skl.zebin" 5
churn auto start 50
churn auto kills $((1000 * times))
exit $failed
