/* SPDX-License-Identifier: MIT
 *
 * Messages other than LSC: codes that no text can say. */
#include "rules_built.h"

static const char messages[] =
    ".version 4.1\n"
    ".kernel \"k\"\n"
    ".decl V32 v_type=G type=ud num_elts=64 align=GRF\n"
    ".decl V33 v_type=G type=uq num_elts=32 align=GRF\n"
    ".decl V34 v_type=G type=f num_elts=128 align=GRF\n"
    ".decl V35 v_type=G type=ub num_elts=512 align=GRF\n"
    ".decl V36 v_type=G type=uw num_elts=64 align=GRF\n"
    ".decl T6 v_type=T num_elts=1 v_name=T6\n"
    ".decl S0 v_type=S num_elts=1 v_name=S0\n"
    "    media_ld.nomod (4,4) T6 0 0:ud 0:ud V32.0\n"
    "    gather.4 (M1, 8) T6 0:ud V32.0 V32.32\n"
    "    svm_gather.4.1 (M1, 8) V33.0 V32.0\n"
    "    gather4_scaled.R (M1, 8) T6 0:ud V32.0 V32.32\n"
    "    dword_atomic.add (M1, 8) T6 V32.0 V32.32 %null.0 V32.0\n"
    "    sample_3d.R (M1, 8) 0:uw S0 T6 V34.0 V34.32\n"
    "    avs.R T6 S0 0:f 0:f 0:f 0:f 0:f 0:ud 0:ud AVS_16_FULL 0:f AVS_16x4 0:ub V36.0\n"
    "    rt_write_3d (M1, 8) T6 %null.0 V34.0 V34.32 V34.64 V34.96\n"
    "    raw_sends.1.1.1.1 (M1, 8) 0:ud 0:ud V32.0 V32.32 V32.64\n"
    "    vme_ime (0, 0) T6 V35.0 V35.0 V36.0 V36.0 V36.0 V35.0\n"
    "    sample.R (16) S0 T6 V34.0 V34.64 V34.128 V34.192\n"
    "    ret (M1_NM, 1)\n";

enum { MEDIA, GATHER, SVM, GATHER4, ATOMIC, SAMPLE, AVS, RT_WRITE, SENDS, VME, OLD_SAMPLE };

#define CASE(name, statement) BUILT_CASE(name, VISAGE_PLATFORM_SKL, messages, statement)

CASE(modifier_6, operand_called(unit, MEDIA, "modifiers")->value = 6)
CASE(element_size_3, operand_called(unit, GATHER, "elt_size")->value = 3)
CASE(block_size_3, operand_called(unit, SVM, "block_size")->value = 3)
CASE(block_count_4, operand_called(unit, SVM, "num_blocks")->value = 4)
CASE(element_count_3, operand_called(unit, GATHER, "num_elements")->value = 3)
CASE(channels_0, operand_called(unit, GATHER4, "channels")->value = 0)
CASE(channels_16, operand_called(unit, GATHER4, "channels")->value = 0x10)
CASE(operation_14, operand_called(unit, ATOMIC, "atomic")->value = 14)
CASE(operation_13, operand_called(unit, ATOMIC, "atomic")->value = 13)
CASE(operation_10, operand_called(unit, ATOMIC, "atomic")->value = 10)
CASE(no_parameters, unit->insts[SAMPLE].num_operands--)
CASE(control_4, operand_called(unit, AVS, "control")->value = 4)
CASE(exec_mode_4, operand_called(unit, AVS, "exec_mode")->value = 4)
CASE(mode_bit_0, operand_called(unit, RT_WRITE, "mode")->value |= 1)
CASE(mode_bit_13, operand_called(unit, RT_WRITE, "mode")->value |= 1u << 13)
CASE(function_16, operand_called(unit, SENDS, "sfid")->value = 16)
CASE(stream_4, operand_called(unit, VME, "stream_mode")->value = 4)
CASE(gather_from_4, operand_called(unit, GATHER, "num_elements")->value = 1u << 4 | 1)
CASE(gather_from_16, operand_called(unit, GATHER, "num_elements")->value = 4u << 4 | 1)
CASE(gather_bit_2, operand_called(unit, GATHER, "num_elements")->value |= 1u << 2)
CASE(gather_bit_7, operand_called(unit, GATHER, "num_elements")->value |= 1u << 7)
CASE(old_code_3, operand_called(unit, OLD_SAMPLE, "mode")->value = 0x31)
CASE(old_code_1, operand_called(unit, OLD_SAMPLE, "mode")->value = 0x12)
CASE(old_channels_0, operand_called(unit, OLD_SAMPLE, "mode")->value = 0x10)
CASE(search_4, operand_called(unit, VME, "search_control")->value = 4)
CASE(search_3, operand_called(unit, VME, "search_control")->value = 3)

const built_rule built_message_rules[] = {
    {"V0707", true, modifier_6},      {"V0711", true, element_size_3},
    {"V0711", true, block_size_3},    {"V0713", true, block_count_4},
    {"V0712", true, element_count_3}, {"V0716", true, channels_0},
    {"V0716", true, channels_16},     {"V0717", true, operation_14},
    {"V0717", false, operation_13},   {"V0717", false, operation_10},
    {"V0305", true, gather_from_4},   {"V0305", false, gather_from_16},
    {"V0744", true, gather_bit_2},    {"V0744", false, gather_bit_7},
    {"V0743", true, old_code_3},      {"V0743", false, old_code_1},
    {"V0716", true, old_channels_0},  {"V0725", true, no_parameters},
    {"V0731", true, control_4},       {"V0731", true, exec_mode_4},
    {"V0732", true, mode_bit_0},      {"V0732", true, mode_bit_13},
    {"V0737", true, function_16},     {"V0740", true, stream_4},
    {"V0740", true, search_4},        {"V0740", false, search_3},
};

const size_t num_built_message_rules =
    sizeof built_message_rules / sizeof built_message_rules[0];
