/* SPDX-License-Identifier: MIT
 *
 * Lookups by text: every row of the tables is found, and nothing that only begins like one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "isa/isa.h"

static const struct {
    vsg_isa_words list;
    int code;
    const char *text;
} words[] = {
#define LIST(list)
#define WORD(list, code, text) {VSG_ISA_WORDS_##list, code, text},
#include "isa/words.def"
#undef LIST
#undef WORD
};

enum { NUM_WORDS = sizeof words / sizeof words[0] };

/* A row under the wrong LIST would not be found. */
static void every_word_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_WORDS; i++) {
        size_t length = strlen(words[i].text);
        assert_int_equal(vsg_isa_find_word(words[i].list, words[i].text, length),
                         words[i].code);
        assert_non_null(vsg_isa_word(words[i].list, (uint32_t)words[i].code));
    }
}

/* The first row of a code is what is printed. */
static void the_first_word_of_a_code(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_WORDS; i++) {
        size_t first = 0;
        while (words[first].list != words[i].list || words[first].code != words[i].code)
            first++;
        assert_string_equal(vsg_isa_word(words[i].list, (uint32_t)words[i].code),
                            words[first].text);
    }
}

static void other_words(void **state)
{
    (void)state;
    assert_int_equal(vsg_isa_find_word(VSG_ISA_WORDS_RELATION, "", 0), -1);
    assert_int_equal(vsg_isa_find_word(VSG_ISA_WORDS_RELATION, "e", 1), -1);
    assert_int_equal(vsg_isa_find_word(VSG_ISA_WORDS_RELATION, "eqq", 3), -1);
    assert_int_equal(vsg_isa_find_word(VSG_ISA_WORDS_RELATION, "Eq", 2), -1);
    assert_int_equal(vsg_isa_find_word(VSG_ISA_WORDS_RELATION, "add", 3), -1);
    assert_int_equal(vsg_isa_find_word(VSG_ISA_WORDS_ATOMIC, "add", 3), 0);
    assert_null(vsg_isa_word(VSG_ISA_WORDS_RELATION, 6));
}

static void types_in_any_case(void **state)
{
    static const struct {
        const char *text;
        visage_type type;
    } rows[] = {
        {"ud", VISAGE_TYPE_UD},     {"UD", VISAGE_TYPE_UD},     {"uD", VISAGE_TYPE_UD},
        {"d", VISAGE_TYPE_D},       {"Q", VISAGE_TYPE_Q},       {"bool", VISAGE_TYPE_BOOL},
        {"Bool", VISAGE_TYPE_BOOL}, {"hf", VISAGE_TYPE_HF},     {"", VISAGE_TYPE_COUNT},
        {"u", VISAGE_TYPE_COUNT},   {"udd", VISAGE_TYPE_COUNT}, {"\x44\x01", VISAGE_TYPE_COUNT},
        {"5d", VISAGE_TYPE_COUNT},  {"boo", VISAGE_TYPE_COUNT},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(vsg_isa_find_type(rows[i].text, strlen(rows[i].text)), rows[i].type);
    assert_int_equal(vsg_isa_find_type("ud", 1), VISAGE_TYPE_COUNT);
    assert_int_equal(vsg_isa_find_type("d\0", 2), VISAGE_TYPE_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word_is_found),
        cmocka_unit_test(the_first_word_of_a_code),
        cmocka_unit_test(other_words),
        cmocka_unit_test(types_in_any_case),
    };

    return cmocka_run_group_tests_name("isa", tests, NULL, NULL);
}
