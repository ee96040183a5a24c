#!/bin/sh
# SPDX-License-Identifier: MIT
# The reducer of visage-smith, $1: of a program that "fails" because it has an operation, few lines
# are left, and they are a program that has it.
set -eu

program=$(mktemp)
smaller=$(mktemp)
trap 'rm -f "$program" "$smaller"' EXIT
"$1" --seed 5 --platform skl --print >"$program"
grep -q '^ *svm_block_st ' "$program"
"$1" --reduce "$program" --contains '    svm_block_st ' >"$smaller"
cat "$smaller"
grep -q '^    svm_block_st ' "$smaller"
[ "$(grep -vc '^//' "$smaller")" -le 15 ]
[ "$(wc -l <"$program")" -ge 100 ]
