/* SPDX-License-Identifier: MIT
 *
 * Accesses that meet: those of other threads, and channels of one instruction that store at one
 * address. */
#include "exec/check_race.h"
#include "exec/check_visit.h"
#include "exec/operand.h"

/* ---- other threads' accesses ------------------------------------------------------------ */

static vsg_exe_race_kind race_kind(const vsg_exe_visit *v)
{
    if (v->access == VSG_EXE_ACCESS_READ)
        return VSG_EXE_RACE_READ;
    if (v->access == VSG_EXE_ACCESS_WRITE)
        return VSG_EXE_RACE_WRITE;
    return v->message->data.is_null ? VSG_EXE_RACE_ATOMIC : VSG_EXE_RACE_ATOMIC_OBSERVED;
}

/* What a channel stores in an element. */
static const uint8_t *value_of(const vsg_exe_visit *v, uint32_t n, uint32_t element)
{
    const vsg_exe_message *message = v->message;

    return vsg_exe_raw_at(v->thread, &message->data) + (size_t)element * message->pitch_bytes +
           (size_t)n * message->register_bytes + vsg_exe_visit_first_byte(message);
}

void vsg_exe_report_race(vsg_exe_thread *thread, const vsg_exe_inst *inst,
                         const vsg_exe_step *step, const vsg_exe_race_access *access,
                         const char *what, uint32_t size_bytes)
{
    vsg_exe_finding finding = {.diag = VSG_DIAG_CHECK_RACE,
                               .address = access->host,
                               .size_bytes = size_bytes,
                               .what = what,
                               .is_slm = access->is_slm,
                               .race = step->race,
                               .other = access->other};

    if (access->is_slm)
        finding.address -= access->base;
    vsg_exe_check_report(thread, inst, &finding, access->bad);
}

static void race_elements(const vsg_exe_visit *v, vsg_exe_race_access *access)
{
    const vsg_exe_message *message = v->message;
    uint32_t count = v->access == VSG_EXE_ACCESS_ATOMIC ? 1 : message->num_elements;
    bool writes = v->access == VSG_EXE_ACCESS_WRITE;

    for (uint32_t e = 0; e < count; e++) {
        uint64_t before = UINT64_MAX; /* channels often read one address, side by side */
        for (uint32_t n = 0; n < v->inst->exec_size; n++) {
            if (!(v->channels >> n & 1))
                continue;
            uint64_t address = vsg_exe_visit_address_of(v, n, e);
            if (v->access == VSG_EXE_ACCESS_READ && address == before)
                continue;
            before = address;
            if (!v->near && !v->window.is_slm && !vsg_exe_visit_is_common(v, address))
                continue;
            uint64_t host = vsg_exe_visit_host_in(v, address);
            if (host && v->access == VSG_EXE_ACCESS_ATOMIC)
                vsg_exe_race_atomic(access->race, v->thread->number, host,
                                    message->atomic != VSG_EXE_ATOMIC_LOAD,
                                    !message->data.is_null);
            if (host)
                vsg_exe_race_touch(access, host, message->memory_bytes, n,
                                   writes ? value_of(v, n, e) : NULL);
        }
    }
}

/* A thread's own memory is nobody else's. */
void vsg_exe_visit_find_races(const vsg_exe_visit *v, const vsg_exe_step *step)
{
    vsg_exe_race_access access;

    if (!v->thread->check->check->race ||
        (v->near && !v->window.is_slm && !vsg_exe_visit_is_common(v, v->low)))
        return;
    vsg_exe_race_open(&access, v->thread, v->window.is_slm, race_kind(v), step->race);
    if (v->access != VSG_EXE_ACCESS_ATOMIC && v->near && vsg_exe_visit_is_run(v) &&
        !v->message->is_block &&
        vsg_exe_race_run(&access, v->near, v->message->memory_bytes, v->inst->exec_size))
        return;
    race_elements(v, &access);
    if (access.bad)
        vsg_exe_report_race(v->thread, v->inst, step, &access, vsg_exe_visit_word_of(v->access),
                            v->message->memory_bytes);
}

/* ---- channels that store at one address ---------------------------------------------------
 */

/* Two channels whose elements overlap: are the bytes that both store the same? */
static bool is_agreed(const vsg_exe_visit *v, uint32_t n, uint32_t m)
{
    uint32_t bytes = v->message->memory_bytes, count = v->message->num_elements;

    for (uint32_t i = 0; i < count * count; i++) {
        uint32_t e = i / count, f = i % count;
        uint64_t a = vsg_exe_visit_address_of(v, n, e), b = vsg_exe_visit_address_of(v, m, f);
        uint64_t skip = a < b ? b - a : a - b;
        if (skip >= bytes)
            continue;
        const uint8_t *first = value_of(v, n, e) + (a < b ? skip : 0);
        const uint8_t *second = value_of(v, m, f) + (a < b ? 0 : skip);
        if (memcmp(first, second, (size_t)(bytes - skip)) != 0)
            return false;
    }
    return true;
}

/* Are the channels' places in ascending order and apart? */
static bool are_apart(const vsg_exe_visit *v)
{
    uint64_t end = 0;

    for (uint32_t n = 0; n < v->inst->exec_size; n++) {
        if (!(v->channels >> n & 1))
            continue;
        if (v->at[n] < end)
            return false;
        end = v->at[n] + v->message->span_bytes;
    }
    return true;
}

/* "if it attempts to write the same address with different values, the result is undefined"
 * (3_execution_model, Memory Model). The pages of the scatter messages leave undefined also the
 * same value written twice, which compilers do. */
void vsg_exe_visit_find_overlap(const vsg_exe_visit *v)
{
    uint32_t bad = 0, span = v->message->span_bytes;
    vsg_exe_finding finding = {.diag = VSG_DIAG_CHECK_OVERLAP, .is_slm = v->window.is_slm};

    if (v->message->is_block || v->message->data.is_null || are_apart(v))
        return;
    for (uint32_t m = 1; m < v->inst->exec_size; m++) {
        for (uint32_t n = 0; n < m; n++) {
            if (!(v->channels >> n & v->channels >> m & 1) ||
                v->at[n] - v->at[m] + span >= 2 * span || is_agreed(v, n, m))
                continue;
            if (!bad) {
                finding.size_bytes = n;
                finding.limit = m;
                finding.address = v->window.shown + v->at[m];
            }
            bad |= 1u << n | 1u << m;
        }
    }
    if (bad)
        vsg_exe_check_report(v->thread, v->inst, &finding, bad);
}
