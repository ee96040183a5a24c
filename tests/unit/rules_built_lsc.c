/* SPDX-License-Identifier: MIT
 *
 * LSC messages: codes that no text can say, operands that no text can name. */
#include "rules_built.h"

static const char messages[] = ".version 4.1\n"
                               ".kernel \"k\"\n"
                               ".decl V32 v_type=G type=uq num_elts=32 align=GRF\n"
                               ".decl V33 v_type=G type=d num_elts=128 align=GRF\n"
                               "    lsc_load.ugm (M1, 16) V33:d32 flat[V32]:a64\n"
                               "    lsc_store.ugm (M1, 16) flat[V32]:a64 V33:d32\n"
                               "    lsc_load_quad.ugm (M1, 16) V33:d32.xy flat[V32]:a64\n"
                               "    lsc_fence.ugm.none.gpu\n"
                               "    ret (M1_NM, 1)\n";

enum { LOAD, STORE, QUAD, FENCE };

#define CASE(name, statement) BUILT_CASE(name, VISAGE_PLATFORM_PVC, messages, statement)

CASE(model_0, operand_called(unit, LOAD, "addr_type")->value = 0)
CASE(model_6, operand_called(unit, LOAD, "addr_type")->value = 6)
CASE(model_3, operand_called(unit, LOAD, "addr_type")->value = 3)
CASE(data_size_0, operand_called(unit, LOAD, "data_size")->value = 0)
CASE(data_size_8, operand_called(unit, STORE, "data_size")->value = 8)
CASE(data_size_7, operand_called(unit, STORE, "data_size")->value = 7)
CASE(vector_0, operand_called(unit, LOAD, "num_elements")->value = 0)
CASE(vector_9, operand_called(unit, LOAD, "num_elements")->value = 9)
CASE(vector_2, operand_called(unit, LOAD, "num_elements")->value = 2)
CASE(order_0, operand_called(unit, STORE, "data_order")->value = 0)
CASE(order_3, operand_called(unit, STORE, "data_order")->value = 3)
CASE(mask_0, operand_called(unit, QUAD, "channels")->value = 0)
CASE(mask_16, operand_called(unit, QUAD, "channels")->value = 0x10)
CASE(mask_15, operand_called(unit, QUAD, "channels")->value = 0xf)
CASE(quad_transposed, operand_called(unit, QUAD, "data_order")->value = 2)
CASE(load_of_src1, operand_called(unit, LOAD, "src1")->id = 33)
CASE(load_of_src2, operand_called(unit, LOAD, "src2")->id = 33)
CASE(store_of_dst, operand_called(unit, STORE, "dst")->id = 33)
CASE(address_size_0, operand_called(unit, LOAD, "addr_size")->value = 0)
CASE(fence_scope_7, operand_called(unit, FENCE, "scope")->value = 7)
CASE(fence_size_8, unit->insts[FENCE].exec_size = 8)
CASE(fence_masked, unit->insts[FENCE].no_mask = false)

const built_rule built_lsc_rules[] = {
    {"V0604", true, model_0},      {"V0604", true, model_6},
    {"V0604", false, model_3},     {"V0608", true, address_size_0},
    {"V0609", true, data_size_0},  {"V0609", true, data_size_8},
    {"V0609", false, data_size_7}, {"V0610", true, vector_0},
    {"V0610", true, vector_9},     {"V0610", false, vector_2},
    {"V0611", true, order_0},      {"V0611", true, order_3},
    {"V0614", true, mask_0},       {"V0614", true, mask_16},
    {"V0614", false, mask_15},     {"V0615", true, quad_transposed},
    {"V0620", true, load_of_src1}, {"V0620", true, load_of_src2},
    {"V0620", true, store_of_dst}, {"V0635", true, fence_scope_7},
    {"V0636", true, fence_size_8}, {"V0636", true, fence_masked},
};

const size_t num_built_lsc_rules = sizeof built_lsc_rules / sizeof built_lsc_rules[0];
