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

/* A device address is a host address (memory.h). */
static bool open_scratch(const vsg_exe_thread *thread, vsg_exe_window *out)
{
    *out = (vsg_exe_window){.size_bytes = thread->scratch_address ? thread->scratch_bytes : 0,
                            .host = thread->scratch_address,
                            .shown = thread->scratch_address};
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

static bool open_entry(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint64_t entry,
                       vsg_exe_window *out)
{
    if (entry == VSG_EXE_BTI_SLM)
        return open_slm(thread, out);
    if (entry == VSG_EXE_BTI_STATELESS || entry == VSG_EXE_BTI_STATELESS_NC)
        return open_flat(thread, out);
    if (entry >= VSG_EXE_BTI_BINDLESS ||
        thread->launch->surfaces[entry].kind == VSG_EXE_SURFACE_NONE) {
        surface_fault(thread, inst, (uint32_t)entry);
        return false;
    }
    const vsg_exe_surface *surface = &thread->launch->surfaces[entry];
    *out = (vsg_exe_window){.size_bytes = surface->size_bytes,
                            .host = surface->address,
                            .shown = surface->address,
                            .drops = thread->launch->bounds == VSG_EXE_BOUNDS_DOCUMENTED};
    return true;
}

bool vsg_exe_find_entry(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_message *message, uint64_t *out)
{
    int64_t value = -1;

    switch ((vsg_exe_target)message->target) {
    case VSG_EXE_TARGET_SLM:
        value = VSG_EXE_BTI_SLM;
        break;
    case VSG_EXE_TARGET_SCRATCH:
    case VSG_EXE_TARGET_ARG:
        value = VSG_EXE_BTI_STATELESS;
        break;
    case VSG_EXE_TARGET_ENTRY:
        value = message->entry;
        break;
    case VSG_EXE_TARGET_SURFACE:
        value = thread->frame->surfaces[message->entry];
        break;
    case VSG_EXE_TARGET_VALUE:
        if (!vsg_exe_scalar_read(thread, inst, &message->surface, &value))
            return false;
        break;
    case VSG_EXE_TARGET_STATE:
        if (!vsg_exe_scalar_read(thread, inst, &message->surface, &value))
            return false;
        surface_fault(thread, inst, (uint32_t)value);
        return false;
    case VSG_EXE_TARGET_FLAT:
    case VSG_EXE_TARGET_BINDLESS:
        value = VSG_EXE_BTI_BINDLESS;
        break;
    }
    *out = (uint32_t)value;
    return true;
}

bool vsg_exe_open(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                  const vsg_exe_message *message, vsg_exe_window *out)
{
    int64_t state;
    uint64_t entry;

    switch ((vsg_exe_target)message->target) {
    case VSG_EXE_TARGET_FLAT:
        return open_flat(thread, out);
    case VSG_EXE_TARGET_SLM:
        return open_slm(thread, out);
    case VSG_EXE_TARGET_SCRATCH:
        return open_scratch(thread, out);
    case VSG_EXE_TARGET_ARG:
        return open_arguments(thread, out);
    case VSG_EXE_TARGET_STATE:
        if (!vsg_exe_scalar_read(thread, inst, &message->surface, &state))
            return false;
        if (state == VSG_EXE_SCRATCH_HANDLE)
            return open_scratch(thread, out);
        surface_fault(thread, inst, (uint32_t)state);
        return false;
    default:
        return vsg_exe_find_entry(thread, inst, message, &entry) &&
               open_entry(thread, inst, entry, out);
    }
}

const vsg_exe_surface *vsg_exe_open_image(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                                          const vsg_exe_message *message)
{
    uint64_t entry;

    if (!vsg_exe_find_entry(thread, inst, message, &entry))
        return NULL;
    if (entry >= VSG_EXE_BTI_BINDLESS ||
        thread->launch->surfaces[entry].kind == VSG_EXE_SURFACE_NONE) {
        surface_fault(thread, inst, (uint32_t)entry);
        return NULL;
    }
    if (thread->launch->surfaces[entry].kind != VSG_EXE_SURFACE_IMAGE) {
        vsg_exe_message_fault(thread, inst, "the surface of an image message is a buffer");
        return NULL;
    }
    return &thread->launch->surfaces[entry];
}

/* ---- addresses --------------------------------------------------------------------------- */

static void read_elements(const uint8_t *registers, uint32_t bytes, uint32_t count,
                          uint64_t *out)
{
    uint32_t dword;
    uint16_t word;

    switch (bytes) {
    case 8:
        memcpy(out, registers, (size_t)count * 8);
        break;
    case 4:
        for (uint32_t n = 0; n < count; n++) {
            memcpy(&dword, registers + n * 4, 4);
            out[n] = dword;
        }
        break;
    default:
        for (uint32_t n = 0; n < count; n++) {
            memcpy(&word, registers + n * 2, 2);
            out[n] = word;
        }
        break;
    }
}

/* Bits of an address that count. Compilers give pointers to SLM a bit above its size, so that
 * one to byte 0 is not null; the hardware does not look at it (IGC, VALID_LOCAL_HIGH_BITS). */
static uint64_t address_mask(const vsg_exe_message *message, const vsg_exe_window *window)
{
    if (window->is_slm)
        return 0x0fffffff;
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
    uint64_t add = (uint64_t)base * message->scale + (uint64_t)message->offset;
    if (message->address.is_null)
        memset(out, 0, count * sizeof *out);
    else
        read_elements(vsg_exe_raw_at(thread, &message->address), message->address_bytes,
                      message->strided ? 1 : count, out);
    if (message->strided) {
        add += out[0] * message->scale;
        for (uint32_t n = 0; n < count; n++)
            out[n] = (add + n * (uint64_t)stride) & mask;
        return true;
    }
    if (message->scale == 1 && add == 0 && !window->is_slm)
        return true;
    for (uint32_t n = 0; n < count; n++)
        out[n] = (out[n] * message->scale + add) & mask;
    return true;
}
