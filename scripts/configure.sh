#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs CMake for a build folder unless it is already configured with the settings given:
#
#     scripts/configure.sh FOLDER [NAME:TYPE=VALUE]...
#
# CC in the environment chooses the compiler of a new folder.
set -eu

folder=$1
shift
configured=yes
[ -f "$folder/build.ninja" ] || configured=no
for setting; do
    shift
    set -- "$@" "-D$setting"
    grep -qxF -e "$setting" "$folder/CMakeCache.txt" 2>/dev/null || configured=no
done
[ "$configured" = no ] || exit 0

mkdir -p "$folder"
# Only the summary at the end is of interest when all goes well.
if ! cmake -G Ninja -S . -B "$folder" "$@" >"$folder/configure.log" 2>&1; then
    cat "$folder/configure.log" >&2
    exit 1
fi
sed -n '/^-- visage /,/^-- Configuring/{/^-- Configuring/!s/^-- //p}' "$folder/configure.log"
