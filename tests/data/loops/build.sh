#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles the source anew; needs Intel's offline compiler (Debian: intel-opencl-icd).
set -eu
cd "$(dirname "$0")"

compile() # SOURCE NAME DEVICE OPTIONS
{
    folder=$(mktemp -d)
    cp "$1" "$folder"
    (cd "$folder" && setarch -R ocloc compile -q -file "$1" -device "$3" -out_dir . -output out \
        --format zebin -options "-cl-std=CL2.0 $4" -internal_options "-ze-emit-zebin-visa-sections")
    cp "$folder"/out*.bin "$2.zebin"
    rm -r "$folder"
}

for device in skl dg2 pvc; do
    compile loops.cl loops.$device $device ""
done
for size in 16 32; do
    compile channels.cl channels.pvc$size pvc -DSIZE=$size
done
compile channels.cl channels.skl16 skl -DSIZE=16
