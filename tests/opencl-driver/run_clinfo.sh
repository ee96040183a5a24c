#!/bin/sh
# SPDX-License-Identifier: MIT
# clinfo asks for everything there is and marks what fails: it must not find anything.
#
#     run_clinfo.sh VISAGE
out=$("$1" exec -- clinfo) || exit 1
if printf '%s\n' "$out" | grep -E ': error -[0-9]+|<[a-zA-Z]+:[0-9]+:'; then
    echo "clinfo met errors, see above"
    exit 1
fi
for word in 'Platform Name  *visage' Skylake 'Tiger Lake' 'Ice Lake' DG2 'PVC'; do
    if ! printf '%s\n' "$out" | grep -q "$word"; then
        echo "clinfo does not tell of: $word"
        exit 1
    fi
done
