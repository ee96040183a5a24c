/* SPDX-License-Identifier: MIT
 *
 * Operands and execution: modules that readers refuse, and a builder makes. */
#include "rules_built.h"

static const char moves[] = ".version 4.1\n"
                            ".kernel \"k\"\n"
                            ".decl V32 v_type=G type=d num_elts=64 align=GRF\n"
                            ".decl A0 v_type=A num_elts=8\n"
                            ".decl P1 v_type=P num_elts=8\n"
                            "    mov (M1, 8) V32(0,0)<1> V32(1,0)<1;1,0>\n"
                            "    mov (M1, 8) V32(0,0)<1> r[A0(0),0]<1,0>:d\n"
                            "    mov (M1, 8) V32(0,0)<1> 1:d\n"
                            "    addr_add (M1, 8) A0(0)<1> A0(0)<8> 4:uw\n"
                            "    cmp.eq (M1, 8) P1 V32(0,0)<1;1,0> 1:d\n"
                            "    movs (M1_NM, 1) %bss(0) 1:ud\n"
                            "    ret (M1_NM, 1)\n";

enum { MOV_GENERAL, MOV_INDIRECT, MOV_IMMEDIATE, ADDR_ADD, CMP };

#define CASE(name, statement) BUILT_CASE(name, VISAGE_PLATFORM_PVC, moves, statement)

CASE(width_3, operand_at(unit, MOV_GENERAL, 1)->width = 3)
CASE(width_32, operand_at(unit, MOV_GENERAL, 1)->width = 32)
CASE(width_0, operand_at(unit, MOV_GENERAL, 1)->width = 0)
CASE(v_stride_3, operand_at(unit, MOV_GENERAL, 1)->v_stride = 3)
CASE(v_stride_null, operand_at(unit, MOV_GENERAL, 1)->v_stride = VSG_OBJ_STRIDE_NULL)
CASE(h_stride_8, operand_at(unit, MOV_GENERAL, 1)->h_stride = 8)
CASE(dst_stride_3, operand_at(unit, MOV_GENERAL, 0)->h_stride = 3)
CASE(indirect_vector, operand_at(unit, MOV_INDIRECT, 1)->type = VISAGE_TYPE_VF)
CASE(indirect_bool, operand_at(unit, MOV_INDIRECT, 1)->type = VISAGE_TYPE_BOOL)
CASE(address_width_32, operand_at(unit, ADDR_ADD, 1)->width = 32)
CASE(immediate_bool, operand_at(unit, MOV_IMMEDIATE, 1)->type = VISAGE_TYPE_BOOL)
CASE(immediate_modifier, operand_at(unit, MOV_IMMEDIATE, 1)->modifier = VSG_OBJ_MOD_NEG)
CASE(saturated_source, operand_at(unit, MOV_GENERAL, 1)->modifier = VSG_OBJ_MOD_SAT)
CASE(negated_destination, operand_at(unit, MOV_GENERAL, 0)->modifier = VSG_OBJ_MOD_NEG)
CASE(operand_missing, operand_at(unit, MOV_GENERAL, 1)->class_ = VSG_OBJ_CLASS_NONE)
CASE(size_0, unit->insts[MOV_GENERAL].exec_size = 0)
CASE(size_6, unit->insts[MOV_GENERAL].exec_size = 6)
CASE(cmp_predicated, unit->insts[CMP].predicate = 1)
CASE(mov_predicated, unit->insts[MOV_GENERAL].predicate = 1)

const built_rule built_operand_rules[] = {
    {"V0201", true, width_3},          {"V0201", true, width_32},
    {"V0201", true, width_0},          {"V0202", true, v_stride_3},
    {"V0202", true, v_stride_null},    {"V0203", true, h_stride_8},
    {"V0203", true, dst_stride_3},     {"V0211", true, indirect_vector},
    {"V0211", true, indirect_bool},    {"V0213", true, address_width_32},
    {"V0217", true, immediate_bool},   {"V0223", true, immediate_modifier},
    {"V0226", true, saturated_source}, {"V0226", true, negated_destination},
    {"V0240", true, operand_missing},  {"V0303", true, size_0},
    {"V0303", true, size_6},           {"V0307", true, cmp_predicated},
    {"V0307", false, mov_predicated},
};

const size_t num_built_operand_rules =
    sizeof built_operand_rules / sizeof built_operand_rules[0];
