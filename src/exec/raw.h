/* SPDX-License-Identifier: MIT
 *
 * Raw sends in the making: the parts of a descriptor and of a payload that the messages of
 * sends.def are put together from (message_raw_parts.c). message_raw_port.c, _lsc.c, _image.c
 * and _sampler.c have the messages, message_raw.c finds out which one a descriptor is. */
#ifndef VISAGE_EXEC_RAW_H
#define VISAGE_EXEC_RAW_H

#include "exec/handlers.h"
#include "exec/message.h"
#include "exec/operand.h"

/* The instruction: operands as they are in the text. */
typedef struct vsg_exe_send {
    visage_platform platform;
    uint32_t grf_bytes;
    uint32_t function; /* of raw_sends; raw_send has it in the extended descriptor */
    bool in_descriptor;
    bool ends; /* the thread, behind the message */
    vsg_exe_scalar descriptor, extended;
    vsg_exe_operand source[2], dst;
    uint32_t grfs[2], dst_grfs;
} vsg_exe_send;

enum { VSG_EXE_PLAN_ELEMENTS = 64 };

/* A message in the making, with what it points to. */
typedef struct vsg_exe_plan {
    const vsg_exe_send *send;
    vsg_exe_thread *thread; /* that runs it; NULL: it is only prepared */
    uint32_t descriptor, extended, function;
    vsg_exe_inst inst;
    vsg_exe_message message;
    uint16_t at[VSG_EXE_PLAN_ELEMENTS];
    vsg_exe_block2d block;
    vsg_exe_media media;
    vsg_exe_sampling sampling;
    vsg_exe_operand coordinates[4];
    uint32_t taken; /* registers of the payload */
    bool ends;
    const char *why; /* it cannot be executed */
} vsg_exe_plan;

/* A row of sends.def. */
typedef struct vsg_exe_send_row {
    uint32_t function, mask, value;
    bool (*decode)(vsg_exe_plan *, const struct vsg_exe_send_row *);
    bool write;
    uint32_t bytes, address;
    visage_platform from;
} vsg_exe_send_row;

typedef struct vsg_exe_send_atomic {
    bool known;
    uint8_t operation, sources;
} vsg_exe_send_atomic;
/* Integer atomics of the data ports by their code. */
extern const vsg_exe_send_atomic vsg_exe_send_int_atomics[16];

/* The messages, by the kinds of sends.def. False: vsg_exe_plan_refuse() was called. */
#define FUNCTION(number, from, to, text)
#define SEND(function, mask_value, kind, ...) SEND_KIND(function, mask_value, kind, __VA_ARGS__)
#define SEND_KIND(function, mask, value, kind, ...)                                            \
    bool vsg_exe_send_##kind(vsg_exe_plan *p, const vsg_exe_send_row *r);
#define INT_ATOMIC(code, operation, sources)
#define FLOAT_ATOMIC(code, operation, sources)
#include "exec/sends.def"
#undef SEND_KIND

/* Bits `from` to `to`. */
static inline uint32_t vsg_exe_send_field(uint32_t descriptor, uint32_t from, uint32_t to)
{
    return descriptor >> from & ((2u << (to - from)) - 1);
}

/* Says why the message is not executed; false. why: static. */
bool vsg_exe_plan_refuse(vsg_exe_plan *p, const char *why);

/* ---- payload: false, and refused, where it is too small ---------------------------------- */

uint32_t vsg_exe_plan_grfs(const vsg_exe_plan *p, uint32_t bytes);
/* The next registers of the payload, whose second half follows the first. */
bool vsg_exe_plan_take(vsg_exe_plan *p, uint32_t grfs, vsg_exe_operand *out);
/* The header, where the descriptor says that there is one. */
bool vsg_exe_plan_take_header(vsg_exe_plan *p, bool is_needed, vsg_exe_operand *out);
bool vsg_exe_plan_take_addresses(vsg_exe_plan *p, uint32_t bytes, uint32_t simd);
/* What a load or an atomic returns, or a store sends. */
bool vsg_exe_plan_take_data(vsg_exe_plan *p, bool write, uint32_t bytes);
/* A dword of a payload that shapes the message, so that this is known when it runs only. False:
 * not known yet. */
bool vsg_exe_plan_read(vsg_exe_plan *p, const vsg_exe_operand *payload, uint32_t dword,
                       uint32_t *out);
vsg_exe_scalar vsg_exe_plan_scalar(const vsg_exe_operand *header, uint32_t dword,
                                   visage_type type);

/* ---- parts of messages ------------------------------------------------------------------- */

/* SIMD8 and SIMD16 of the old register size. */
uint32_t vsg_exe_plan_simd(const vsg_exe_plan *p, bool is_double);
/* The binding-table entry in the low bits. */
void vsg_exe_plan_table(vsg_exe_plan *p);
void vsg_exe_plan_elements(vsg_exe_plan *p, uint32_t memory, uint32_t slot, uint32_t count,
                           uint32_t mask);
/* The channels of the payload; the instruction may have fewer. */
void vsg_exe_plan_channels(vsg_exe_plan *p, uint32_t simd);
/* Elements that the mask has a bit for, as channels of a texel. */
void vsg_exe_plan_texel(vsg_exe_plan *p, uint32_t mask);
/* A load or store of the elements. */
bool vsg_exe_plan_slots(vsg_exe_plan *p, const vsg_exe_send_row *r, uint32_t simd);
/* Sources, with the comparand first, and what is returned. */
bool vsg_exe_plan_atomic(vsg_exe_plan *p, const vsg_exe_send_atomic *atomic, uint32_t simd,
                         bool returns);
/* The same of texels; bytes: of a coordinate. */
bool vsg_exe_plan_texels(vsg_exe_plan *p, const vsg_exe_send_row *r, uint32_t mask,
                         uint32_t simd, uint32_t bytes);
bool vsg_exe_plan_typed_atomic(vsg_exe_plan *p, const vsg_exe_send_atomic *atomic,
                               uint32_t simd, uint32_t bytes, bool returns);

#endif
