#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles the source anew; needs Intel's offline compiler (Debian: intel-opencl-icd).
set -eu
cd "$(dirname "$0")"

for device in skl dg2 pvc; do
    folder=$(mktemp -d)
    cp loops.cl "$folder"
    (cd "$folder" && setarch -R ocloc compile -q -file loops.cl -device "$device" -out_dir . -output loops \
        --format zebin -options "-cl-std=CL2.0" -internal_options "-ze-emit-zebin-visa-sections")
    cp "$folder"/loops*.bin "loops.$device.zebin"
    rm -r "$folder"
done
