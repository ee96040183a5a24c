/* SPDX-License-Identifier: MIT
 *
 * Prints what the instruction table allows, for scripts/coverage.py:
 *
 *     op NUMBER ID GROUP NAME:NUMBER:TYPED...   the vector operands of a row
 *     cell NUMBER NAME                          a cell of it
 *     none NUMBER ID REASON                     a row that nothing can execute */
#include <stdio.h>

#include "cells.h"

static const char *id_of(visage_op op)
{
    static const char *const ids[] = {
#define OP(id, ...) [VISAGE_OP_##id] = #id,
#include "isa/opcodes.def"
#undef OP
    };
    return ids[op];
}

static void print_row(const spec_row *row)
{
    char name[128];

    printf("op %u %s %s", (unsigned)row->op, id_of(row->op), row->info->group);
    for (uint32_t i = 0; i < row->num_operands; i++)
        printf(" %s:%u:%d", vsg_isa_operand_slot(row->op, row->operands[i].number)->name,
               row->operands[i].number, spec_row_types(row, i) != 0);
    printf("\n");
    for (size_t i = 0; i < row->num_cells; i++) {
        spec_cell_name(row, &row->cells[i], name, sizeof name);
        printf("cell %u %s\n", (unsigned)row->op, name);
    }
}

int main(void)
{
    for (uint32_t op = 0; op < VISAGE_OP_COUNT; op++) {
        spec_row row;
        if (spec_row_open((visage_op)op, &row)) {
            print_row(&row);
            spec_row_free(&row);
        } else {
            printf("none %u %s %s\n", op, id_of((visage_op)op),
                   spec_row_refusal((visage_op)op));
        }
    }
    return 0;
}
