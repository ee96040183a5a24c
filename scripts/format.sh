#!/bin/sh
# SPDX-License-Identifier: MIT
# `scripts/format.sh format` formats the C sources in place; `check-format` fails, and shows where,
# if that would change any. Tables (*.def) are left as typed.
set -eu

cd "$(dirname "$0")/.."
for tool in clang-format-14 clang-format none; do
    ! command -v "$tool" >/dev/null 2>&1 || break
done
if [ "$tool" = none ]; then
    echo "visage: clang-format 14 or later not found (Debian: clang-format-14)" >&2
    exit 1
fi
case "${1:-}" in
format) how=-i ;;
check-format) how="--dry-run --Werror" ;;
*)
    echo "usage: $0 format|check-format" >&2
    exit 2
    ;;
esac
# shellcheck disable=SC2086 # two words
find include src tools examples bench tests -name '*.[ch]' -print0 | xargs -0 -r "$tool" $how
