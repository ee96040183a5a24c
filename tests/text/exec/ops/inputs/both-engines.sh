# SPDX-License-Identifier: MIT
# both-engines.sh FILE SCRATCH TYPE BUFFER WORD... -- VISAGE...: FILE with each WORD for PRECISION
# and with TYPE, on BUFFER and 128 dwords of results, which both engines fill alike.
file=$1 scratch=$2 type=$3 buffer=$4 words=
shift 4
while [ "$1" != -- ]; do
    words="$words $1"
    shift
done
shift
for word in $words; do
    sed -e "/^ *dpas/s/PRECISION/$word/" -e "/^\.decl/s/TYPE/$type/" "$file" >"$scratch.visaasm"
    for engine in interp jit; do
        "$@" run "$scratch.visaasm" --platform pvc --engine $engine -a "$buffer" \
            -a "buf:u32:128:zero:out=$scratch.$engine" || exit
    done
    cmp "$scratch.interp" "$scratch.jit" || { echo "$word"; exit 1; }
    # All zeros would tell nothing.
    [ "$(tr -d '\0' <"$scratch.jit" | wc -c)" -gt 100 ] || { echo "$word: zeros"; exit 1; }
done
