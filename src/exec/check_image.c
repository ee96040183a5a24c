/* SPDX-License-Identifier: MIT
 *
 * Images in check mode. Outside them reads and writes are defined, and texels count as written:
 * what is stored must be. Where texels lie is the messages' own business, which tell it while
 * they run. */
#include "exec/check_race.h"
#include "exec/check_shadow.h"
#include "exec/handlers.h"
#include "exec/image.h"

/* Channels whose slot of a row of registers has an unwritten bit. */
static uint32_t row_unwritten(const vsg_exe_thread *thread, const vsg_exe_operand *operand,
                              uint32_t at, uint32_t slot_bytes, uint32_t count)
{
    uint32_t bad = 0;

    if (operand->is_null || operand->shared)
        return 0;
    const uint8_t *shadow = thread->check->registers + operand->offset + at;
    for (uint32_t n = 0; n < count; n++)
        bad |= (uint32_t)vsg_exe_any_set(shadow + n * slot_bytes, slot_bytes) << n;
    return bad;
}

/* The slots of channels are written. */
static void clear_rows(const vsg_exe_thread *thread, const vsg_exe_inst *inst,
                       uint32_t channels, uint32_t num_elements)
{
    const vsg_exe_message *message = inst->message;

    if (message->data.is_null || message->data.shared)
        return;
    for (uint32_t i = 0; i < num_elements * inst->exec_size; i++) {
        uint32_t e = i / inst->exec_size, n = i % inst->exec_size;
        if (channels >> n & 1)
            memset(thread->check->registers + message->data.offset + e * message->pitch_bytes +
                       n * message->register_bytes,
                   0, message->register_bytes);
    }
}

/* ---- accesses that meet ----------------------------------------------------------------- */

enum { MOST_STORES = 2 * VSG_EXE_MAX_CHANNELS, MOST_TEXEL_BYTES = 16 };

/* What a channel stores, of one texel. */
typedef struct texel_store {
    uint64_t host;
    uint32_t bytes, channel;
    uint8_t value[MOST_TEXEL_BYTES];
} texel_store;

typedef struct texel_watch {
    vsg_exe_watch base;
    vsg_exe_race_access access; /* race NULL: other threads' accesses do not count */
    const vsg_exe_message *message;
    bool is_atomic;
    uint32_t bytes; /* of the last access */
    /* channels that store different values at one address, the first two and the address */
    uint32_t bad, first, second;
    uint64_t host;
    uint32_t num_stores;
    texel_store stores[MOST_STORES];
} texel_watch;

/* Do two stores give a byte different values? */
static bool differ(const texel_store *a, const texel_store *b)
{
    uint64_t low = a->host > b->host ? a->host : b->host;
    uint64_t a_end = a->host + a->bytes, b_end = b->host + b->bytes;
    uint64_t high = a_end < b_end ? a_end : b_end;

    return low < high && memcmp(a->value + (low - a->host), b->value + (low - b->host),
                                (size_t)(high - low)) != 0;
}

/* "if it attempts to write the same address with different values, the result is undefined"
 * (3_execution_model, Memory Model). */
static void note_store(texel_watch *w, uint64_t host, uint32_t bytes, uint32_t channel,
                       const uint8_t *value)
{
    texel_store *last = &w->stores[w->num_stores];

    if (w->num_stores == MOST_STORES || bytes > MOST_TEXEL_BYTES)
        return;
    w->num_stores++;
    last->host = host;
    last->bytes = bytes;
    last->channel = channel;
    memcpy(last->value, value, bytes);
    for (texel_store *other = w->stores; other < last; other++) {
        if (other->channel == channel || !differ(other, last))
            continue;
        if (!w->bad) {
            w->first = other->channel;
            w->second = channel;
            w->host = host;
        }
        w->bad |= 1u << other->channel | 1u << channel;
    }
}

static void watch_texel(vsg_exe_watch *base, uint64_t host, uint32_t bytes, uint32_t channel,
                        const uint8_t *value)
{
    texel_watch *w = (texel_watch *)base;

    if (value)
        note_store(w, host, bytes, channel, value);
    w->bytes = bytes;
    if (!w->access.race)
        return;
    if (w->is_atomic)
        vsg_exe_race_atomic(w->access.race, w->access.thread->number, host,
                            w->message->atomic != VSG_EXE_ATOMIC_LOAD,
                            !w->message->data.is_null);
    vsg_exe_race_touch(&w->access, host, bytes, channel, value);
}

/* The message, whose texels are compared with each other and with what other threads do. */
static void run_watched(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_step *step, vsg_exe_race_kind kind)
{
    static const char *const words[] = {"write", "read", "atomic", "atomic"};
    texel_watch w;

    w.base.touch = watch_texel;
    w.access.race = NULL;
    w.access.bad = 0;
    w.message = inst->message;
    w.is_atomic = kind >= VSG_EXE_RACE_ATOMIC;
    w.bytes = 0;
    w.bad = 0;
    w.num_stores = 0;
    if (thread->check->check->race)
        vsg_exe_race_open(&w.access, thread, false, kind, step->race);
    thread->watch = &w.base;
    inst->handler(thread, inst);
    thread->watch = NULL;
    if (w.access.bad)
        vsg_exe_report_race(thread, inst, step, &w.access, words[kind], w.bytes);
    if (w.bad) {
        vsg_exe_finding finding = {.diag = VSG_DIAG_CHECK_OVERLAP,
                                   .size_bytes = w.first,
                                   .limit = w.second,
                                   .address = w.host};
        vsg_exe_check_report(thread, inst, &finding, w.bad);
    }
}

/* ---- typed messages --------------------------------------------------------------------- */

static void check_texels(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t channels)
{
    const vsg_exe_message *message = inst->message;
    uint32_t bad = 0;

    for (uint32_t e = 0; e < message->num_elements; e++)
        bad |= row_unwritten(thread, &message->data, e * message->pitch_bytes,
                             message->register_bytes, inst->exec_size);
    if (bad & channels)
        vsg_exe_check_unwritten(thread, inst, bad & channels, "what is stored");
}

static void check_operand(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                          const vsg_exe_operand *operand, uint32_t channels)
{
    uint32_t bad =
        row_unwritten(thread, operand, 0, inst->message->register_bytes, inst->exec_size) &
        channels;

    if (bad)
        vsg_exe_check_unwritten(thread, inst, bad, "an operand of an atomic");
}

void vsg_exe_step_typed(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_step *step)
{
    const vsg_exe_message *message = inst->message;
    uint32_t channels = vsg_exe_channels(thread, inst);
    vsg_exe_race_kind kind = VSG_EXE_RACE_READ;
    uint32_t bad = 0;

    vsg_exe_check_addressing(thread, inst, channels);
    for (uint32_t i = 0; i < 4; i++)
        bad |= row_unwritten(thread, &message->coordinates[i], 0, message->address_bytes,
                             inst->exec_size);
    if (bad & channels)
        vsg_exe_check_unwritten(thread, inst, bad & channels, "a coordinate");
    if (inst->handler == vsg_exe_do_typed_store) {
        check_texels(thread, inst, channels);
        kind = VSG_EXE_RACE_WRITE;
    } else if (inst->handler == vsg_exe_do_typed_status) {
        if (!message->data.is_null && !message->data.shared)
            memset(thread->check->registers + message->data.offset, 0, sizeof(uint32_t));
    } else if (inst->handler == vsg_exe_do_typed_atomic) {
        check_operand(thread, inst, &message->value, channels);
        check_operand(thread, inst, &message->comparand, channels);
        clear_rows(thread, inst, channels, 1);
        kind = message->data.is_null ? VSG_EXE_RACE_ATOMIC : VSG_EXE_RACE_ATOMIC_OBSERVED;
    } else {
        clear_rows(thread, inst, channels, message->num_elements);
    }
    run_watched(thread, inst, step, kind);
}

/* ---- the sampler ------------------------------------------------------------------------ */

static void check_sampler(vsg_exe_thread *thread, const vsg_exe_inst *inst, uint32_t channels)
{
    const vsg_exe_unit *unit = thread->frame->unit;
    const vsg_exe_sampling *sampling = inst->message->sampling;
    bool uses = inst->handler == vsg_exe_do_sampling &&
                sampling->action != VSG_EXE_SAMPLING_LOAD &&
                sampling->action != VSG_EXE_SAMPLING_MCS;

    if (uses && !sampling->is_number && sampling->sampler < unit->num_samplers &&
        vsg_exe_shadow_dwords(thread, unit->samplers_at)[sampling->sampler] != 0)
        vsg_exe_check_unwritten(thread, inst, channels, "the sampler of an image access");
}

void vsg_exe_step_sampling(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                           const vsg_exe_step *step)
{
    const vsg_exe_message *message = inst->message;
    const vsg_exe_sampling *sampling = message->sampling;
    uint32_t channels = vsg_exe_channels(thread, inst);
    uint32_t bad = 0;

    vsg_exe_check_addressing(thread, inst, channels);
    if (channels)
        check_sampler(thread, inst, channels);
    for (uint32_t i = 0; i < VSG_EXE_PARAMETER_COUNT; i++)
        bad |= row_unwritten(thread, &sampling->parameters[i], 0, sampling->parameter_bytes,
                             inst->exec_size);
    if ((bad & channels) || vsg_exe_scalar_unwritten(thread, inst, &sampling->offset))
        vsg_exe_check_unwritten(thread, inst, bad & channels, "a coordinate");
    clear_rows(thread, inst, channels, message->num_elements);
    if (sampling->null_mask && !message->data.is_null && !message->data.shared)
        memset(thread->check->registers + message->data.offset +
                   (size_t)message->num_elements * message->pitch_bytes,
               0, sizeof(uint32_t));
    run_watched(thread, inst, step, VSG_EXE_RACE_READ);
}

/* ---- media blocks ----------------------------------------------------------------------- */

static void check_media_stored(vsg_exe_thread *thread, const vsg_exe_inst *inst)
{
    const vsg_exe_media *media = inst->message->media;
    const uint8_t *row = thread->check->registers + inst->message->data.offset;

    for (uint32_t i = 0; i < media->height; i++, row += media->row_bytes)
        if (vsg_exe_any_set(row, media->width)) {
            vsg_exe_check_unwritten(thread, inst, 1, "what is stored");
            return;
        }
}

void vsg_exe_step_media(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                        const vsg_exe_step *step)
{
    const vsg_exe_message *message = inst->message;
    const vsg_exe_media *media = message->media;
    bool is_store = inst->handler == vsg_exe_do_media_store;

    vsg_exe_check_addressing(thread, inst, 1);
    if (vsg_exe_scalar_unwritten(thread, inst, &media->x) ||
        vsg_exe_scalar_unwritten(thread, inst, &media->y))
        vsg_exe_check_unwritten(thread, inst, 1, "a coordinate");
    if (!message->data.is_null && !message->data.shared) {
        if (is_store)
            check_media_stored(thread, inst);
        else
            for (uint32_t i = 0; i < media->height; i++)
                memset(thread->check->registers + message->data.offset + i * media->row_bytes,
                       0, media->width);
    }
    run_watched(thread, inst, step, is_store ? VSG_EXE_RACE_WRITE : VSG_EXE_RACE_READ);
}
