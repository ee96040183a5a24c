/* SPDX-License-Identifier: MIT
 *
 * Messages in check mode: where their addresses lead, to the byte, whether anything was written
 * there, and whether what is stored was. Channels whose access is outside are reported and left
 * out of the message; what they would have read is 0.
 *
 * Loads carry the shadow of memory into registers and report nothing: compilers load more than
 * they use. A store to a thread's own memory or to shared local memory carries it back; one to
 * a buffer is what others see, and is reported, except for whole bytes that a channel stores
 * beside others that were written: the padding of a vector or structure is stored with what it
 * pads. */
#include "exec/check_visit.h"
#include "exec/handlers.h"

/* So much is looked at as a whole, rather than element by element. */
enum { NEAR_BYTES = 1024 };

/* ---- memory ----------------------------------------------------------------------------- */

/* The part of [low, high) that this thread may use: of memory cut into parts, its own one. */
static bool own_part(const vsg_exe_thread *thread, const vsg_exe_parts *parts, uint64_t address,
                     vsg_exe_range *range)
{
    if (parts->size_bytes == 0 || address - parts->address >= parts->size_bytes)
        return true;
    range->low = parts->address + thread->hw_id * parts->part_bytes;
    range->high = range->low + parts->part_bytes;
    return address >= range->low && address < range->high;
}

/* The allocation around an address. */
static bool find_range(const vsg_exe_thread *thread, uint64_t address, vsg_exe_range *out)
{
    const vsg_exe_space *space = &thread->launch->space;
    const vsg_exe_check *check = thread->check->check;
    uint64_t base = (uint64_t)(uintptr_t)space->base;

    if (address - base >= space->size_bytes)
        return false;
    uint64_t first = (address - base) >> VSG_EXE_PAGE_SHIFT;
    uint64_t count = space->size_bytes >> VSG_EXE_PAGE_SHIFT;
    if (!space->pages[first])
        return false;
    const uint8_t *hole = memchr(space->pages + first, 0, (size_t)(count - first));
    uint64_t last = hole ? (uint64_t)(hole - space->pages) - 1 : count - 1;
    while (first > 0 && space->pages[first - 1])
        first--;
    out->low = base + (first << VSG_EXE_PAGE_SHIFT);
    out->high = base + (last << VSG_EXE_PAGE_SHIFT) + check->tails[last];
    return own_part(thread, &check->scratch, address, out) &&
           own_part(thread, &check->private_memory, address, out);
}

bool vsg_exe_check_inside(const vsg_exe_thread *thread, uint64_t address, uint64_t bytes)
{
    vsg_exe_check_thread *check = thread->check;
    vsg_exe_range range;

    for (uint32_t i = 0; i < VSG_EXE_NUM_RANGES; i++)
        if (address >= check->ranges[i].low && address < check->ranges[i].high)
            return check->ranges[i].high - address >= bytes;
    if (!find_range(thread, address, &range))
        return false;
    check->ranges[check->next_range] = range;
    check->next_range = (check->next_range + 1) % VSG_EXE_NUM_RANGES;
    return address >= range.low && address < range.high && range.high - address >= bytes;
}

static uint8_t *shadow_of(const vsg_exe_visit *v, uint64_t host)
{
    const vsg_exe_group *group = v->thread->group;

    if (v->window.is_slm)
        return group->slm_shadow + (host - (uint64_t)(uintptr_t)group->slm);
    return v->thread->check->check->shadow +
           (host - (uint64_t)(uintptr_t)v->thread->launch->space.base);
}

/* ---- elements --------------------------------------------------------------------------- */

static uint8_t *slot_of(const vsg_exe_visit *v, const vsg_exe_operand *operand, uint32_t n,
                        uint32_t element)
{
    return v->thread->check->registers + operand->offset +
           (size_t)element * v->message->pitch_bytes + (size_t)n * v->message->register_bytes;
}

/* The lowest address and the bytes from there to the end of the last element. */
static void measure(vsg_exe_visit *v)
{
    vsg_exe_reach reach = {0, 0};

    v->near = 0;
    if (v->channels)
        reach = v->message->lanes->reach(v->at, v->inst->exec_size, v->channels);
    v->low = reach.low;
    v->bytes = reach.high - reach.low + v->message->span_bytes;
    bool wraps = v->message->narrow && v->low + v->bytes > (uint64_t)UINT32_MAX + 1;
    if (v->channels && !wraps && reach.high - reach.low <= UINT32_MAX)
        v->near = vsg_exe_visit_host_of(v, v->low, v->bytes);
}

/* ---- what is wrong ---------------------------------------------------------------------- */

static void report_outside(const vsg_exe_visit *v, uint32_t bad, uint64_t address)
{
    vsg_exe_finding finding = {.address = address,
                               .size_bytes = v->message->memory_bytes,
                               .limit = (int64_t)v->window.size_bytes,
                               .what = vsg_exe_visit_word_of(v->access)};

    if (v->window.is_slm && (v->thread->check->check->num_slm_pieces > 1 ||
                             vsg_exe_window_at(&v->window, address, finding.size_bytes)))
        finding.diag = VSG_DIAG_CHECK_LOCAL;
    else if (v->window.is_slm)
        finding.diag = v->window.size_bytes ? VSG_DIAG_CHECK_SLM : VSG_DIAG_CHECK_NO_SLM;
    else if (v->window.space)
        finding.diag = VSG_DIAG_CHECK_BOUNDS;
    else if (v->window.host == v->thread->scratch_address)
        finding.diag = VSG_DIAG_CHECK_SCRATCH;
    else
        finding.diag = VSG_DIAG_CHECK_SURFACE;
    vsg_exe_check_report(v->thread, v->inst, &finding, bad);
}

/* Is an element to read that is not wholly inside one that is in part (message.h)? */
static bool is_begun(const vsg_exe_visit *v, uint64_t address)
{
    return v->access == VSG_EXE_ACCESS_READ && v->inst->no_mask && !v->window.is_slm &&
           vsg_exe_visit_host_of(v, address, 1);
}

/* Channels with an element outside. */
static uint32_t find_outside(vsg_exe_visit *v)
{
    uint32_t bad = 0;
    uint64_t first = 0;

    if (v->near)
        return 0;
    for (uint32_t n = 0; n < v->inst->exec_size; n++) {
        for (uint32_t e = 0; (v->channels >> n & 1) && e < v->message->num_elements; e++) {
            uint64_t address = vsg_exe_visit_address_of(v, n, e);
            if (vsg_exe_visit_host_of(v, address, v->message->memory_bytes) ||
                (vsg_exe_pads(v->message, &v->window, v->access, e) &&
                 vsg_exe_visit_is_common(v, v->at[n])) ||
                is_begun(v, address))
                continue;
            first = bad ? first : address;
            bad |= 1u << n;
            break;
        }
    }
    if (bad)
        report_outside(v, bad, first);
    return bad;
}

/* Compilers copy structures to a thread's own memory by dwords that nothing loads again, which
 * may lie anywhere. */
static bool is_own_store(const vsg_exe_visit *v, uint32_t n)
{
    return v->access == VSG_EXE_ACCESS_WRITE && !v->window.is_slm &&
           !vsg_exe_visit_is_common(v, v->at[n]);
}

/* What the program has said that kernels do not do to memory (memory.h), of what the message
 * does. */
static uint8_t denied_at(const vsg_exe_visit *v, uint64_t host)
{
    static const uint8_t all[] = {
        [VSG_EXE_ACCESS_READ] = VSG_EXE_PAGE_NO_READ,
        [VSG_EXE_ACCESS_WRITE] = VSG_EXE_PAGE_NO_WRITE,
        [VSG_EXE_ACCESS_ATOMIC] = VSG_EXE_PAGE_NO_READ | VSG_EXE_PAGE_NO_WRITE,
    };
    const vsg_exe_space *space = &v->thread->launch->space;
    uint64_t offset = host - (uint64_t)(uintptr_t)space->base;

    return host ? space->pages[offset >> VSG_EXE_PAGE_SHIFT] & all[v->access] : 0;
}

/* Reports channels that do so nevertheless. */
static void find_denied(const vsg_exe_visit *v)
{
    vsg_exe_finding finding = {.diag = VSG_DIAG_CHECK_RIGHTS,
                               .size_bytes = v->message->memory_bytes,
                               .what = vsg_exe_visit_word_of(v->access)};
    uint32_t bad = 0;

    if (v->window.is_slm || (v->near && !denied_at(v, v->near))) /* all is in one buffer */
        return;
    for (uint32_t n = 0; n < v->inst->exec_size; n++) {
        if (!(v->channels >> n & 1))
            continue;
        uint64_t host = vsg_exe_visit_host_in(v, vsg_exe_visit_address_of(v, n, 0));
        uint8_t denied = denied_at(v, host);
        if (!denied)
            continue;
        finding.address = bad ? finding.address : host;
        finding.name = denied & VSG_EXE_PAGE_NO_WRITE ? "write" : "read";
        bad |= 1u << n;
    }
    if (bad)
        vsg_exe_check_report(v->thread, v->inst, &finding, bad);
}

static uint32_t find_unaligned(const vsg_exe_visit *v, const vsg_exe_step *step)
{
    uint64_t mask = step->alignment ? step->alignment - 1u : 0;
    uint64_t any = 0;
    uint32_t bad = 0, first = 0;

    if (!mask)
        return 0;
    for (uint32_t n = 0; n < v->inst->exec_size; n++)
        any |= v->channels >> n & 1 ? v->window.shown + v->at[n] : 0;
    if (!(any & mask))
        return 0;
    for (uint32_t n = 0; n < v->inst->exec_size; n++)
        if ((v->channels >> n & 1) && ((v->window.shown + v->at[n]) & mask) &&
            !is_own_store(v, n)) {
            first = bad ? first : n;
            bad |= 1u << n;
        }
    if (!bad)
        return 0;
    vsg_exe_finding finding = {.diag = VSG_DIAG_CHECK_ALIGN,
                               .address = v->window.shown + v->at[first],
                               .size_bytes = step->alignment,
                               .is_slm = v->window.is_slm,
                               .what = vsg_exe_visit_word_of(v->access)};
    vsg_exe_check_report(v->thread, v->inst, &finding, bad);
    return bad;
}

bool vsg_exe_scalar_unwritten(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                              const vsg_exe_scalar *scalar)
{
    return !scalar->is_constant && vsg_exe_shadow_scalar(thread, inst, &scalar->operand);
}

void vsg_exe_check_addressing(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                              uint32_t channels)
{
    const vsg_exe_message *message = inst->message;
    uint32_t condition = vsg_exe_shadow_condition(thread, inst) & vsg_exe_enabled(thread, inst);
    uint32_t bad = 0;

    if (condition)
        vsg_exe_check_unwritten(thread, inst, condition, "the predicate of a memory access");
    if (channels == 0)
        return;
    if (message->target == VSG_EXE_TARGET_SURFACE &&
        vsg_exe_shadow_dwords(thread, thread->frame->unit->surfaces_at)[message->entry] != 0)
        vsg_exe_check_unwritten(thread, inst, channels, "the surface of a memory access");
    if (vsg_exe_scalar_unwritten(thread, inst, &message->surface) ||
        vsg_exe_scalar_unwritten(thread, inst, &message->base) ||
        vsg_exe_scalar_unwritten(thread, inst, &message->stride))
        bad = channels;
    else if (!message->address.is_null && !message->address.shared) {
        const uint8_t *at = thread->check->registers + message->address.offset;
        uint32_t bytes = message->address_bytes;
        uint32_t count = message->strided ? 1 : inst->exec_size;
        if (!vsg_exe_any_set(at, count * bytes))
            return;
        for (uint32_t n = 0; n < count; n++)
            bad |= (uint32_t)vsg_exe_any_set(at + n * bytes, bytes) << n;
        bad = message->strided && bad ? channels : bad & channels;
    }
    if (bad)
        vsg_exe_check_unwritten(thread, inst, bad, "an address");
}

/* ---- shadows of registers --------------------------------------------------------------- */

/* Without a branch for each channel. */
static void clear_dwords(uint8_t *row, uint32_t count, uint32_t channels)
{
    for (uint32_t n = 0; n < count; n++) {
        uint32_t bits;
        memcpy(&bits, row + n * sizeof bits, sizeof bits);
        bits &= (channels >> n & 1) - 1;
        memcpy(row + n * sizeof bits, &bits, sizeof bits);
    }
}

/* The slots of `channels` are written. */
static void clear_slots(const vsg_exe_visit *v, const vsg_exe_operand *operand,
                        uint32_t channels, uint32_t num_elements)
{
    uint32_t slot = v->message->register_bytes;
    bool all = channels == vsg_exe_all_channels(v->inst);

    if (operand->is_null || operand->shared)
        return;
    for (uint32_t e = 0; e < num_elements; e++) {
        if (all) {
            memset(slot_of(v, operand, 0, e), 0, (size_t)v->inst->exec_size * slot);
            continue;
        }
        uint8_t *row = slot_of(v, operand, 0, e);
        if (slot == sizeof(uint32_t))
            clear_dwords(row, v->inst->exec_size, channels);
        for (uint32_t n = 0; slot != sizeof(uint32_t) && n < v->inst->exec_size; n++)
            if (channels >> n & 1)
                memset(row + n * slot, 0, slot);
    }
}

/* Is anything unwritten in the slots that are read? */
static bool slots_unwritten(const vsg_exe_visit *v, const vsg_exe_operand *operand,
                            uint32_t num_elements)
{
    uint32_t slot = v->message->register_bytes;
    bool any = false;

    if (operand->is_null || operand->shared)
        return false;
    for (uint32_t e = 0; e < num_elements; e++)
        any |= vsg_exe_any_set(slot_of(v, operand, 0, e), v->inst->exec_size * slot);
    return any;
}

/* ---- loads ------------------------------------------------------------------------------ */

static void load_element(const vsg_exe_visit *v, uint32_t n, uint32_t e)
{
    const vsg_exe_message *message = v->message;
    uint64_t host = vsg_exe_visit_host_in(v, vsg_exe_visit_address_of(v, n, e));
    uint8_t *slot = slot_of(v, &message->data, n, e);

    /* Behind a surface's end nothing was written. */
    memset(slot, host ? 0 : 0xff, message->register_bytes);
    slot += vsg_exe_visit_first_byte(message);
    if (host)
        memcpy(slot, shadow_of(v, host), message->memory_bytes);
    for (uint32_t i = 0; !host && i < message->memory_bytes; i++) {
        uint64_t byte = vsg_exe_visit_host_of(v, vsg_exe_visit_address_of(v, n, e) + i, 1);
        if (!byte)
            break;
        slot[i] = *shadow_of(v, byte);
    }
}

/* Is all written that the channels read? False where that takes a closer look. */
static bool reads_written(const vsg_exe_visit *v)
{
    bool any = false;

    if (!v->near)
        return false;
    if (v->bytes <= NEAR_BYTES)
        return !vsg_exe_any_set(shadow_of(v, v->near), (uint32_t)v->bytes);
    for (uint32_t e = 0; e < v->message->num_elements; e++)
        for (uint32_t n = 0; n < v->inst->exec_size; n++)
            if (v->channels >> n & 1)
                any |= vsg_exe_any_set(
                    shadow_of(v, vsg_exe_visit_host_in(v, vsg_exe_visit_address_of(v, n, e))),
                    v->message->memory_bytes);
    return !any;
}

static void follow_load(const vsg_exe_visit *v)
{
    const vsg_exe_message *message = v->message;

    if (message->data.shared)
        return;
    if (reads_written(v)) {
        clear_slots(v, &message->data, v->channels, message->num_elements);
        return;
    }
    for (uint32_t e = 0; e < message->num_elements; e++)
        for (uint32_t n = 0; n < v->inst->exec_size; n++)
            if (v->channels >> n & 1)
                load_element(v, n, e);
}

/* ---- stores ----------------------------------------------------------------------------- */

/* What a channel stores, byte by byte. */
typedef struct stored {
    bool some_written; /* whole bytes */
    bool some_partly;  /* bytes of which some bits were written: no padding */
} stored;

/* Marks an element in memory as its slot is. */
static void store_element(const vsg_exe_visit *v, uint32_t n, uint32_t e, bool is_written,
                          stored *out)
{
    const vsg_exe_message *message = v->message;
    uint64_t host = vsg_exe_visit_host_in(v, vsg_exe_visit_address_of(v, n, e));
    const uint8_t *slot = slot_of(v, &message->data, n, e) + vsg_exe_visit_first_byte(message);

    if (!host)
        return;
    if (is_written || message->data.shared) {
        memset(shadow_of(v, host), 0, message->memory_bytes);
        out->some_written = true;
        return;
    }
    memcpy(shadow_of(v, host), slot, message->memory_bytes);
    for (uint32_t b = 0; b < message->memory_bytes; b++) {
        out->some_written |= slot[b] == 0;
        out->some_partly |= slot[b] != 0 && slot[b] != 0xff;
    }
}

/* Which bytes a store changes that is not aligned, where it may be made, is not defined: all
 * that it may have touched is unwritten. */
static void spoil_unaligned(const vsg_exe_visit *v, const vsg_exe_step *step)
{
    uint64_t mask = step->alignment ? step->alignment - 1u : 0;

    for (uint32_t n = 0; mask && n < v->inst->exec_size; n++) {
        uint64_t low = v->at[n] & ~mask, size = v->message->span_bytes + mask + 1;
        if (!(v->channels >> n & 1) || !((v->window.shown + v->at[n]) & mask) ||
            !is_own_store(v, n))
            continue;
        for (uint64_t at = low; at < low + size; at++) {
            uint64_t host = vsg_exe_visit_host_of(v, at, 1);
            if (host)
                *shadow_of(v, host) = 0xff;
        }
    }
}

static void follow_store(const vsg_exe_visit *v)
{
    const vsg_exe_message *message = v->message;
    bool clean = !slots_unwritten(v, &message->data, message->num_elements);
    uint32_t bad = 0;

    if (clean && v->near && vsg_exe_visit_is_run(v)) {
        memset(shadow_of(v, v->near), 0, (size_t)v->bytes);
        return;
    }
    for (uint32_t n = 0; n < v->inst->exec_size; n++) {
        stored all = {false, false};
        if (!(v->channels >> n & 1))
            continue;
        for (uint32_t e = 0; e < message->num_elements; e++)
            store_element(v, n, e, clean, &all);
        if ((all.some_partly || !all.some_written) && vsg_exe_visit_is_common(v, v->at[n]))
            bad |= 1u << n;
    }
    if (!bad)
        return;
    vsg_exe_check_unwritten(v->thread, v->inst, bad, "what is stored");
    for (uint32_t n = 0; n < v->inst->exec_size; n++)
        for (uint32_t e = 0; (bad >> n & 1) && e < message->num_elements; e++)
            store_element(v, n, e, true, &(stored){false, false});
}

/* ---- atomics ---------------------------------------------------------------------------- */

static uint32_t operand_unwritten(const vsg_exe_visit *v, const vsg_exe_operand *operand)
{
    uint32_t bad = 0;

    if (!slots_unwritten(v, operand, 1))
        return 0;
    for (uint32_t n = 0; n < v->inst->exec_size; n++)
        if ((v->channels >> n & 1) &&
            vsg_exe_any_set(slot_of(v, operand, n, 0), v->message->memory_bytes))
            bad |= 1u << n;
    return bad;
}

static void follow_atomic(const vsg_exe_visit *v)
{
    const vsg_exe_message *message = v->message;
    uint32_t bad =
        operand_unwritten(v, &message->value) | operand_unwritten(v, &message->comparand);
    uint32_t unwritten = 0;

    if (bad)
        vsg_exe_check_unwritten(v->thread, v->inst, bad, "an operand of an atomic");
    for (uint32_t n = 0; n < v->inst->exec_size; n++) {
        uint64_t host = v->channels >> n & 1
                            ? vsg_exe_visit_host_of(v, vsg_exe_visit_address_of(v, n, 0),
                                                    message->memory_bytes)
                            : 0;
        if (!host)
            continue;
        unwritten |= (uint32_t)vsg_exe_any_set(shadow_of(v, host), message->memory_bytes) << n;
        memset(shadow_of(v, host), 0, message->memory_bytes);
    }
    if (unwritten && message->atomic != VSG_EXE_ATOMIC_EXCHANGE)
        vsg_exe_check_unwritten(v->thread, v->inst, unwritten, "the memory of an atomic");
    clear_slots(v, &message->data, v->channels, 1);
}

/* ---- executing -------------------------------------------------------------------------- */

/* Executes the message for `good` of its channels. */
static void execute_for(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t good)
{
    vsg_exe_inst part = *inst;
    uint32_t mask = thread->execution_mask;

    if (good == 0)
        return;
    part.predicate_mode = 0;
    part.no_mask = false;
    thread->execution_mask = good << inst->mask_offset;
    inst->handler(thread, &part);
    thread->execution_mask = mask;
}

/* A load that a channel could not make gives zeros. */
static void zero_slots(const vsg_exe_visit *v, uint32_t channels)
{
    const vsg_exe_message *message = v->message;
    uint8_t *slots = vsg_exe_raw_at(v->thread, &message->data);
    uint32_t count = v->access == VSG_EXE_ACCESS_ATOMIC ? 1 : message->num_elements;

    if (v->access == VSG_EXE_ACCESS_WRITE || message->data.is_null)
        return;
    for (uint32_t e = 0; e < count; e++)
        for (uint32_t n = 0; n < v->inst->exec_size; n++)
            if (channels >> n & 1)
                memset(slots + (size_t)e * message->pitch_bytes +
                           (size_t)n * message->register_bytes,
                       0, message->register_bytes);
    clear_slots(v, &message->data, channels, count);
}

static vsg_exe_access access_of(const vsg_exe_inst *inst)
{
    if (inst->handler == vsg_exe_do_atomic)
        return VSG_EXE_ACCESS_ATOMIC;
    return inst->handler == vsg_exe_do_store ? VSG_EXE_ACCESS_WRITE : VSG_EXE_ACCESS_READ;
}

void vsg_exe_step_message(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          const vsg_exe_step *step)
{
    vsg_exe_visit v; /* made member by member: its arrays are large, and filled below */
    uint32_t bad = 0;

    v.thread = thread;
    v.inst = inst;
    v.message = inst->message;
    v.access = access_of(inst);
    v.channels = vsg_exe_active(thread, inst);
    bool is_prefetch = v.message->data.is_null && v.access == VSG_EXE_ACCESS_READ;
    vsg_exe_check_addressing(thread, inst, v.channels);
    if (v.channels == 0 || is_prefetch) {
        inst->handler(thread, inst);
        return;
    }
    if (!vsg_exe_open(thread, inst, v.message, &v.window) ||
        !vsg_exe_addresses(thread, inst, &v.window, v.at))
        return;
    if (inst->handler == vsg_exe_do_load_status) {
        memset(slot_of(&v, &v.message->data, 0, 0), 0, sizeof(uint32_t));
        inst->handler(thread, inst);
        return;
    }
    measure(&v);
    bad = find_outside(&v);
    uint32_t unaligned = find_unaligned(&v, step);
    if (v.access == VSG_EXE_ACCESS_ATOMIC)
        bad |= unaligned;
    if (bad) {
        v.channels &= ~bad;
        measure(&v);
    }
    if (v.channels) {
        find_denied(&v);
        vsg_exe_visit_find_races(&v, step);
    }
    if (v.channels && v.access == VSG_EXE_ACCESS_WRITE)
        vsg_exe_visit_find_overlap(&v);
    if (v.channels && v.access == VSG_EXE_ACCESS_READ)
        follow_load(&v);
    else if (v.channels && v.access == VSG_EXE_ACCESS_WRITE) {
        follow_store(&v);
        spoil_unaligned(&v, step);
    } else if (v.channels)
        follow_atomic(&v);
    if (!bad) {
        inst->handler(thread, inst);
        return;
    }
    execute_for(thread, inst, v.channels);
    zero_slots(&v, bad);
}

/* ---- others ----------------------------------------------------------------------------- */

/* Is nothing of it written? */
static bool is_all_unwritten(const uint8_t *shadow, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        if (shadow[i] != 0xff)
            return false;
    return bytes > 0;
}

/* What they may write counts as written. Parts of a payload may be left unwritten, but not all.
 */
void vsg_exe_step_opaque(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_step *step)
{
    uint32_t condition = vsg_exe_shadow_condition(thread, inst) & vsg_exe_enabled(thread, inst);

    if (condition)
        vsg_exe_check_unwritten(thread, inst, condition, "the predicate of a message");
    for (uint32_t s = step->num_spans; s < (uint32_t)step->num_spans + step->num_payloads; s++)
        if (vsg_exe_enabled(thread, inst) &&
            is_all_unwritten(thread->check->registers + step->spans[s].at,
                             step->spans[s].bytes))
            vsg_exe_check_unwritten(thread, inst, vsg_exe_enabled(thread, inst),
                                    "the payload of a message");
    inst->handler(thread, inst);
    for (uint32_t s = 0; s < step->num_spans; s++)
        memset(thread->check->registers + step->spans[s].at, 0, step->spans[s].bytes);
}
