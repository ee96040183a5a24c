/* SPDX-License-Identifier: MIT
 *
 * Shadows of registers, operand by operand: the shapes and places of operand.c, over the shadow
 * in place of the registers. */
#include "exec/check_shadow.h"

#include "exec/handlers.h"

/* ---- elements --------------------------------------------------------------------------- */

static uint32_t place_of(const vsg_exe_operand *operand, const uint32_t *places, uint32_t i)
{
    return places ? places[i] : operand->offset + (uint32_t)vsg_exe_distance(operand, i);
}

static uint64_t read_place(const vsg_exe_thread *thread, const vsg_exe_operand *operand,
                           uint32_t place)
{
    uint64_t bits = 0;

    if (place != UINT32_MAX)
        memcpy(&bits, thread->check->registers + place, operand->bytes);
    return bits;
}

/* Of element `index` of states and addresses, which start at `at`. */
static uint64_t read_dword(const vsg_exe_thread *thread, uint32_t at, uint32_t num_elements,
                           uint32_t index)
{
    if (index >= num_elements)
        return 0;
    return vsg_exe_shadow_dwords(thread, at)[index] == VSG_EXE_UNWRITTEN ? UINT64_MAX : 0;
}

void vsg_exe_shadow_read(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_operand *operand, const uint32_t *places, uint32_t count,
                         uint64_t *out)
{
    const vsg_exe_unit *unit = thread->frame->unit;
    uint32_t width = operand->width ? operand->width : 1;
    bool is_in_frame =
        operand->kind == VSG_EXE_OPERAND_INDIRECT ||
        (operand->kind == VSG_EXE_OPERAND_REGION && !operand->shared && !operand->is_null);

    for (uint32_t i = 0; i < count; i++) {
        out[i] = 0;
        if (is_in_frame)
            out[i] = read_place(thread, operand, place_of(operand, places, i));
        else if (operand->kind == VSG_EXE_OPERAND_ADDRESS)
            out[i] = read_dword(thread, unit->addresses_at, unit->num_addresses,
                                operand->index + i % width);
        else if (operand->kind == VSG_EXE_OPERAND_SURFACE)
            out[i] =
                read_dword(thread, unit->surfaces_at, unit->num_surfaces, operand->index + i);
        else if (operand->kind == VSG_EXE_OPERAND_SAMPLER)
            out[i] =
                read_dword(thread, unit->samplers_at, unit->num_samplers, operand->index + i);
        else if (operand->kind == VSG_EXE_OPERAND_PREDICATE)
            out[i] = *vsg_exe_shadow_predicate(thread, operand->index) &
                     vsg_exe_first(operand->count);
    }
    (void)inst;
}

/* Destinations have one stride; a scalar one is written as if it were contiguous. */
static uint32_t place_of_result(const vsg_exe_operand *dst, const uint32_t *places, uint32_t i)
{
    int32_t stride =
        dst->shape == VSG_EXE_SHAPE_STRIDED ? dst->h_stride_bytes : (int32_t)dst->bytes;

    return places ? places[i] : dst->offset + i * (uint32_t)stride;
}

static void write_dwords(const vsg_exe_thread *thread, uint32_t at, uint32_t num_elements,
                         uint32_t first, uint32_t channels, const uint64_t *bits)
{
    uint32_t *to = vsg_exe_shadow_dwords(thread, at);

    for (uint32_t i = 0; i < VSG_EXE_MAX_CHANNELS; i++)
        if ((channels >> i & 1) && first + i < num_elements)
            to[first + i] = bits && bits[i] ? VSG_EXE_UNWRITTEN : 0;
}

/* What is neither a region nor indirect. bits NULL: all are written. */
static void write_other(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_operand *dst, uint32_t channels, const uint64_t *bits)
{
    const vsg_exe_unit *unit = thread->frame->unit;

    switch ((vsg_exe_operand_kind)dst->kind) {
    case VSG_EXE_OPERAND_PREDICATE: {
        uint32_t *shadow = vsg_exe_shadow_predicate(thread, dst->index);
        *shadow &= ~(channels << inst->mask_offset);
        for (uint32_t i = 0; bits && i < inst->exec_size; i++)
            if ((channels >> i & 1) && bits[i])
                *shadow |= 1u << (i + inst->mask_offset);
        break;
    }
    case VSG_EXE_OPERAND_ADDRESS:
        write_dwords(thread, unit->addresses_at, unit->num_addresses, dst->index, channels,
                     bits);
        break;
    case VSG_EXE_OPERAND_SURFACE:
        write_dwords(thread, unit->surfaces_at, unit->num_surfaces, dst->index, channels, bits);
        break;
    case VSG_EXE_OPERAND_SAMPLER:
        write_dwords(thread, unit->samplers_at, unit->num_samplers, dst->index, channels, bits);
        break;
    default:
        break;
    }
}

static bool is_in_frame(const vsg_exe_operand *dst)
{
    return dst->kind == VSG_EXE_OPERAND_INDIRECT ||
           (dst->kind == VSG_EXE_OPERAND_REGION && !dst->shared && !dst->is_null);
}

void vsg_exe_shadow_write(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          const vsg_exe_operand *dst, const uint32_t *places, uint32_t channels,
                          const uint64_t *bits)
{
    if (!is_in_frame(dst)) {
        write_other(thread, inst, dst, channels, bits);
        return;
    }
    for (uint32_t i = 0; i < inst->exec_size; i++) {
        uint32_t place = channels >> i & 1 ? place_of_result(dst, places, i) : UINT32_MAX;
        if (place != UINT32_MAX)
            memcpy(thread->check->registers + place, &bits[i], dst->bytes);
    }
}

/* Of one element size, so that each is one load and one store. */
#define DEFINE_CLEAR(bytes, type)                                                              \
    static void clear_##bytes(uint8_t *at, uint32_t stride, uint32_t count, uint32_t channels) \
    {                                                                                          \
        for (uint32_t i = 0; i < count; i++, at += stride) {                                   \
            type element;                                                                      \
            memcpy(&element, at, sizeof element);                                              \
            element = channels >> i & 1 ? 0 : element;                                         \
            memcpy(at, &element, sizeof element);                                              \
        }                                                                                      \
    }                                                                                          \
    static uint32_t find_##bytes(const uint8_t *at, uint32_t stride, uint32_t count)           \
    {                                                                                          \
        uint32_t found = 0;                                                                    \
        for (uint32_t i = 0; i < count; i++, at += stride) {                                   \
            type element;                                                                      \
            memcpy(&element, at, sizeof element);                                              \
            found |= (uint32_t)(element != 0) << i;                                            \
        }                                                                                      \
        return found;                                                                          \
    }
DEFINE_CLEAR(1, uint8_t)
DEFINE_CLEAR(2, uint16_t)
DEFINE_CLEAR(4, uint32_t)
DEFINE_CLEAR(8, uint64_t)
#undef DEFINE_CLEAR

static void clear_region(uint8_t *at, const vsg_exe_operand *dst, uint32_t count,
                         uint32_t channels)
{
    uint32_t stride = dst->shape == VSG_EXE_SHAPE_STRIDED ? (uint32_t)dst->h_stride_bytes
                                                          : (uint32_t)dst->bytes;

    switch (dst->bytes) {
    case 1:
        clear_1(at, stride, count, channels);
        break;
    case 2:
        clear_2(at, stride, count, channels);
        break;
    case 4:
        clear_4(at, stride, count, channels);
        break;
    default:
        clear_8(at, stride, count, channels);
        break;
    }
}

/* Elements at a stride with an unwritten bit. */
static uint32_t find_unwritten(const uint8_t *at, uint32_t stride, uint32_t bytes,
                               uint32_t count)
{
    switch (bytes) {
    case 1:
        return find_1(at, stride, count);
    case 2:
        return find_2(at, stride, count);
    case 4:
        return find_4(at, stride, count);
    default:
        return find_8(at, stride, count);
    }
}

uint32_t vsg_exe_shadow_channels(const vsg_exe_thread *thread, const vsg_exe_operand *operand,
                                 uint32_t count)
{
    const uint8_t *at = thread->check->registers + operand->offset;
    uint32_t found = 0;

    if (operand->kind != VSG_EXE_OPERAND_REGION || operand->shared || operand->is_null)
        return 0;
    switch ((vsg_exe_shape)operand->shape) {
    case VSG_EXE_SHAPE_SCALAR:
        return vsg_exe_any_set(at, operand->bytes) ? UINT32_MAX : 0;
    case VSG_EXE_SHAPE_CONTIGUOUS:
        return find_unwritten(at, operand->bytes, operand->bytes, count);
    case VSG_EXE_SHAPE_STRIDED:
        return find_unwritten(at, (uint32_t)operand->h_stride_bytes, operand->bytes, count);
    case VSG_EXE_SHAPE_ROWS:
        break;
    }
    for (uint32_t i = 0; i < count; i++)
        found |= (uint32_t)vsg_exe_any_set(at + vsg_exe_distance(operand, i), operand->bytes)
                 << i;
    return found;
}

void vsg_exe_shadow_clear(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          const vsg_exe_operand *dst, const uint32_t *places, uint32_t channels)
{
    uint32_t count = inst->exec_size;

    if (!is_in_frame(dst)) {
        if (dst->kind != VSG_EXE_OPERAND_NONE && dst->kind != VSG_EXE_OPERAND_REGION)
            write_other(thread, inst, dst, channels, NULL);
        return;
    }
    if (dst->kind == VSG_EXE_OPERAND_INDIRECT) {
        for (uint32_t i = 0; i < count; i++)
            if ((channels >> i & 1) && places[i] != UINT32_MAX)
                memset(thread->check->registers + places[i], 0, dst->bytes);
        return;
    }
    uint8_t *at = thread->check->registers + dst->offset;
    if (channels == vsg_exe_first(count) && dst->shape != VSG_EXE_SHAPE_STRIDED)
        memset(at, 0, (size_t)count * dst->bytes);
    else
        clear_region(at, dst, count, channels);
}

/* ---- what instructions look at ---------------------------------------------------------- */

uint32_t vsg_exe_shadow_condition(const vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    uint32_t all = vsg_exe_first(inst->exec_size);

    if (!inst->predicate_mode)
        return 0;
    uint32_t unwritten = *vsg_exe_shadow_predicate(thread, inst->predicate);
    if (inst->predicate_mode & (VSG_EXE_PRED_ANY | VSG_EXE_PRED_ALL))
        return unwritten & inst->combined ? all : 0;
    return unwritten >> inst->mask_offset & all;
}

bool vsg_exe_shadow_scalar(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                           const vsg_exe_operand *operand)
{
    vsg_exe_operand first = *operand;
    uint64_t bits = 0;

    first.shape = VSG_EXE_SHAPE_SCALAR;
    if (operand->kind != VSG_EXE_OPERAND_INDIRECT)
        vsg_exe_shadow_read(thread, inst, &first, NULL, 1, &bits);
    return bits != 0;
}

/* ---- indirect operands ------------------------------------------------------------------ */

static const vsg_exe_root *root_named(const vsg_exe_plan *plan, uint32_t id)
{
    for (uint32_t i = 0; i < plan->num_roots; i++)
        if (plan->roots[i].id == id)
            return &plan->roots[i];
    return NULL;
}

/* The root that a place is in; NULL: none. */
static const vsg_exe_root *root_around(const vsg_exe_plan *plan, int64_t at)
{
    for (uint32_t i = 0; i < plan->num_roots; i++)
        if (at >= plan->roots[i].at && at < plan->roots[i].end)
            return &plan->roots[i];
    return NULL;
}

static const vsg_exe_plan *plan_of(const vsg_exe_thread *thread)
{
    const vsg_exe_program *program = thread->launch->program;

    return &thread->check->check->plans[thread->frame->unit - program->units];
}

static const char *name_of(const vsg_exe_thread *thread, uint32_t id)
{
    vsg_obj_variable_facts facts;

    return vsg_obj_variable_get(thread->frame->unit->object, id, &facts) ? facts.name : NULL;
}

/* What a search for an element came to; what is wrong alike is reported once. */
typedef struct wrongs {
    uint32_t unwritten, outside, unaligned; /* channels */
    const vsg_exe_root *root;               /* of the first one outside */
    int64_t outside_at, unaligned_at;
} wrongs;

/* A place in the frame, UINT32_MAX for one in the shared registers. False: it is wrong. */
static bool find_place(const vsg_exe_thread *thread, const vsg_exe_operand *operand, uint32_t i,
                       uint32_t *place, wrongs *out)
{
    const vsg_exe_unit *unit = thread->frame->unit;
    uint32_t element = operand->index + (operand->multi_address ? i / operand->width : 0);

    if (element >= unit->num_addresses)
        return false;
    uint32_t origin = vsg_exe_shadow_dwords(thread, unit->addresses_at)[element];
    if (origin == VSG_EXE_UNWRITTEN) {
        out->unwritten |= 1u << i;
        return false;
    }
    int64_t at = (int64_t)(int32_t)thread->frame->addresses[element] + operand->indirect_bytes +
                 vsg_exe_distance(operand, i);
    *place = UINT32_MAX;
    if (at >= VSG_EXE_SHARED_ADDRESS &&
        at + operand->bytes <= VSG_EXE_SHARED_ADDRESS + thread->shared_bytes)
        return true;
    const vsg_exe_root *root =
        origin ? root_named(plan_of(thread), origin - 1) : root_around(plan_of(thread), at);
    if (!root || at < root->at || at + operand->bytes > root->end) {
        if (!out->outside) {
            out->root = root;
            out->outside_at = root ? at - root->at : at;
        }
        out->outside |= 1u << i;
        return false;
    }
    /* An address counts from a GRF's start: places are aligned as those of variables are. */
    if (at % operand->bytes != 0) {
        if (!out->unaligned)
            out->unaligned_at = at - root->at;
        out->unaligned |= 1u << i;
    }
    *place = (uint32_t)at;
    return true;
}

uint32_t vsg_exe_check_indirect(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                const vsg_exe_operand *operand, uint32_t channels,
                                uint32_t *places)
{
    wrongs found = {0};
    uint32_t bad = 0;

    for (uint32_t i = 0; i < inst->exec_size; i++) {
        places[i] = UINT32_MAX;
        if ((channels >> i & 1) && !find_place(thread, operand, i, &places[i], &found))
            bad |= 1u << i;
    }
    if (found.unwritten)
        vsg_exe_check_unwritten(thread, inst, found.unwritten, "the address of an operand");
    if (found.outside) {
        vsg_exe_finding finding = {
            .diag = found.root ? VSG_DIAG_CHECK_INDIRECT : VSG_DIAG_CHECK_INDIRECT_WILD,
            .address = (uint64_t)found.outside_at,
            .size_bytes = operand->bytes,
            .limit = found.root ? (int64_t)(found.root->end - found.root->at) : 0,
            .name = found.root ? name_of(thread, found.root->id) : NULL};
        vsg_exe_check_report(thread, inst, &finding, found.outside);
    }
    if (found.unaligned) {
        vsg_exe_finding finding = {.diag = VSG_DIAG_CHECK_INDIRECT_ALIGN,
                                   .address = (uint64_t)found.unaligned_at,
                                   .size_bytes = operand->bytes};
        vsg_exe_check_report(thread, inst, &finding, found.unaligned);
    }
    return bad;
}

/* ---- frames ----------------------------------------------------------------------------- */

static bool fit_depth(vsg_exe_thread *thread)
{
    vsg_exe_check_thread *check = thread->check;
    uint32_t capacity = thread->cap_frames;

    if (check->cap_frames >= capacity)
        return true;
    uint8_t **frames = vsg_base_new(thread->alloc, capacity, sizeof *frames);
    size_t *bytes = vsg_base_new(thread->alloc, capacity, sizeof *bytes);
    if (!frames || !bytes) {
        vsg_base_delete(thread->alloc, frames, capacity, sizeof *frames);
        vsg_base_delete(thread->alloc, bytes, capacity, sizeof *bytes);
        return false;
    }
    if (check->cap_frames) {
        memcpy(frames, check->frames, check->cap_frames * sizeof *frames);
        memcpy(bytes, check->frame_bytes, check->cap_frames * sizeof *bytes);
    }
    vsg_base_delete(thread->alloc, check->frames, check->cap_frames, sizeof *frames);
    vsg_base_delete(thread->alloc, check->frame_bytes, check->cap_frames, sizeof *bytes);
    check->frames = frames;
    check->frame_bytes = bytes;
    check->cap_frames = capacity;
    return true;
}

void vsg_exe_shadow_enter(vsg_exe_thread *thread)
{
    thread->check->registers = thread->check->frames[thread->num_frames - 1];
}

bool vsg_exe_shadow_push(vsg_exe_thread *thread)
{
    vsg_exe_check_thread *check = thread->check;
    const vsg_exe_unit *unit = thread->frame->unit;
    uint32_t depth = thread->num_frames - 1;

    if (!fit_depth(thread))
        return false;
    if (check->frame_bytes[depth] < unit->frame_bytes) {
        uint8_t *grown = vsg_base_new(thread->alloc, unit->frame_bytes, 1);
        if (!grown)
            return false;
        vsg_base_delete(thread->alloc, check->frames[depth], check->frame_bytes[depth], 1);
        check->frames[depth] = grown;
        check->frame_bytes[depth] = unit->frame_bytes;
    }
    memset(check->frames[depth], 0xff, unit->frame_bytes);
    vsg_exe_shadow_enter(thread);
    memset(vsg_exe_shadow_dwords(thread, unit->surfaces_at), 0,
           VSG_ISA_NUM_SURFACES * sizeof(uint32_t));
    return true;
}

void vsg_exe_check_free(vsg_exe_thread *thread)
{
    const vsg_base_alloc *alloc = thread->alloc;
    vsg_exe_check_thread *check = thread->check;

    if (!check)
        return;
    for (uint32_t i = 0; i < check->cap_frames; i++)
        vsg_base_delete(alloc, check->frames[i], check->frame_bytes[i], 1);
    vsg_base_delete(alloc, check->frames, check->cap_frames, sizeof *check->frames);
    vsg_base_delete(alloc, check->frame_bytes, check->cap_frames, sizeof *check->frame_bytes);
    vsg_base_delete(alloc, check, 1, sizeof *check);
    thread->check = NULL;
}
