#!/bin/sh
# SPDX-License-Identifier: MIT
# Fuzzes the readers, the printer, the linker, the verifier and the engine:
#
#     scripts/fuzz.sh BUILD SECONDS [TARGET]...
#
# BUILD is built with VISAGE_FUZZ. Each target (binary, elf, link, print, run, text, verify, yaml;
# without any, all) runs for that long, as many at a time as there are processors. What a run
# finds interesting is kept in BUILD/fuzz/TARGET and is where the next run starts; what fails is a
# file in BUILD/fuzz/found. Exits 1 when anything was found, by this run or by an earlier one.
set -eu

build=$1
time=$2
shift 2
[ $# -gt 0 ] || set -- binary elf link print run text verify yaml
programs=$build/tests/fuzz
kept=$build/fuzz
mkdir -p "$kept/found"

# Words of the tables, each line a quoted string.
grep -oh '"[A-Za-z0-9_.]\{2,24\}"' src/isa/*.def | sort -u >"$kept/text.dict"
grep -oh '"[A-Za-z0-9_.]\{2,40\}"' src/container/*.def | sort -u >"$kept/yaml.dict"
cp "$kept/text.dict" "$kept/link.dict"
cp "$kept/text.dict" "$kept/print.dict"
cp "$kept/text.dict" "$kept/run.dict"
cp "$kept/text.dict" "$kept/verify.dict"

# Memory: the targets themselves count what visage asks for; the limits are for libelf and libyaml.
# The largest input is far larger than most seeds: what is not linear shows as a slow unit.
one() {
    target=$1
    status=0
    mkdir -p "$kept/$target" "$kept/seeds/$target"
    tests/fuzz/seeds.sh "$target" | while read -r seed; do
        cp -f "$seed" "$kept/seeds/$target/$(printf %s "$seed" | tr / _)"
    done
    set -- -max_total_time="$time" -max_len=65536 -timeout=10 -report_slow_units=2 \
        -rss_limit_mb=2048 -malloc_limit_mb=128 -print_final_stats=1 \
        -artifact_prefix="$kept/found/$target-"
    [ ! -f "$kept/$target.dict" ] || set -- "$@" -dict="$kept/$target.dict"
    "$programs/fuzz_$target" "$@" "$kept/$target" "$kept/seeds/$target" \
        >"$kept/$target.log" 2>&1 || status=$?
    sed -n "s/^stat::number_of_executed_units: */fuzz $target: runs /p" "$kept/$target.log"
    if [ "$status" != 0 ]; then
        echo "fuzz $target: stopped, see $kept/$target.log" >&2
        exit 1
    fi
}

# Called by xargs below.
if [ -n "${FUZZ_ONE:-}" ]; then
    one "$FUZZ_ONE"
    exit 0
fi
for target; do
    [ -x "$programs/fuzz_$target" ] || {
        echo "fuzz: there is no target $target" >&2
        exit 2
    }
done
status=0
printf '%s\n' "$@" | xargs -P "$(nproc)" -I '{}' env 'FUZZ_ONE={}' "$0" "$build" "$time" ||
    status=1

found=$(find "$kept/found" -type f | sort)
[ -n "$found" ] || exit "$status"
for file in $found; do
    target=$(basename "$file")
    echo "found: $file; run it with $programs/fuzz_${target%%-*} $file" >&2
done
exit 1
