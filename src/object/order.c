/* SPDX-License-Identifier: MIT
 *
 * The order of the strings of a unit. Strings that were read keep theirs. Those of a text get
 * the order in which the compiler would have made them, as far as a listing shows it: variables
 * by their numbers, others between them where the instructions that first name them stand. No
 * document and no reader asks for an order; with this one the binary of a listing has the bytes
 * that the compiler's has. Sources: real files; spec dialect 1.1. */
#include <string.h>

#include "object/writer.h"

/* ---- strings ---------------------------------------------------------------------------- */

static uint32_t use(vsg_obj_writer *w, const char *text)
{
    uint32_t number = UINT32_MAX;

    if (w->status != VISAGE_OK)
        return number;
    number = vsg_obj_pool_find(&w->pool, text);
    if (number == UINT32_MAX)
        w->status = VISAGE_NO_MEMORY;
    return number;
}

static void use_attributes(vsg_obj_writer *w, const vsg_obj_attributes *list)
{
    for (size_t i = 0; i < list->count; i++)
        (void)use(w, list->items[i].name);
}

/* A label has a string of its own, which may be equal to the function's name. */
static void use_label(vsg_obj_writer *w, uint32_t id)
{
    const vsg_obj_naming *naming = &w->naming;
    const char *name = naming->label_names[id];
    const char *as_read = w->unit->labels[id].name;
    size_t index;
    uint32_t number;

    if (w->status != VISAGE_OK)
        return;
    if (vsg_obj_stored_find(&w->unit->stored, as_read, &index) &&
        (name == as_read || naming->renamed[index] == name))
        number = vsg_obj_pool_stored(&w->pool, index);
    else if (w->module->layout == VSG_OBJ_LAYOUT_NONE)
        number = vsg_obj_pool_append(&w->pool, name);
    else
        number = vsg_obj_pool_find(&w->pool, name);
    if (number == UINT32_MAX)
        w->status = VISAGE_NO_MEMORY;
    w->label_strings[id] = number;
    use_attributes(w, &w->unit->labels[id].attributes);
}

static void use_state(vsg_obj_writer *w, const vsg_obj_state *state, const char *name)
{
    (void)use(w, name);
    use_attributes(w, &state->attributes);
}

/* ---- what has been made so far ---------------------------------------------------------- */

/* An attribute that is named while variables are made. */
typedef struct mark {
    const char *name;
    size_t after; /* position of the variable behind which it is named */
} mark;

enum { MOST_MARKS = 3 };
#define NOWHERE UINT32_MAX

typedef struct maker {
    vsg_obj_writer *w;
    const vsg_obj_unit *unit;
    size_t variables, addresses, predicates, labels; /* how many there are */
    size_t pointers;    /* variables there were when make_pointers() found no more */
    size_t late_inputs; /* variables up to the last input that no instruction names */
    size_t subroutines; /* begun */
    /* by position of the variable: */
    bool *is_written;  /* it is an input or an alias, or has a value from an instruction */
    bool *is_compared; /* CMP has it for a source */
    uint32_t *needed;  /* first instruction that names it or a later one */
    bool *is_needed;   /* and that is the variable itself */
    uint32_t *blocks;  /* by instruction: labels before it */
    uint32_t inst;     /* the instruction that makes */
    mark marks[MOST_MARKS];
    unsigned num_marks;
    const char *pending; /* an attribute of a kernel that is still to be named, or NULL */
    bool has_stack;
} maker;

static void make_variables(maker *m, size_t count)
{
    for (; m->variables < count && m->variables < m->unit->num_variables; m->variables++) {
        const vsg_obj_variable *variable = &m->unit->variables[m->variables];
        m->w->variable_strings[m->variables] = use(m->w, variable->name);
        use_attributes(m->w, &variable->attributes);
        for (unsigned i = 0; i < m->num_marks; i++)
            if (m->marks[i].after == m->variables)
                (void)use(m->w, m->marks[i].name);
    }
}

static void make_addresses(maker *m, size_t count)
{
    for (; m->addresses < count && m->addresses < m->unit->num_addresses; m->addresses++)
        use_state(m->w, &m->unit->addresses[m->addresses],
                  m->w->naming.addresses[m->addresses]);
}

static void make_predicates(maker *m, size_t count)
{
    for (; m->predicates < count && m->predicates < m->unit->num_predicates; m->predicates++)
        use_state(m->w, &m->unit->predicates[m->predicates],
                  m->w->naming.predicates[m->predicates]);
}

static void make_labels(maker *m, size_t count)
{
    for (; m->labels < count && m->labels < m->unit->num_labels; m->labels++)
        use_label(m->w, m->w->naming.label_order[m->labels]);
}

static void make_states(maker *m)
{
    const vsg_obj_unit *unit = m->unit;

    for (size_t i = 0; i < unit->num_surfaces; i++)
        use_state(m->w, &unit->surfaces[i], m->w->naming.surfaces[i]);
    for (size_t i = 0; i < unit->num_samplers; i++)
        use_state(m->w, &unit->samplers[i], m->w->naming.samplers[i]);
    for (size_t i = 0; i < unit->stored.num_vmes; i++)
        use_state(m->w, &unit->stored.vmes[i], unit->stored.vmes[i].name);
}

/* Variables of the payload that no instruction names are made last, and then this attribute is
 * known. */
static void make_pending(maker *m)
{
    make_variables(m, m->late_inputs);
    if (m->pending)
        (void)use(m->w, m->pending);
    m->pending = NULL;
}

/* ---- variables by position -------------------------------------------------------------- */

/* Position of a general variable, SIZE_MAX: a predefined one. */
static size_t position_of(uint32_t id)
{
    return id >= VSG_ISA_FIRST_VARIABLE ? id - VSG_ISA_FIRST_VARIABLE : SIZE_MAX;
}

static size_t variable_of(const vsg_obj_operand *operand)
{
    bool names = operand->class_ == VSG_OBJ_CLASS_GENERAL ||
                 operand->class_ == VSG_OBJ_CLASS_RAW ||
                 (operand->class_ == VSG_OBJ_CLASS_ADDRESS_OF && operand->state == 2) ||
                 (operand->class_ == VSG_OBJ_CLASS_VARIABLE && operand->state == 0);

    return names ? position_of(operand->id) : SIZE_MAX;
}

static void set(bool *flags, const vsg_obj_unit *unit, size_t position)
{
    if (position < unit->num_variables)
        flags[position] = true;
}

static void find_operand(maker *m, uint32_t index, unsigned number)
{
    const vsg_obj_inst *inst = &m->unit->insts[index];
    size_t position = variable_of(&inst->operands[number]);

    if (position >= m->unit->num_variables)
        return;
    if (!m->is_written[position])
        m->is_written[position] = vsg_isa_is_destination(inst->op, number);
    m->is_compared[position] |= inst->op == VISAGE_OP_CMP;
    if (m->needed[position] == NOWHERE)
        m->needed[position] = index;
}

static void find_named(maker *m)
{
    const vsg_obj_unit *unit = m->unit;
    uint32_t labels = 0;

    for (size_t i = 0; i < unit->num_variables; i++)
        m->needed[i] = NOWHERE;
    for (uint32_t i = 0; i < unit->num_insts; i++) {
        const vsg_obj_inst *inst = &unit->insts[i];
        labels += inst->op == VISAGE_OP_LABEL || inst->op == VISAGE_OP_SUBROUTINE;
        m->blocks[i] = labels;
        for (unsigned o = 0; o < inst->num_operands; o++)
            find_operand(m, i, o);
    }
    m->needed[unit->num_variables] = NOWHERE;
    for (size_t i = unit->num_variables; i-- > 0;) {
        const vsg_obj_variable *variable = &unit->variables[i];
        m->is_needed[i] = m->needed[i] != NOWHERE && m->needed[i] <= m->needed[i + 1];
        if (!m->is_needed[i])
            m->needed[i] = m->needed[i + 1];
        if (variable->alias == VSG_OBJ_NO_ALIAS || variable->alias_is_global)
            continue;
        if (m->is_written[i])
            set(m->is_written, unit, position_of(variable->alias));
        m->is_written[i] = true;
    }
}

static void *new_table(maker *m, size_t count, size_t size)
{
    void *table = vsg_base_arena_new(&m->w->naming.arena, count + 1, size);

    if (!table)
        m->w->status = VISAGE_NO_MEMORY;
    return table;
}

static bool make_tables(maker *m)
{
    const vsg_obj_unit *unit = m->unit;

    m->is_written = new_table(m, unit->num_variables, sizeof *m->is_written);
    m->is_compared = new_table(m, unit->num_variables, sizeof *m->is_compared);
    m->needed = new_table(m, unit->num_variables, sizeof *m->needed);
    m->is_needed = new_table(m, unit->num_variables, sizeof *m->is_needed);
    m->blocks = new_table(m, unit->num_insts, sizeof *m->blocks);
    return m->w->status == VISAGE_OK;
}

/* Position of the first alias of a predefined variable, SIZE_MAX: none. */
static size_t alias_of(const vsg_obj_unit *unit, uint32_t id)
{
    for (size_t i = 0; i < unit->num_variables; i++)
        if (unit->variables[i].alias == id)
            return i;
    return SIZE_MAX;
}

/* ---- before the first instruction ------------------------------------------------------- */

/* The payload: r0 and its alias, then the inputs, which lie close together; those that lie
 * further behind were made when the code was there. */
static void make_inputs(maker *m)
{
    enum { FURTHEST = 3, BEFORE_INPUTS = 2 };
    const vsg_obj_unit *unit = m->unit;
    size_t end = BEFORE_INPUTS;
    bool any = false;
    bool *is_input = new_table(m, unit->num_variables, sizeof *is_input);

    if (!is_input)
        return;
    for (size_t i = 0; i < unit->num_inputs; i++) {
        size_t position = position_of(unit->inputs[i].id);
        if (unit->inputs[i].kind != VSG_OBJ_INPUT_GENERAL || position >= unit->num_variables)
            continue;
        is_input[position] = m->is_written[position] = any = true;
    }
    for (size_t i = 0; i < unit->num_variables; i++) {
        if (!is_input[i])
            continue;
        if (i < end + FURTHEST)
            end = i + 1;
        else
            m->late_inputs = i + 1;
    }
    if (any)
        make_variables(m, end);
}

static void begin_kernel(maker *m)
{
    const vsg_obj_attributes *list = &m->unit->attributes;

    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].name, "PerThreadInputSize") == 0)
            m->pending = list->items[i].name;
        else
            (void)use(m->w, list->items[i].name);
    }
    m->has_stack = alias_of(m->unit, VSG_ISA_VAR_SP) != SIZE_MAX;
    make_labels(m, 1);
    make_states(m);
    make_inputs(m);
}

static void add_mark(maker *m, const char *name, size_t after)
{
    if (vsg_obj_attribute_find(&m->unit->attributes, name))
        m->marks[m->num_marks++] = (mark){name, after};
}

/* A function: parameters, SimdSize, %arg and what else is behind predefined variables, Extern,
 * the aliases of parameters in %arg, ArgSize. */
static void begin_function(maker *m)
{
    const vsg_obj_unit *unit = m->unit;
    size_t arg = alias_of(unit, VSG_ISA_VAR_ARG), fp = alias_of(unit, VSG_ISA_VAR_FP);

    make_labels(m, 1);
    if (arg == SIZE_MAX || arg < 2 || fp == SIZE_MAX || fp < arg)
        return;
    size_t end = fp + 1;
    while (end < unit->num_variables &&
           unit->variables[end].alias == VSG_ISA_FIRST_VARIABLE + arg)
        end++;
    add_mark(m, "SimdSize", arg - 2);
    add_mark(m, "Extern", fp);
    add_mark(m, "ArgSize", end - 1);
    make_variables(m, end);
}

/* ---- instructions ----------------------------------------------------------------------- */

/* Is the next variable made for an access in a block that comes later? Nothing after it is
 * wanted before that access. */
static bool is_of_later_block(const maker *m)
{
    uint32_t needed = m->needed[m->variables];

    return needed != NOWHERE && m->is_needed[m->variables] &&
           m->blocks[needed] != m->blocks[m->inst];
}

/* The compiler makes a pointer's alias where the pointer gets its type, which no instruction
 * shows: before the access, in its block. Where variables for other blocks come before the
 * access, the block was split and it stayed before them. */
static void make_pointers(maker *m)
{
    if (m->pointers == m->variables)
        return;
    for (; m->variables < m->unit->num_variables; make_variables(m, m->variables + 1)) {
        const vsg_obj_variable *next = &m->unit->variables[m->variables];
        size_t base = next->alias == VSG_OBJ_NO_ALIAS ? SIZE_MAX : position_of(next->alias);
        if (base >= m->variables || next->type != VISAGE_TYPE_UQ ||
            m->unit->variables[base].type != VISAGE_TYPE_Q || m->is_compared[m->variables])
            break;
        if (is_of_later_block(m))
            return;
    }
    m->pointers = m->variables;
}

/* Results that nobody wants, and those of instructions that are gone, are made with their
 * instruction: before a predicate, at the latest. */
static void make_unwanted(maker *m)
{
    while (m->variables < m->unit->num_variables && !m->is_written[m->variables] &&
           !m->is_needed[m->variables])
        make_variables(m, m->variables + 1);
}

static void make_predicate(maker *m, uint32_t id)
{
    if (id <= m->predicates)
        return;
    make_unwanted(m);
    make_predicates(m, id);
}

static void make_operand(maker *m, const vsg_obj_operand *operand)
{
    size_t variable = variable_of(operand);

    if (variable < m->variables && m->pointers == m->variables)
        return;
    if (variable != SIZE_MAX)
        make_variables(m, variable + 1);
    else if (operand->class_ == VSG_OBJ_CLASS_ADDRESS ||
             operand->class_ == VSG_OBJ_CLASS_INDIRECT)
        make_addresses(m, (size_t)operand->id + 1);
    else if (operand->class_ == VSG_OBJ_CLASS_PREDICATE)
        make_predicate(m, operand->id);
    else if (operand->class_ == VSG_OBJ_CLASS_LABEL)
        make_labels(m, (size_t)vsg_obj_label_number(m->w, operand->id) + 1);
    else
        return;
    make_pointers(m);
}

/* Is it the variable at a position, or an alias of it? */
static bool is_of(const maker *m, const vsg_obj_operand *operand, size_t position)
{
    size_t found = variable_of(operand);

    return found == position || (found < m->unit->num_variables &&
                                 m->unit->variables[found].alias != VSG_OBJ_NO_ALIAS &&
                                 position_of(m->unit->variables[found].alias) == position);
}

static bool same_channels(const vsg_obj_inst *a, const vsg_obj_inst *b)
{
    return a->exec_size == b->exec_size && a->mask_offset == b->mask_offset &&
           a->no_mask == b->no_mask;
}

/* What the next instruction compares with zero, and a constant with which it compares that is
 * too large for it, are one operation with the comparison for the compiler: it makes the
 * predicate first. */
static bool is_of_compare(const maker *m, const vsg_obj_inst *inst, const vsg_obj_inst *next)
{
    bool is_logic =
        inst->op == VISAGE_OP_AND || inst->op == VISAGE_OP_OR || inst->op == VISAGE_OP_BFN;
    const vsg_obj_operand *operands = next->operands; /* relation, dst, src0, src1 */

    if ((!is_logic && inst->op != VISAGE_OP_MOV) || next->op != VISAGE_OP_CMP ||
        inst->num_operands < 2 || next->num_operands < 4 ||
        operands[1].class_ != VSG_OBJ_CLASS_PREDICATE)
        return false;
    size_t result = variable_of(&inst->operands[0]);
    if (result == SIZE_MAX || result < m->variables)
        return false;
    if (is_logic)
        return same_channels(inst, next) && variable_of(&operands[2]) == result &&
               operands[3].class_ == VSG_OBJ_CLASS_IMMEDIATE && operands[3].value == 0;
    return inst->operands[1].class_ == VSG_OBJ_CLASS_IMMEDIATE &&
           is_of(m, &operands[3], result);
}

static void make_operands(maker *m, const vsg_obj_inst *inst)
{
    make_predicate(m, inst->predicate);
    for (unsigned i = 0; i < inst->num_operands; i++)
        make_operand(m, &inst->operands[i]);
    /* FADDR makes its destination first. */
    for (unsigned i = 0; i < inst->num_operands; i++)
        if (inst->operands[i].class_ == VSG_OBJ_CLASS_NAME)
            (void)use(m->w, inst->operands[i].name);
}

static void make_inst(maker *m, const vsg_obj_inst *inst, const vsg_obj_inst *next)
{
    bool is_store = inst->op == VISAGE_OP_LSC_STORE || inst->op == VISAGE_OP_SVM_BLOCK_ST ||
                    inst->op == VISAGE_OP_SVM_SCATTER;

    if (inst->op == VISAGE_OP_SUBROUTINE && ++m->subroutines == 2 && !m->has_stack)
        make_pending(m);
    if (next && is_of_compare(m, inst, next)) {
        for (unsigned i = 1; i < inst->num_operands; i++)
            make_operand(m, &inst->operands[i]);
        make_operand(m, &next->operands[1]);
    }
    make_operands(m, inst);
    /* The first store of a kernel that calls begins its stack and ends its prologue. */
    if (is_store && m->has_stack && m->pending)
        make_pending(m);
}

/* ---- the whole -------------------------------------------------------------------------- */

static void make_rest(maker *m)
{
    make_variables(m, SIZE_MAX);
    make_addresses(m, SIZE_MAX);
    make_predicates(m, SIZE_MAX);
    make_pending(m);
    make_labels(m, SIZE_MAX);
    if (m->unit->is_function)
        make_states(m);
    use_attributes(m->w, &m->unit->attributes);
}

static void make_all(maker *m)
{
    const vsg_obj_unit *unit = m->unit;

    if (!make_tables(m))
        return;
    find_named(m);
    if (unit->is_function)
        begin_function(m);
    else
        begin_kernel(m);
    for (uint32_t i = 0; i < unit->num_insts; i++) {
        m->inst = i;
        make_inst(m, &unit->insts[i], i + 1 < unit->num_insts ? &unit->insts[i + 1] : NULL);
    }
    make_rest(m);
}

void vsg_obj_number_strings(vsg_obj_writer *writer)
{
    const vsg_obj_unit *unit = writer->unit;
    maker m = {.w = writer, .unit = unit, .pointers = SIZE_MAX};

    make_all(&m);
    (void)use(writer, unit->stored.pool_name ? unit->stored.pool_name : unit->name);
}
