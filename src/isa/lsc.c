/* SPDX-License-Identifier: MIT */
#include "isa/lsc.h"

static const vsg_isa_lsc_data_size data_sizes[] = {
#define DATA_SIZE(code, memory_bytes, register_bytes, high)                                    \
    [code] = {memory_bytes, register_bytes, high},
#include "isa/lsc.def"
};

static const uint8_t vectors[] = {
#define VECTOR(code, elements) [code] = (elements),
#include "isa/lsc.def"
};

enum {
    LOADS = VSG_ISA_LSC_LOADS,
    STORES = VSG_ISA_LSC_STORES,
    BOTH = LOADS | STORES,
    NUM_CACHES = VSG_ISA_LSC_CACHE_RI + 1
};
static const uint8_t caches[NUM_CACHES][NUM_CACHES] = {
#define CACHE(l1, l3, accesses) [VSG_ISA_LSC_CACHE_##l1][VSG_ISA_LSC_CACHE_##l3] = (accesses),
#include "isa/lsc.def"
};

static const uint8_t arguments_and_1[] = {
/* 0: no atomic */
#define ATOMIC(sub, arguments) [sub] = (arguments) + 1,
#include "isa/lsc.def"
};

static const struct {
    uint8_t most_width, most_height;
} blocks[] = {
#define BLOCK(most_width, most_height) {most_width, most_height},
#include "isa/lsc.def"
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

const vsg_isa_lsc_data_size *vsg_isa_lsc_data_size_of(uint64_t code)
{
    return code < COUNT(data_sizes) && data_sizes[code].memory_bytes ? &data_sizes[code] : NULL;
}

uint32_t vsg_isa_lsc_vector(uint64_t code)
{
    return code < COUNT(vectors) ? vectors[code] : 0;
}

int vsg_isa_lsc_arguments(uint32_t sub)
{
    return sub < COUNT(arguments_and_1) ? arguments_and_1[sub] - 1 : -1;
}

unsigned vsg_isa_lsc_cache(uint64_t l1, uint64_t l3)
{
    return l1 < NUM_CACHES && l3 < NUM_CACHES ? caches[l1][l3] : 0;
}

uint32_t vsg_isa_lsc_block_height(uint64_t width)
{
    if (width == 0)
        return 0;
    for (size_t i = 0; i < COUNT(blocks); i++)
        if (width <= blocks[i].most_width)
            return blocks[i].most_height;
    return 0;
}
