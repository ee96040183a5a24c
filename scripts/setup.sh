#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Debian packages that a task needs and that are not there yet:
#
#     scripts/setup.sh build | test | clients | coverage | format | fuzz | bench
#
# Says what it installs before it does. Says nothing, and asks no package server, when nothing is
# missing. On a system without dpkg it does nothing: CMake then names what it cannot find.
set -eu

build="gcc libc6-dev cmake ninja-build pkg-config libelf-dev libyaml-dev libjansson-dev libpng-dev
       opencl-headers"
# llvm-19-dev: the JIT, which is left out where it is missing.
# g++ compiles the public header as C++; the OpenCL packages are the compiler in front of visage
# and a CPU implementation to compare with; libigc-tools has the reference reader of binaries.
test="$build g++ libcmocka-dev libmpfr-dev llvm-19-dev llvm-19-tools python3 ocl-icd-opencl-dev opencl-headers
      pocl-opencl-icd clinfo"
format="clang-format-14"
# libclang-rt has libFuzzer and the sanitizers.
fuzz="$build clang-19 libclang-rt-19-dev"
coverage="$test gcovr"
# OpenCL programs of others, which the driver is to run.
clients="$build intel-opencl-icd ocl-icd-libopencl1 clinfo clpeak clfft-client libclfft2 python3-pyopencl
         python3-pytest"
# wabt is what reading and writing are compared with; clang and OpenMP make the native kernels.
bench="$build python3 wabt intel-opencl-icd oclgrind pocl-opencl-icd ocl-icd-opencl-dev opencl-headers
       llvm-19-dev clang-19 libomp-dev"

command -v dpkg-query >/dev/null 2>&1 || exit 0
command -v apt-get >/dev/null 2>&1 || exit 0

case "${1:-}" in
build) wanted=$build ;;
test | coverage)
    wanted=$test
    [ "$1" = test ] || wanted=$coverage
    # Intel's compiler exists for one architecture; elsewhere the tests that call it are skipped.
    [ "$(dpkg --print-architecture)" != amd64 ] || wanted="$wanted intel-opencl-icd libigc-tools"
    ;;
clients) wanted=$clients ;;
format) wanted=$format ;;
fuzz) wanted=$fuzz ;;
bench) wanted=$bench ;;
*)
    echo "usage: $0 build|test|clients|coverage|format|fuzz|bench" >&2
    exit 2
    ;;
esac

# shellcheck disable=SC2086 # the lists are words
installed=$(dpkg-query -W -f '=${db:Status-Status}:${Package}:\n' $wanted 2>/dev/null || true)
missing=
for package in $wanted; do
    case "$installed" in
    *"=installed:$package:"*) ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1; then
    as_root=sudo
    [ -t 0 ] || as_root="sudo -n"
else
    as_root=none
fi
give_up() {
    {
        echo "visage: $1 Please install, as root:"
        echo "    apt-get install$missing"
    } >&2
    exit 1
}
[ "$as_root" != none ] || give_up "packages are missing, and there is neither root nor sudo."
echo "visage: installing Debian packages:$missing"
$as_root true || give_up "sudo did not work."

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    # The timeout is for a machine that is just running its own updates.
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 \
        -o Dpkg::Use-Pty=0 "$@" </dev/null >>"$log" 2>&1
}
# A package list that cannot be refreshed need not matter; the installation tells.
apt update || true
# shellcheck disable=SC2086
if ! apt install --no-install-recommends $missing; then
    cat "$log" >&2
    give_up "installing packages failed, see above."
fi
