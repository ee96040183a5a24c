/* SPDX-License-Identifier: MIT
 *
 * Loops that what is read from memory ends: in them threads may wait for others. Where a load
 * stays in a loop without stores, always from one place, the program has said that it is
 * volatile: there they do. */
#include "exec/handlers.h"
#include "exec/layout.h"
#include "exec/message.h"

/* An exit depends on few variables; and no more instructions than that are looked at in all.
 * What is beyond that is taken to depend on memory. */
enum { MOST_KEYS = 128, MOST_LOOKED_AT = 1 << 22 };

/* What the exits of a loop depend on, by operand class and number of the variable. */
typedef struct exits {
    const vsg_exe_unit *unit;
    uint32_t first, last; /* instructions of the loop */
    uint64_t keys[MOST_KEYS];
    uint32_t num_keys;
    bool is_full;        /* there are more */
    uint32_t *looked_at; /* instructions, in all loops so far */
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

static void add(exits *x, uint64_t key)
{
    if (has(x, key))
        return;
    x->is_full |= x->num_keys == MOST_KEYS;
    if (!x->is_full)
        x->keys[x->num_keys++] = key;
}

static bool is_variable(const vsg_obj_operand *operand)
{
    return operand->class_ <= VSG_OBJ_CLASS_INDIRECT || operand->class_ == VSG_OBJ_CLASS_RAW;
}

/* Does an exit depend on what the instruction writes? */
static bool is_wanted(const exits *x, const vsg_exe_inst *inst)
{
    const vsg_obj_inst *source = inst->source;
    bool is = false;

    for (uint32_t i = 0; i < source->num_operands && !is; i++)
        is = vsg_isa_is_destination(source->op, i) && is_variable(&source->operands[i]) &&
             has(x, key_of(x, source->operands[i].class_, source->operands[i].id));
    return is;
}

static void add_sources(exits *x, const vsg_exe_inst *inst)
{
    const vsg_obj_inst *source = inst->source;

    if (source->predicate)
        add(x, key_of(x, VSG_OBJ_CLASS_PREDICATE, source->predicate));
    for (uint32_t i = 0; i < source->num_operands; i++)
        if (!vsg_isa_is_destination(source->op, i) && is_variable(&source->operands[i]))
            add(x, key_of(x, source->operands[i].class_, source->operands[i].id));
}

static bool is_jump(const vsg_exe_inst *inst)
{
    return inst->source &&
           (inst->handler == vsg_exe_do_goto || inst->handler == vsg_exe_do_jmp ||
            inst->handler == vsg_exe_do_goto_backward);
}

/* Jumps over the instruction in hand, by which control may not come to it in a round. */
enum { MOST_OVER = 64 };
typedef struct over {
    const vsg_exe_inst *jumps[MOST_OVER];
    uint32_t num;
} over;

/* Goes on to an instruction, from the one before it. */
static void go_on(exits *x, over *o, uint32_t place)
{
    const vsg_exe_inst *before = place > x->first ? &x->unit->code[place - 1] : NULL;
    uint32_t num = 0;

    if (before && is_jump(before) && before->source->predicate && before->target > place &&
        before->target <= x->last) {
        x->is_full |= o->num == MOST_OVER;
        if (o->num < MOST_OVER)
            o->jumps[o->num++] = before;
    }
    for (uint32_t i = 0; i < o->num; i++)
        if (o->jumps[i]->target > place)
            o->jumps[num++] = o->jumps[i];
    o->num = num;
}

static void add_conditions(exits *x, const over *o)
{
    for (uint32_t i = 0; i < o->num; i++)
        add(x, key_of(x, VSG_OBJ_CLASS_PREDICATE, o->jumps[i]->source->predicate));
}

/* The loop's own jump back, and those that leave it. */
static void add_exits(exits *x)
{
    over o = {.num = 0};

    for (uint32_t i = x->first; i <= x->last; i++) {
        const vsg_exe_inst *inst = &x->unit->code[i];
        go_on(x, &o, i);
        bool leaves = is_jump(inst) && (inst->target < x->first || inst->target > x->last);
        if (!leaves && i != x->last)
            continue;
        if (inst->source->predicate)
            add(x, key_of(x, VSG_OBJ_CLASS_PREDICATE, inst->source->predicate));
        else if (leaves)
            add_conditions(x, &o);
    }
}

static bool goes_to_memory(const vsg_exe_inst *inst)
{
    return inst->message && inst->source;
}

/* What is called is not looked into: it may read what others write. */
static bool calls(const vsg_exe_inst *inst)
{
    return inst->source && (inst->op == VISAGE_OP_CALL || inst->op == VISAGE_OP_FCALL ||
                            inst->op == VISAGE_OP_IFCALL);
}

static bool leaves_group(const vsg_exe_inst *inst)
{
    return goes_to_memory(inst) && !vsg_exe_is_slm(inst->message);
}

static bool stores(const vsg_exe_inst *inst)
{
    return leaves_group(inst) && inst->handler != vsg_exe_do_load &&
           inst->handler != vsg_exe_do_load_status;
}

static bool has_some(const exits *x, bool (*is_one)(const vsg_exe_inst *inst))
{
    uint32_t i = x->first;

    while (i <= x->last && !is_one(&x->unit->code[i]))
        i++;
    return i <= x->last;
}

/* Does a round change where a message goes? */
static bool moves(const exits *x, const vsg_exe_inst *message)
{
    exits address = {.unit = x->unit, .first = x->first, .last = x->last};
    bool does = false;

    add_sources(&address, message);
    for (uint32_t i = x->first; i <= x->last && !does; i++)
        does = x->unit->code[i].source && is_wanted(&address, &x->unit->code[i]);
    return does;
}

/* The exits' first dependence on memory; NULL: there is none. */
static const vsg_exe_inst *find_memory(exits *x)
{
    uint32_t before;

    do {
        over o = {.num = 0};
        before = x->num_keys;
        for (uint32_t i = x->first; i <= x->last; i++) {
            const vsg_exe_inst *inst = &x->unit->code[i];
            go_on(x, &o, i);
            if (!inst->source || !is_wanted(x, inst))
                continue;
            if (goes_to_memory(inst))
                return inst;
            add_sources(x, inst);
            add_conditions(x, &o);
        }
        *x->looked_at += x->last - x->first + 1;
    } while (x->num_keys > before && *x->looked_at < MOST_LOOKED_AT);
    return NULL;
}

static vsg_exe_polling polling_of(exits *x)
{
    *x->looked_at += x->last - x->first + 1;
    if (*x->looked_at >= MOST_LOOKED_AT)
        return VSG_EXE_MAY_POLL;
    add_exits(x);
    if (x->num_keys == 0)
        return VSG_EXE_NO_POLLING;
    if (has_some(x, calls))
        return VSG_EXE_MAY_POLL;
    const vsg_exe_inst *message = find_memory(x);
    if (!has_some(x, leaves_group))
        return message ? VSG_EXE_POLLS_IN_GROUP : VSG_EXE_NO_POLLING;
    if (message && leaves_group(message) && !has_some(x, stores) && !moves(x, message))
        return VSG_EXE_POLLS;
    x->is_full |= *x->looked_at >= MOST_LOOKED_AT;
    return message || x->is_full ? VSG_EXE_MAY_POLL : VSG_EXE_NO_POLLING;
}

/* Longer loops mostly do more in a round than wait. */
enum { MOST_SHORT = 512 };

void vsg_exe_find_polling(vsg_exe_unit *unit)
{
    uint32_t looked_at = 0;

    unit->polling = VSG_EXE_NO_POLLING;
    for (uint32_t i = 0; i < unit->num_code; i++) {
        const vsg_exe_inst *inst = &unit->code[i];
        if (!is_jump(inst) || inst->target > i)
            continue;
        exits x = {.unit = unit, .first = inst->target, .last = i, .looked_at = &looked_at};
        vsg_exe_polling found = polling_of(&x);
        if (found > unit->polling)
            unit->polling = found;
        if (found == VSG_EXE_NO_POLLING || i - x.first >= MOST_SHORT)
            continue;
        for (uint32_t k = x.first; k <= i; k++)
            unit->code[k].polls = true;
    }
}
