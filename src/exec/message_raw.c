/* SPDX-License-Identifier: MIT
 *
 * Raw sends: the descriptor is decoded to the message it is (sends.def), which then runs like
 * the instructions that make such messages. A descriptor that is constant is decoded once, one
 * in a register each time. What is not known faults. Source: see sends.def; RAW_SEND,
 * RAW_SENDS. */
#include "exec/raw.h"
#include "exec/sends.h"

/* ---- the descriptor ---------------------------------------------------------------------- */

#define FUNCTION(number, from, to, text)
#define SEND(function_, mask_value, kind_, ...)                                                \
    SEND_ROW(function_, mask_value, kind_, __VA_ARGS__)
#define SEND_ROW(function_, mask_, value_, kind_, write_, bytes_, address_, from_)             \
    {.function = function_,                                                                    \
     .mask = mask_,                                                                            \
     .value = value_,                                                                          \
     .decode = vsg_exe_send_##kind_,                                                           \
     .write = write_,                                                                          \
     .bytes = bytes_,                                                                          \
     .address = address_,                                                                      \
     .from = VISAGE_PLATFORM_##from_},
#define INT_ATOMIC(code, operation, sources)
#define FLOAT_ATOMIC(code, operation, sources)
static const vsg_exe_send_row rows[] = {
#include "exec/sends.def"
};
#undef SEND_ROW

#define FUNCTION(number_, from_, to_, text_)                                                   \
    {.number = number_,                                                                        \
     .from = VISAGE_PLATFORM_##from_,                                                          \
     .to = VISAGE_PLATFORM_##to_,                                                              \
     .text = text_},
#define SEND(...)
#define INT_ATOMIC(code, operation, sources)
#define FLOAT_ATOMIC(code, operation, sources)
static const struct function_row {
    uint32_t number;
    visage_platform from, to;
    const char *text;
} functions[] = {
#include "exec/sends.def"
};

const char *vsg_exe_shared_function(visage_platform platform, uint32_t number)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (functions[i].number == number && platform >= functions[i].from &&
            platform <= functions[i].to)
            return functions[i].text;
    return NULL;
}

/* Fills in everything of p behind its descriptors. False: p->why says why not. */
static bool decode(const vsg_exe_send *send, vsg_exe_thread *thread, const vsg_exe_inst *inst,
                   uint32_t descriptor, uint32_t extended, vsg_exe_plan *p)
{
    *p = (vsg_exe_plan){.send = send,
                        .thread = thread,
                        .descriptor = descriptor,
                        .extended = extended,
                        .function = send->in_descriptor ? extended & 0xf : send->function,
                        .inst = *inst,
                        .ends = send->ends || (send->in_descriptor && (extended & 0x20))};
    vsg_exe_message_clear(&p->message);
    if (send->in_descriptor)
        p->extended &= ~0x3fu;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].function == p->function && send->platform >= rows[i].from &&
            (descriptor & rows[i].mask) == rows[i].value)
            return rows[i].decode(p, &rows[i]);
    return vsg_exe_plan_refuse(p, "it is none of the known messages");
}

/* ---- preparing --------------------------------------------------------------------------- */

static bool is_slm(const vsg_exe_plan *p)
{
    return p->message.target == VSG_EXE_TARGET_SLM ||
           (p->message.target == VSG_EXE_TARGET_ENTRY && p->message.entry == VSG_EXE_BTI_SLM);
}

/* A constant message needs no decoding when it runs. */
static bool decode_once(vsg_exe_builder *builder, const vsg_exe_send *send, vsg_exe_inst *out)
{
    vsg_exe_plan *p = vsg_exe_keep(builder, 1, sizeof *p);

    if (!p)
        return false;
    if (!decode(send, NULL, out, (uint32_t)send->descriptor.value,
                (uint32_t)send->extended.value, p))
        return true; /* faults when it runs, or is decoded then */
    builder->unit->reads_slm |= is_slm(p);
    if (p->ends)
        return true;
    *out = p->inst;
    out->message = &p->message;
    return true;
}

static bool finish(vsg_exe_builder *builder, vsg_exe_send *send, vsg_exe_inst *out)
{
    vsg_exe_message *message = vsg_exe_keep(builder, 1, sizeof *message);

    if (!message)
        return false;
    send->platform = builder->program->platform;
    send->grf_bytes = builder->program->grf_bytes;
    vsg_exe_message_clear(message);
    message->send = send;
    out->message = message;
    if (send->descriptor.is_constant && send->extended.is_constant)
        return decode_once(builder, send, out);
    builder->unit->reads_slm = true; /* it may */
    return true;
}

static bool decode_raws(vsg_exe_builder *builder, const vsg_obj_inst *inst, vsg_exe_send *send,
                        const char *first, const char *second)
{
    uint32_t grf_bytes = builder->program->grf_bytes;

    send->source[1].is_null = true;
    return vsg_exe_message_raw(builder, inst, first, send->grfs[0] * grf_bytes,
                               &send->source[0]) &&
           (!second || vsg_exe_message_raw(builder, inst, second, send->grfs[1] * grf_bytes,
                                           &send->source[1])) &&
           vsg_exe_message_raw(builder, inst, "dst", send->dst_grfs * grf_bytes, &send->dst);
}

bool vsg_exe_prepare_raw_send(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                              vsg_exe_inst *out)
{
    vsg_exe_send *send = vsg_exe_keep(builder, 1, sizeof *send);

    if (!send)
        return false;
    send->in_descriptor = true;
    send->extended.is_constant = true;
    send->extended.value = (int64_t)vsg_exe_number(inst, "ex_desc");
    send->grfs[0] = (uint32_t)vsg_exe_number(inst, "num_src");
    send->dst_grfs = (uint32_t)vsg_exe_number(inst, "num_dst");
    return vsg_exe_message_scalar(builder, inst, "desc", &send->descriptor) &&
           decode_raws(builder, inst, send, "src", NULL) && finish(builder, send, out);
}

/* Bit 1 of the sub field ends the thread. */
bool vsg_exe_prepare_raw_sends(vsg_exe_builder *builder, const vsg_obj_inst *inst,
                               vsg_exe_inst *out)
{
    vsg_exe_send *send = vsg_exe_keep(builder, 1, sizeof *send);

    if (!send)
        return false;
    send->function = (uint32_t)vsg_exe_number(inst, "sfid");
    send->ends = (inst->sub_flags & 2) != 0;
    send->grfs[0] = (uint32_t)vsg_exe_number(inst, "num_src0");
    send->grfs[1] = (uint32_t)vsg_exe_number(inst, "num_src1");
    send->dst_grfs = (uint32_t)vsg_exe_number(inst, "num_dst");
    return vsg_exe_message_scalar(builder, inst, "desc", &send->descriptor) &&
           vsg_exe_message_scalar(builder, inst, "ex_desc", &send->extended) &&
           decode_raws(builder, inst, send, "src0", "src1") && finish(builder, send, out);
}

/* ---- running ----------------------------------------------------------------------------- */

void vsg_exe_do_raw_send(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_send *send = inst->message->send;
    int64_t descriptor, extended;
    vsg_exe_plan p;

    if (!vsg_exe_scalar_read(thread, inst, &send->descriptor, &descriptor) ||
        !vsg_exe_scalar_read(thread, inst, &send->extended, &extended))
        return;
    if (!decode(send, thread, inst, (uint32_t)descriptor, (uint32_t)extended, &p)) {
        vsg_exe_fault_raise(thread, inst, VSG_DIAG_FAULT_SEND, -1, (uint32_t)descriptor,
                            (uint32_t)extended);
        thread->fault.limit = p.function;
        thread->fault.text = p.why;
        return;
    }
    p.inst.message = &p.message;
    p.inst.handler(thread, &p.inst);
    if (p.ends && thread->stop != VSG_EXE_STOP_FAULT)
        thread->stop = VSG_EXE_STOP_END;
}
