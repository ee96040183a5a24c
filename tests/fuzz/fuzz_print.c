/* SPDX-License-Identifier: MIT
 *
 * Fuzz target of the text printer. Whatever good text was read, what is printed of it is good
 * text too, says the same, and prints the same again. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* The first byte chooses: a text that begins with '.' is printed with comments. */
    bool no_comments = size && data[0] == ' ';
    vsg_obj_module *first = fuzz_parse((const char *)data, size, VISAGE_PLATFORM_NONE);

    if (!first)
        return 0;
    fuzz_text a = fuzz_print(first, no_comments);
    vsg_obj_module *second = fuzz_parse(a.data, a.size, VISAGE_PLATFORM_NONE);
    must(a.size > 0 && second != NULL);
    fuzz_text b = fuzz_print(second, no_comments);
    /* The first print may tell in comments what names were replaced. */
    fuzz_text bare = fuzz_print(first, true), again = fuzz_print(second, true);
    must(bare.size == again.size && memcmp(bare.data, again.data, bare.size) == 0);
    must(no_comments ? a.size == b.size : a.size >= b.size);
    free(bare.data);
    free(again.data);
    fuzz_check_same(first, second);
    for (size_t i = 0; i < first->num_units; i++)
        must(first->units[i]->num_function_decls == second->units[i]->num_function_decls);
    free(a.data);
    free(b.data);
    vsg_obj_destroy(&first);
    vsg_obj_destroy(&second);
    return 0;
}
