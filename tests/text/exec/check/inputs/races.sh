#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the kernels of races.cl for one device: races.sh VISAGE FOLDER DEVICE. Whether one ends
# with a finding is for the reader to say.
set -u
visage=$1
file=$(ls "$2/$3"/*.bin) || exit 1

check()
{
    kernel=$1
    shift
    for seed in 0 7; do
        echo "== $kernel"
        $visage run "$file" "$kernel" --check --seed $seed "$@" 2>&1
    done
}

check reversed -g 256 -l 128 -a buf:i32:256:zero
check bytes -g 256 -l 128 -a buf:u8:256:zero
check neighbours -g 256 -l 128 -a buf:u8:257:zero
check found -g 256 -l 128 -a buf:i32:256:zero
check group_number -g 256 -l 128 -a buf:i32:256:zero
check guess -g 256 -l 128 -a buf:i32:1:zero
check half_atomic -g 256 -l 128 -a buf:i32:256:zero -a local:4
check histogram -g 256 -l 128 -a buf:u8:256:iota -a buf:i32:16:zero -a local:64
check no_barrier -g 128 -l 128 -a buf:i32:1:zero -a local:512
check with_barrier -g 256 -l 128 -a buf:i32:2:zero -a local:512
check last_group -g 1024 -l 64 -a buf:i32:16:zero -a buf:i32:1:zero -a buf:i32:1:zero:out=- -a local:4
check last_group_unfenced -g 1024 -l 64 -a buf:i32:16:zero -a buf:i32:1:zero -a buf:i32:1:zero -a local:4
check locked -g 512 -l 128 -a buf:i32:1:zero -a buf:i32:1:zero:out=-
check unlocked_early -g 512 -l 128 -a buf:i32:1:zero -a buf:i32:1:zero
check one_place -g 64 -l 64 -a buf:i32:256:zero -a buf:i32:64:zero
echo "== end"
