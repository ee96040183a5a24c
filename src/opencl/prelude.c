/* SPDX-License-Identifier: MIT */
#include "opencl/prelude.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The functions of cl_khr_integer_dot_product for packed operands, which the compiler declares
 * and does not have; it makes dp4a of them where the device has that. They are macros, since
 * the compiler's declarations bar static functions of the same names, and others would be
 * defined twice in programs that are linked. Source: OpenCL C, Integer dot product; a sum of
 * four products cannot overflow. */
#define PRODUCTS(name, left, right)                                                            \
    "static int4 __visage_products_" name "(uint a, uint b)\n"                                 \
    "{ return convert_int4(as_" left "4(a)) * convert_int4(as_" right "4(b)); }\n"
#define FUNCTION(name, type)                                                                   \
    "static " type " __visage_dot_" name "(uint a, uint b)\n"                                  \
    "{ int4 p = __visage_products_" name "(a, b); return p.x + p.y + p.z + p.w; }\n"           \
    "static " type " __visage_dot_acc_sat_" name "(uint a, uint b, " type " c)\n"              \
    "{ return add_sat(__visage_dot_" name "(a, b), c); }\n"                                    \
    "#define dot_4x8packed_" name "_" type " __visage_dot_" name "\n"                          \
    "#define dot_acc_sat_4x8packed_" name "_" type " __visage_dot_acc_sat_" name "\n"

/* Those of cl_intel_split_work_group_barrier, which the compiler declares and does not have:
 * who waits goes on when all have arrived, for which a barrier at the second place is enough.
 */
#define BARRIERS                                                                               \
    "#define __visage_first(flags, ...) flags\n"                                               \
    "#define intel_work_group_barrier_arrive(...) mem_fence(__visage_first(__VA_ARGS__, 0))\n" \
    "#if __OPENCL_C_VERSION__ >= 200\n"                                                        \
    "#define intel_work_group_barrier_wait(...) work_group_barrier(__VA_ARGS__)\n"             \
    "#else\n"                                                                                  \
    "#define intel_work_group_barrier_wait(...) barrier(__VA_ARGS__)\n"                        \
    "#endif\n"

/* Those that store one half, aligned as vectors are: the compiler has them of vectors alone,
 * and one half is aligned in any case. Source: OpenCL C, vector data load and store functions.
 */
#define HALF(rounding) "#define vstorea_half" rounding " vstore_half" rounding "\n"
#define HALVES         HALF("") HALF("_rte") HALF("_rtz") HALF("_rtp") HALF("_rtn")

/* One string a function: C99 promises no more than 4095 characters of one. The compiler tells
 * of functions of vectors, too, which it does not have either. */
static const char *const prelude[] = {
    "#undef __opencl_c_integer_dot_product_input_4x8bit\n",
    PRODUCTS("uu", "uchar", "uchar") FUNCTION("uu", "uint"),
    PRODUCTS("ss", "char", "char") FUNCTION("ss", "int"),
    PRODUCTS("us", "uchar", "char") FUNCTION("us", "int"),
    PRODUCTS("su", "char", "uchar") FUNCTION("su", "int"),
    BARRIERS,
    HALVES,
};
enum { NUM_PARTS = sizeof prelude / sizeof *prelude };

static const char restart[] = "#line 1\n";

/* What it includes is not looked into. */
static bool is_wanted(const char *source, const vsg_ocl_options *options)
{
    static const char *const words[] = {"_4x8packed_", "_input_4x8bit",
                                        "intel_work_group_barrier_", "vstorea_half"};

    if (strstr(source, "include"))
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(source, words[i]) || strstr(options->text, words[i]) ||
            strstr(options->defines, words[i]))
            return true;
    return false;
}

/* The compiler refuses files without contents. */
const char *vsg_ocl_complete(const char *source, const vsg_ocl_options *options, char **made)
{
    size_t num_parts = is_wanted(source, options) ? NUM_PARTS : 0;
    size_t size = strlen(options->defines) + sizeof restart + strlen(source);

    *made = NULL;
    if (num_parts == 0 && !*options->defines)
        return *source ? source : "\n";
    for (size_t i = 0; i < num_parts; i++)
        size += strlen(prelude[i]);
    *made = malloc(size);
    if (!*made)
        return NULL;
    char *end = *made;
    for (size_t i = 0; i < num_parts; i++)
        end = stpcpy(end, prelude[i]);
    end = stpcpy(end, options->defines);
    end = stpcpy(end, restart);
    /* A mark of UTF-8 is one at the beginning alone. */
    (void)stpcpy(end, strncmp(source, "\xef\xbb\xbf", 3) == 0 ? source + 3 : source);
    return *made;
}
