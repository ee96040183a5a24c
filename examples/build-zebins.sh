#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Compiles the samples with Intel's offline compiler (ocloc; Debian: intel-opencl-icd) and puts
# the zebins beside their sources, as <sample>/<sample>.<device>.zebin. The files are in the
# repository, so nobody needs this to run them; use it after a change to a .cl file.
#
#   build-zebins.sh [SAMPLE...]             default: every folder with a .cl file of its name
#   DEVICES="skl dg2 pvc" build-zebins.sh   other devices
#   OCLOC=/path/to/ocloc build-zebins.sh    another compiler
#
# Everything happens by relative paths, so that no path of this machine gets into the files.
set -eu

OCLOC=${OCLOC:-ocloc}
DEVICES=${DEVICES:-skl dg2 pvc}
OUT=.build-zebins

cd "$(dirname "$0")"
examples=$(pwd)
trap 'rm -rf "$examples"/*/"$OUT"' EXIT

# Options for the compiler and internal options, one sample a line. All samples get
# -ze-emit-zebin-visa-sections: it puts the vISA text into the zebin, which is what visage runs.
#
#   function_pointers   FunctionControl=4 makes every call of a noinline function an indirect
#                       one (2: subroutines, 3: stack calls); the extension lets OpenCL C take
#                       the address of a function.
options() {
    case $1 in
    function_pointers) echo "-igc_opts 'FunctionControl=4'" ;;
    esac
}

internal_options() {
    echo "-ze-emit-zebin-visa-sections"
    case $1 in
    function_pointers) echo "-cl-ext=+__cl_clang_function_pointers" ;;
    esac
}

fail() {
    echo "build-zebins.sh: $*" >&2
    exit 1
}

# The compiler ends with status 0 also where it made something else than was meant.
check() {
    sample=$1 zebin=$2

    grep -aq '^_main_0:' "$zebin" || fail "$zebin: no vISA text in it"
    if grep -aqF -e "$examples" -e "${HOME:-/nonexistent}/" "$zebin"; then
        fail "$zebin: a path of this machine is in it"
    fi
    if [ "$sample" = function_pointers ]; then
        grep -aq '^ *faddr fold ' "$zebin" || fail "$zebin: no faddr in it"
        grep -aq '^ *ifcall ' "$zebin" || fail "$zebin: no ifcall in it"
    fi
}

# In a folder of its own: the compiler leaves its text listings where it runs, and the name of
# its output depends on the device.
compile() {
    sample=$1 device=$2

    cd "$examples/$sample"
    rm -rf "$OUT"
    mkdir "$OUT"
    cd "$OUT"
    $fixed "$OCLOC" compile -q -file "../$sample.cl" -device "$device" -out_dir . \
        --format zebin \
        -options "$(options "$sample")" \
        -internal_options "$(internal_options "$sample" | tr '\n' ' ')" ||
        fail "$sample.cl does not compile for $device; without -q the compiler says why"
    set -- *.bin
    if [ $# -ne 1 ] || [ ! -f "$1" ]; then
        fail "$sample.cl: no zebin for $device came out"
    fi
    check "$sample" "$1"
    mv "$1" "../$sample.$device.zebin"
    cd ..
    rm -rf "$OUT"
    echo "$sample/$sample.$device.zebin"
}

# The order of the functions in a zebin depends on where the compiler's memory lies; without
# randomised addresses the same source gives the same file.
fixed=
if setarch -R true 2>/dev/null; then
    fixed="setarch -R"
fi

command -v "$OCLOC" >/dev/null || fail "no $OCLOC here (Debian: apt install intel-opencl-icd)"
if [ $# -eq 0 ]; then
    for folder in */; do
        sample=${folder%/}
        [ -f "$sample/$sample.cl" ] && set -- "$@" "$sample"
    done
fi
for sample in "$@"; do
    [ -f "$examples/$sample/$sample.cl" ] || fail "there is no sample $sample"
    for device in $DEVICES; do
        compile "$sample" "$device"
    done
done
