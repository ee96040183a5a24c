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

if ! command -v ocloc >/dev/null; then
    echo "no ocloc (Debian: intel-opencl-icd)"
    exit 77
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# compile FILE NAME EXTRA: FILE.cl to NAME.<device>.zebin, with further compiler options
compile()
{
    case $1 in
    at20) standard="-cl-std=CL2.0" ;;
    *) standard="-cl-std=CL1.2" ;;
    esac
    mkdir "$folder/$2" &&
        ocloc compile -q -file "$sources/$1.cl" -device "$device" -out_dir "$folder/$2" \
            --format zebin -internal_options "-ze-emit-zebin-visa-sections" \
            -options "$standard $3" >"$folder/$2/log" 2>&1
    mv "$folder/$2"/*.bin "$folder/$2.$device.zebin" 2>/dev/null ||
        { echo "# $1 does not compile for $device"; cat "$folder/$2/log"; return 1; }
}

status=0
for source in arith atomics calls cf priv slm vec f16 at20 sg8; do
    [ "$source.$device" = sg8.pvc ] && continue # pvc has no SIMD8
    compile $source $source "" || status=1
done
[ $status = 0 ] && "$compare" "$sources" "$folder" "$device" || exit $?

# The same functions as subroutines, as stack calls, as indirect calls.
for control in 2 3 4; do
    mkdir "$folder/control$control"
    compile calls "calls$control" "-igc_opts 'FunctionControl=$control'" || exit 1
    mv "$folder/calls$control.$device.zebin" "$folder/control$control/calls.$device.zebin"
    "$compare" "$sources" "$folder/control$control" "$device" || exit $?
done
