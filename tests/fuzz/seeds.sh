#!/bin/sh
# SPDX-License-Identifier: MIT
# Lists the seeds of a fuzz target (binary, elf, link, print, run, text, verify, yaml), one a
# line:
#
#     tests/fuzz/seeds.sh TARGET
set -eu

tests=$(dirname "$0")/..
find_in() { # PATTERN FOLDER...
    pattern=$1
    shift
    find "$@" -type f -name "$pattern"
}
case "$1" in
binary) find_in '*.isa' "$tests/data/binary" && find_in '*.cut' "$tests/data/binary" ;;
elf) find_in '*.zebin' "$tests/data/zebin" "$tests/data/launch" ;;
link) find_in '*.seed' "$tests/fuzz/link" ;;
print | text) find_in '*.visaasm' "$tests/data/text" "$tests/data/kernels" "$tests/text" ;;
run | verify)
    find_in '*.isa' "$tests/data/binary"
    find_in '*.cut' "$tests/data/binary"
    find_in '*.visaasm' "$tests/data/text" "$tests/data/kernels" "$tests/text"
    ;;
yaml) find_in '*.ze_info' "$tests/data/vector" ;;
*)
    echo "usage: $0 binary|elf|link|print|run|text|verify|yaml" >&2
    exit 2
    ;;
esac | LC_ALL=C sort
