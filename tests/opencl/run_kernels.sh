#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles the sources of tests/data/kernels for one device with Intel's compiler, plainly and with
# options that give other code, and compares what visage makes of them with a CPU OpenCL.
#
# usage: run_kernels.sh COMPARE SOURCES DEVICE
# Exit status 77, with the reason: the compiler or the CPU OpenCL is missing.
set -u
compare=$1
sources=$2
device=$3
. "$(dirname "$0")/compile.sh"
status=0

# variant NAME "SOURCES" OPTIONS [INTERNAL]
variant()
{
    echo "# $1: $3"
    for source in $2; do
        compile "$source" "$1/$source" "$3" "${4:-}" || exit 1
    done
    compare_all "$folder/$1"
    case $? in
    0) ;;
    77) exit 77 ;;
    *) status=1 ;;
    esac
}

# What a driver would say that the device has.
extensions=-cl-ext=+cl_khr_subgroup_ballot,+cl_khr_subgroup_shuffle
extensions=$extensions,+cl_khr_subgroup_shuffle_relative,+cl_khr_subgroup_clustered_reduce
extensions=$extensions,+cl_khr_subgroup_non_uniform_arithmetic,+cl_khr_subgroup_non_uniform_vote
extensions=$extensions,+cl_intel_subgroup_matrix_multiply_accumulate
extensions=$extensions,+cl_intel_bfloat16_conversions,+cl_ext_float_atomics
extensions=$extensions,+__opencl_c_ext_fp32_global_atomic_add
extensions=$extensions,+__opencl_c_ext_fp32_global_atomic_min_max

compile extension plain/extension -cl-std=CL2.0 "$extensions" || exit 1
compile print plain/print_half -DHALFS || exit 1
compile fmath plain/fmath_fast -cl-fast-relaxed-math || exit 1
case $device in
pvc) # no sub-groups of 8
    compile fp64 plain/fp64 "" || exit 1
    compile print plain/print_double "" || exit 1
    compile extension plain/extension_16 "-cl-std=CL2.0 -DSYSTOLIC=16" "$extensions" || exit 1
    ;;
skl)
    compile fp64 plain/fp64 "" || exit 1
    compile print plain/print_double "" || exit 1
    compile subgroup plain/subgroup_8 -DSIZE8 || exit 1
    ;;
*)
    compile fp64 plain/fp64_emulated "-igc_opts 'EnableDPEmulation=1'" -cl-ext=+cl_khr_fp64 ||
        exit 1
    compile subgroup plain/subgroup_8 -DSIZE8 || exit 1
    compile extension plain/extension_8 "-cl-std=CL2.0 -DSYSTOLIC=8" "$extensions" || exit 1
    ;;
esac
variant plain "integer intvec convert fmath fexact memory space branch function atomic group ranges
    algorithm subgroup generic halfs print" ""

# Code of other kinds, of which each source is tried on one device. Left out of `unoptimised` are
# sources with a minus before a vector, of which the compiler negates the first element only; out of
# `debug` branch.cl, for which it writes code that reads a variable it never wrote.
case $device in
pvc)
    control=2
    variant unoptimised "space function group" -cl-opt-disable
    variant debug "space function group" -g
    ;;
skl)
    control=3
    variant unoptimised "branch memory" -cl-opt-disable
    variant pointers "memory atomic group space" -cl-intel-greater-than-4GB-buffer-required
    ;;
dg2)
    control=4
    variant unoptimised "ranges generic" -cl-opt-disable
    variant bindless "group branch ranges space" "" -cl-intel-use-bindless-buffers
    ;;
esac
variant control function "-igc_opts 'FunctionControl=$control'"
width=8
[ "$device" = pvc ] && width=16
variant narrow "integer branch group" "-igc_opts 'ForceOCLSIMDWidth=$width'"
exit $status
