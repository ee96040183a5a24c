#!/bin/sh
# SPDX-License-Identifier: MIT
# Compiles the sources with images for one device with Intel's compiler and compares what visage
# makes of them with a CPU OpenCL. (pvc has no images: its compiler drops every read.)
#
# usage: run_images.sh COMPARE DATA DEVICE
# Exit status 77, with the reason: the compiler or the CPU OpenCL is missing.
set -u
compare=$1
data=$2
device=$3
sources=$data/corpus
. "$(dirname "$0")/compile.sh"
status=0

# What a driver would say that the device has.
extensions=-cl-ext=+cl_khr_fp16,+cl_khr_depth_images,+cl_khr_3d_image_writes
extensions=$extensions,+cl_khr_mipmap_image,+cl_khr_mipmap_image_writes
extensions=$extensions,+cl_khr_gl_msaa_sharing,+cl_khr_gl_depth_images

compile img img "" || exit 1
"$compare" "$sources" "$folder" "$device" || exit $?

# variant NAME OPTIONS
variant()
{
    echo "# $1: $2"
    compile image "$1/image" "$2" || exit 1
    compile image2 "$1/image2" "-cl-std=CL2.0 $2" "$extensions" || exit 1
    compare_all "$folder/$1" || status=1
}

sources=$data/kernels
variant plain ""
variant narrow "-igc_opts 'ForceOCLSIMDWidth=8'"
variant unoptimised -cl-opt-disable
exit $status
