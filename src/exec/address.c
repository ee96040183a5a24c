/* SPDX-License-Identifier: MIT
 *
 * Which memory a message reaches, and at which addresses. Source: 3_execution_model, Memory
 * Access; LSC_UNTYPED, AddrType; spec dialect 5.4. */
#include "exec/message.h"
#include "exec/operand.h"

bool vsg_exe_scalar_read(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_scalar *scalar, int64_t *out)
{
    *out = scalar->value;
    return scalar->is_constant || vsg_exe_read_scalar(thread, inst, &scalar->operand, out);
}

/* ---- faults ------------------------------------------------------------------------------ */

static int32_t channel_of(const vsg_exe_inst *inst, uint32_t n)
{
    return inst->exec_size == 1 && inst->no_mask ? -1 : (int32_t)n;
}

void vsg_exe_outside(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                     const vsg_exe_window *window, vsg_exe_access access, uint32_t n,
                     uint64_t address)
{
    static const vsg_base_diag diags[] = {
        [VSG_EXE_ACCESS_READ] = VSG_DIAG_FAULT_READ,
        [VSG_EXE_ACCESS_WRITE] = VSG_DIAG_FAULT_WRITE,
        [VSG_EXE_ACCESS_ATOMIC] = VSG_DIAG_FAULT_ATOMIC,
    };

    vsg_exe_fault_raise(thread, inst, window->is_slm ? VSG_DIAG_FAULT_SLM : diags[access],
                        channel_of(inst, n), window->shown + address,
                        inst->message->memory_bytes);
}

void vsg_exe_unaligned(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t n,
                       uint64_t address)
{
    vsg_exe_fault_raise(thread, inst, VSG_DIAG_FAULT_ALIGN, channel_of(inst, n), address,
                        inst->message->memory_bytes);
}

void vsg_exe_message_fault(vsg_exe_thread *thread, const vsg_exe_inst *inst, const char *text)
{
    vsg_exe_fault_raise(thread, inst, VSG_DIAG_FAULT_MESSAGE, -1, 0, 0);
    thread->fault.text = text;
}

static void surface_fault(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t number)
{
    vsg_exe_fault_raise(thread, inst, VSG_DIAG_FAULT_SURFACE, -1, 0, 0);
    thread->fault.limit = number;
}

/* ---- windows ----------------------------------------------------------------------------- */

static bool open_flat(const vsg_exe_thread *thread, vsg_exe_window *out)
{
    *out = (vsg_exe_window){.space = &thread->launch->space};
    return true;
}

/* The compiler sets this bit in pointers to local memory, so that none of them is null, and
 * hands them to the messages as they are: the hardware looks at the low bits only
 * (intel-graphics-compiler, InlineLocalsResolution.cpp, VALID_LOCAL_HIGH_BITS). */
enum { SLM_POINTER_BIT = 0x10000000 };

static bool open_slm(const vsg_exe_thread *thread, vsg_exe_window *out)
{
    *out = (vsg_exe_window){.size_bytes = thread->group->slm_bytes,
                            .host = (uint64_t)(uintptr_t)thread->group->slm,
                            .ignored = SLM_POINTER_BIT,
                            .is_slm = true};
    return true;
}

static uint64_t zero_bytes_of(vsg_exe_bounds bounds, uint64_t near)
{
    if (bounds != VSG_EXE_BOUNDS_NEAR)
        return bounds == VSG_EXE_BOUNDS_DOCUMENTED ? UINT64_MAX : 0;
    if (near < VSG_EXE_LEAST_NEAR_BYTES)
        near = VSG_EXE_LEAST_NEAR_BYTES;
    return near < VSG_EXE_MOST_NEAR_BYTES ? near : VSG_EXE_MOST_NEAR_BYTES;
}

/* A device address is a host address (memory.h). Where compilers keep private arrays, programs
 * read element -1 before they ask whether it is one. */
static bool open_scratch(const vsg_exe_thread *thread, vsg_exe_window *out)
{
    bool is_near = thread->launch->bounds == VSG_EXE_BOUNDS_NEAR;
    uint64_t near = is_near ? zero_bytes_of(VSG_EXE_BOUNDS_NEAR, thread->scratch_bytes) : 0;

    *out = (vsg_exe_window){.size_bytes = thread->scratch_address ? thread->scratch_bytes : 0,
                            .host = thread->scratch_address,
                            .shown = thread->scratch_address,
                            .zero_bytes = near,
                            .zero_before_bytes = near};
    return true;
}

/* Implicit arguments lie in scratch from r0.0 on, whose low bits are flags (IGC, translation of
 * LSC_ADDR_TYPE_ARG). */
static bool open_arguments(const vsg_exe_thread *thread, vsg_exe_window *out)
{
    uint32_t start;

    memcpy(&start, thread->shared + vsg_exe_shared_at(VSG_ISA_VAR_R0), sizeof start);
    start &= ~UINT32_C(63);
    open_scratch(thread, out);
    if (start > out->size_bytes)
        start = (uint32_t)out->size_bytes;
    out->host += start;
    out->shown += start;
    out->size_bytes -= start;
    return true;
}

static void open_surface(const vsg_exe_thread *thread, const vsg_exe_surface *surface,
                         vsg_exe_window *out)
{
    vsg_exe_bounds bounds = thread->launch->bounds;

    *out = (vsg_exe_window){.size_bytes = surface->size_bytes,
                            .host = surface->address,
                            .shown = surface->address,
                            .drops = bounds == VSG_EXE_BOUNDS_DOCUMENTED,
                            .zero_bytes = zero_bytes_of(bounds, surface->size_bytes)};
}

/* ---- surfaces ---------------------------------------------------------------------------- */

const vsg_exe_state *vsg_exe_find_state(const vsg_exe_launch *launch, bool is_sampler,
                                        uint32_t handle)
{
    uint32_t first = 0, end = launch->num_states;

    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        const vsg_exe_state *state = &launch->states[middle];
        if (state->is_sampler == is_sampler && state->handle == handle)
            return state;
        if (state->is_sampler == is_sampler ? state->handle < handle : is_sampler)
            first = middle + 1;
        else
            end = middle;
    }
    return NULL;
}

bool vsg_exe_is_slm(const vsg_exe_message *message)
{
    return message->target == VSG_EXE_TARGET_SLM ||
           (message->target == VSG_EXE_TARGET_ENTRY && message->entry == VSG_EXE_BTI_SLM) ||
           (message->target == VSG_EXE_TARGET_SURFACE && message->entry == VSG_ISA_SURFACE_SLM);
}

/* What a message names: a binding-table entry, or a surface state by its handle. */
typedef struct surface_name {
    bool is_handle;
    uint32_t number;
} surface_name;

static bool find_name(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                      const vsg_exe_message *message, surface_name *out)
{
    int64_t value = VSG_EXE_BTI_STATELESS;

    out->is_handle = false;
    switch ((vsg_exe_target)message->target) {
    case VSG_EXE_TARGET_SLM:
        value = VSG_EXE_BTI_SLM;
        break;
    case VSG_EXE_TARGET_FLAT:
    case VSG_EXE_TARGET_SCRATCH:
    case VSG_EXE_TARGET_ARG:
        break;
    case VSG_EXE_TARGET_ENTRY:
        value = message->entry;
        break;
    case VSG_EXE_TARGET_SURFACE:
        value = thread->frame->surfaces[message->entry];
        break;
    case VSG_EXE_TARGET_BINDLESS:
        out->is_handle = true;
        value = thread->frame->surfaces[message->entry];
        break;
    case VSG_EXE_TARGET_STATE:
        out->is_handle = true;
        if (!vsg_exe_scalar_read(thread, inst, &message->surface, &value))
            return false;
        break;
    case VSG_EXE_TARGET_VALUE:
        if (!vsg_exe_scalar_read(thread, inst, &message->surface, &value))
            return false;
        break;
    }
    out->number = (uint32_t)value;
    if (!out->is_handle && out->number == VSG_EXE_BTI_BINDLESS)
        *out = (surface_name){true, thread->frame->surfaces[VSG_ISA_SURFACE_BSS]};
    return true;
}

bool vsg_exe_find_entry(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_message *message, uint64_t *out)
{
    surface_name name;

    if (!find_name(thread, inst, message, &name))
        return false;
    if (name.is_handle)
        surface_fault(thread, inst, name.number);
    *out = name.number;
    return !name.is_handle;
}

/* NULL: a fault was raised. */
static const vsg_exe_surface *find_surface(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                           surface_name name)
{
    const vsg_exe_surface *surface = NULL;

    if (name.is_handle) {
        const vsg_exe_state *state = vsg_exe_find_state(thread->launch, false, name.number);
        surface = state ? &state->surface : NULL;
    } else if (name.number < VSG_EXE_BTI_BINDLESS) {
        surface = &thread->launch->surfaces[name.number];
    }
    if (surface && surface->kind != VSG_EXE_SURFACE_NONE)
        return surface;
    surface_fault(thread, inst, name.number);
    return NULL;
}

static bool open_name(vsg_exe_thread *thread, const vsg_exe_inst *inst, surface_name name,
                      vsg_exe_window *out)
{
    if (name.is_handle && name.number == VSG_EXE_SCRATCH_HANDLE)
        return open_scratch(thread, out);
    if (!name.is_handle && name.number == VSG_EXE_BTI_SLM)
        return open_slm(thread, out);
    if (!name.is_handle &&
        (name.number == VSG_EXE_BTI_STATELESS || name.number == VSG_EXE_BTI_STATELESS_NC))
        return open_flat(thread, out);
    const vsg_exe_surface *surface = find_surface(thread, inst, name);
    if (surface)
        open_surface(thread, surface, out);
    return surface != NULL;
}

bool vsg_exe_open(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                  const vsg_exe_message *message, vsg_exe_window *out)
{
    surface_name name;

    switch ((vsg_exe_target)message->target) {
    case VSG_EXE_TARGET_FLAT:
        return open_flat(thread, out);
    case VSG_EXE_TARGET_SLM:
        return open_slm(thread, out);
    case VSG_EXE_TARGET_SCRATCH:
        return open_scratch(thread, out);
    case VSG_EXE_TARGET_ARG:
        return open_arguments(thread, out);
    default:
        return find_name(thread, inst, message, &name) && open_name(thread, inst, name, out);
    }
}

const vsg_exe_surface *vsg_exe_open_image(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                          const vsg_exe_message *message)
{
    const vsg_exe_surface *surface;
    surface_name name;

    if (!find_name(thread, inst, message, &name) ||
        !(surface = find_surface(thread, inst, name)))
        return NULL;
    if (surface->kind == VSG_EXE_SURFACE_IMAGE)
        return surface;
    vsg_exe_message_fault(thread, inst, "the surface of an image message is a buffer");
    return NULL;
}

/* Pages that one look at memory may take in. */
enum { MOST_PAGES = 1024 };

uint64_t vsg_exe_window_range(const vsg_exe_window *window, uint64_t address,
                              uint64_t size_bytes)
{
    const vsg_exe_space *space = window->space;

    if (!space || size_bytes <= 1u << VSG_EXE_PAGE_SHIFT)
        return vsg_exe_window_at(window, address, size_bytes);
    uint64_t offset = address - (uint64_t)(uintptr_t)space->base;
    if (offset >= space->size_bytes || space->size_bytes - offset < size_bytes)
        return 0;
    uint64_t first = offset >> VSG_EXE_PAGE_SHIFT;
    uint64_t count = ((offset + size_bytes - 1) >> VSG_EXE_PAGE_SHIFT) - first + 1;
    if (count > MOST_PAGES || memchr(space->pages + first, 0, (size_t)count))
        return 0;
    return address;
}

/* ---- addresses --------------------------------------------------------------------------- */

/* Bits of an address that count. */
static uint64_t address_mask(const vsg_exe_message *message, const vsg_exe_window *window)
{
    if (window->is_slm)
        return VSG_EXE_SLM_ADDRESS_BITS;
    return message->narrow ? UINT32_MAX : UINT64_MAX;
}

bool vsg_exe_addresses(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       const vsg_exe_window *window, uint64_t *out)
{
    const vsg_exe_message *message = inst->message;
    uint32_t count = inst->exec_size;
    uint64_t mask = address_mask(message, window);
    int64_t base, stride;

    if (!vsg_exe_scalar_read(thread, inst, &message->base, &base) ||
        !vsg_exe_scalar_read(thread, inst, &message->stride, &stride))
        return false;
    vsg_exe_forming forming = {.bytes = message->address_bytes,
                               .scale = message->scale,
                               .add =
                                   (uint64_t)base * message->scale + (uint64_t)message->offset,
                               .mask = mask};
    if (!message->address.is_null)
        forming.registers = vsg_exe_raw_at(thread, &message->address);
    if (!message->strided && forming.registers) {
        message->lanes->form(&forming, count, out);
        return true;
    }
    out[0] = forming.add;
    if (forming.registers) {
        forming.mask = UINT64_MAX;
        message->lanes->form(&forming, 1, out);
    }
    uint64_t first = out[0];
    for (uint32_t n = 0; n < count; n++)
        out[n] = (first + (message->strided ? n * (uint64_t)stride : 0)) & mask;
    return true;
}
