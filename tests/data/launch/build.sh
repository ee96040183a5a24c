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
        --format zebin -options "$3" -internal_options "-ze-emit-zebin-visa-sections")
    cp "$folder/$1"*.bin "$1.$2.zebin"
    rm -r "$folder"
}

for device in skl dg2 pvc; do
    build launch "$device" "-cl-std=CL2.0"
done
for device in dg2 pvc; do
    build indirect "$device" "-igc_opts 'FunctionControl=4'"
done
