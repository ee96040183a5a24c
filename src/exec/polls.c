/* SPDX-License-Identifier: MIT
 *
 * Loops that what is read from memory ends: in them threads may wait for others. */
#include "exec/handlers.h"
#include "exec/layout.h"
#include "exec/message.h"

/* Loops that wait are short; and an exit depends on few variables. */
enum { MOST_INSTRUCTIONS = 512, MOST_KEYS = 128 };

/* What the exits of a loop depend on, by operand class and number of the variable. */
typedef struct exits {
    const vsg_exe_unit *unit;
    uint32_t first, last; /* instructions of the loop */
    uint64_t keys[MOST_KEYS];
    uint32_t num_keys;
} exits;

/* Variables that are aliases of one are that one. */
static uint64_t key_of(const exits *x, uint8_t class_, uint32_t id)
{
    uint32_t root = id;
    uint64_t offset_bytes;

    if (class_ == VSG_OBJ_CLASS_RAW)
        class_ = VSG_OBJ_CLASS_GENERAL;
    else if (class_ == VSG_OBJ_CLASS_INDIRECT)
        class_ = VSG_OBJ_CLASS_ADDRESS;
    if (class_ == VSG_OBJ_CLASS_GENERAL &&
        !vsg_obj_variable_root(x->unit->object, id, &root, &offset_bytes))
        root = id;
    return (uint64_t)class_ << 32 | root;
}

static bool has(const exits *x, uint64_t key)
{
    uint32_t i = 0;

    while (i < x->num_keys && x->keys[i] != key)
        i++;
    return i < x->num_keys;
}

/* What is beyond the most is left out. */
static void add(exits *x, uint64_t key)
{
    if (x->num_keys < MOST_KEYS && !has(x, key))
        x->keys[x->num_keys++] = key;
}

static bool is_variable(const vsg_obj_operand *operand)
{
    return operand->class_ <= VSG_OBJ_CLASS_INDIRECT || operand->class_ == VSG_OBJ_CLASS_RAW;
}

static bool is_destination(const vsg_exe_inst *inst, uint32_t operand)
{
    const vsg_isa_slot *slot = vsg_isa_operand_slot((visage_op)inst->op, operand);

    return slot && ((slot->kind >= VSG_ISA_SLOT_DST && slot->kind <= VSG_ISA_SLOT_STATE_DST) ||
                    slot->kind == VSG_ISA_SLOT_RAW_DST);
}

/* Does an exit depend on what the instruction writes? */
static bool is_wanted(const exits *x, const vsg_exe_inst *inst)
{
    const vsg_obj_inst *source = inst->source;
    bool is = false;

    for (uint32_t i = 0; i < source->num_operands && !is; i++)
        is = is_destination(inst, i) && is_variable(&source->operands[i]) &&
             has(x, key_of(x, source->operands[i].class_, source->operands[i].id));
    return is;
}

static void add_sources(exits *x, const vsg_exe_inst *inst)
{
    const vsg_obj_inst *source = inst->source;

    if (source->predicate)
        add(x, key_of(x, VSG_OBJ_CLASS_PREDICATE, source->predicate));
    for (uint32_t i = 0; i < source->num_operands; i++)
        if (!is_destination(inst, i) && is_variable(&source->operands[i]))
            add(x, key_of(x, source->operands[i].class_, source->operands[i].id));
}

static bool is_jump(const vsg_exe_inst *inst)
{
    return inst->source &&
           (inst->handler == vsg_exe_do_goto || inst->handler == vsg_exe_do_jmp ||
            inst->handler == vsg_exe_do_goto_backward);
}

/* The loop's own jump back, and those that leave it. */
static void add_exits(exits *x)
{
    for (uint32_t i = x->first; i <= x->last; i++) {
        const vsg_exe_inst *inst = &x->unit->code[i];
        bool leaves = is_jump(inst) && (inst->target < x->first || inst->target > x->last);
        if ((leaves || i == x->last) && inst->source->predicate)
            add(x, key_of(x, VSG_OBJ_CLASS_PREDICATE, inst->source->predicate));
    }
}

static bool goes_to_memory(const vsg_exe_inst *inst)
{
    return inst->message && inst->source;
}

static bool has_message(const exits *x)
{
    uint32_t i = x->first;

    while (i <= x->last &&
           !(goes_to_memory(&x->unit->code[i]) && !vsg_exe_is_slm(x->unit->code[i].message)))
        i++;
    return i <= x->last;
}

static bool depends_on_memory(exits *x)
{
    uint32_t before;

    do {
        before = x->num_keys;
        for (uint32_t i = x->first; i <= x->last; i++) {
            const vsg_exe_inst *inst = &x->unit->code[i];
            if (!inst->source || !is_wanted(x, inst))
                continue;
            if (goes_to_memory(inst))
                return true;
            add_sources(x, inst);
        }
    } while (x->num_keys > before);
    return false;
}

bool vsg_exe_polls(const vsg_exe_unit *unit)
{
    bool polls = false;

    for (uint32_t i = 0; i < unit->num_code && !polls; i++) {
        const vsg_exe_inst *inst = &unit->code[i];
        exits x = {.unit = unit, .first = inst->target, .last = i};
        if (!is_jump(inst) || inst->target > i || i - inst->target >= MOST_INSTRUCTIONS ||
            !has_message(&x))
            continue;
        add_exits(&x);
        polls = depends_on_memory(&x);
    }
    return polls;
}
