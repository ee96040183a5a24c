#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles launch.cl anew; needs Intel's offline compiler (Debian: intel-opencl-icd).
set -eu
cd "$(dirname "$0")"
for device in skl dg2 pvc; do
    folder=$(mktemp -d)
    cp launch.cl "$folder"
    (cd "$folder" && ocloc compile -file launch.cl -device "$device" -out_dir . -output launch \
        --format zebin -options "-cl-std=CL2.0" \
        -internal_options "-ze-emit-zebin-visa-sections")
    cp "$folder"/launch*.bin "launch.$device.zebin"
    rm -r "$folder"
done
