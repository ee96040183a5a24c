#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles the sources anew; needs Intel's offline compiler (Debian: intel-opencl-icd).
set -eu
cd "$(dirname "$0")"

# build SOURCE DEVICE OPTIONS
build() {
    folder=$(mktemp -d)
    cp "$1.cl" "$folder"
    (cd "$folder" && ocloc compile -file "$1.cl" -device "$2" -out_dir . -output "$1" \
        --format zebin -options "-cl-std=CL2.0 $3" \
        -internal_options "-ze-emit-zebin-visa-sections")
    cp "$folder/$1"*.bin "$1.$2.zebin"
    rm -r "$folder"
}

# A function that another file calls must be callable by address: 4 makes it so.
for device in skl dg2 pvc; do
    build tables "$device" ""
    build counters "$device" "-igc_opts 'FunctionControl=4'"
done
