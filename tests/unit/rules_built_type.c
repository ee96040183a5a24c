/* SPDX-License-Identifier: MIT
 *
 * Types and single instructions: modules that readers refuse, and a builder makes. */
#include "rules_built.h"

static const char text[] = ".version 4.1\n"
                           ".kernel \"k\"\n"
                           ".decl V32 v_type=G type=ud num_elts=128 align=GRF\n"
                           ".decl P1 v_type=P num_elts=16\n"
                           "    cbit (M1, 16) V32(0,0)<1> V32(0,0)<1;1,0>\n"
                           "    cmp.eq (M1, 16) P1 V32(0,0)<1;1,0> 1:ud\n"
                           "    dpas.s8.s8.8.1 (M1, 16) V32.0 V32.0 V32.0 V32(0,0)\n"
                           "    lifetime.end P1\n"
                           "    ret (M1_NM, 1)\n";

enum { CBIT, CMP, DPAS, LIFETIME };
enum { CMP_RELATION = 0, DPAS_INFO = 4, COUNT_SHIFT = 24 };

#define CASE(name, statement) BUILT_CASE(name, VISAGE_PLATFORM_PVC, text, statement)

CASE(cbit_saturated, operand_at(unit, CBIT, 0)->modifier = VSG_OBJ_MOD_SAT)
CASE(relation_6, operand_at(unit, CMP, CMP_RELATION)->value = 6)
CASE(count_0, operand_at(unit, DPAS, DPAS_INFO)->value &= (1u << COUNT_SHIFT) - 1)
CASE(count_9, operand_at(unit, DPAS, DPAS_INFO)->value += 8u << COUNT_SHIFT)
CASE(lifetime_of_none, operand_at(unit, LIFETIME, 0)->id = 0)
CASE(lifetime_of_label, operand_at(unit, LIFETIME, 0)->state = 3)

const built_rule built_type_rules[] = {
    {"V0505", true, cbit_saturated},   {"V0509", true, relation_6},
    {"V0523", true, count_0},          {"V0523", true, count_9},
    {"V0526", true, lifetime_of_none}, {"V0526", true, lifetime_of_label},
};

const size_t num_built_type_rules = sizeof built_type_rules / sizeof built_type_rules[0];
