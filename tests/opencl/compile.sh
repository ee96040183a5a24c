# SPDX-License-Identifier: MIT
# For run_corpus.sh and run_kernels.sh: $compare, $sources, $device; makes $folder, a temporary one.
if ! command -v ocloc >/dev/null; then
    echo "no ocloc (Debian: intel-opencl-icd)"
    exit 77
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# compile SOURCE NAME OPTIONS [INTERNAL]: $sources/SOURCE.cl to $folder/NAME.<device>.zebin. NAME
# may have folders before it. The log is shown where it fails.
compile()
{
    case "$1 $3" in
    *-cl-std=*) standard= ;;
    at20\ * | generic\ *) standard=-cl-std=CL2.0 ;;
    *) standard=-cl-std=CL1.2 ;; # ocloc's own choice fails for skl
    esac
    mkdir -p "$folder/$2" &&
        ocloc compile -file "$sources/$1.cl" -device "$device" -out_dir "$folder/$2" \
            --format zebin -internal_options "-ze-emit-zebin-visa-sections ${4:-}" \
            -options "$standard $3" >"$folder/$2/log" 2>&1 &&
        mv "$folder/$2"/*.bin "$folder/$2.$device.zebin" && return
    echo "# $1 does not compile for $device: $3"
    cat "$folder/$2/log"
    return 1
}

# compare_all FOLDER: every kernel of it as it is, by the JIT where there is one, and in check mode,
# which finds nothing. VISAGE_TEST_MODES: only these of plain, jit and check.
compare_all()
{
    for mode in ${VISAGE_TEST_MODES:-plain jit check}; do
        echo "# mode $mode"
        VISAGE_TEST_MODE=$mode "$compare" "$sources" "$1" "$device" || return $?
    done
}
