/* SPDX-License-Identifier: MIT
 *
 * What stopped a run, as a diagnostic. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "exec/sends.h"
#include "runtime/job.h"

enum { LONGEST_PLACE = 1024 };

typedef struct place_text {
    char text[LONGEST_PLACE];
    size_t length;
} place_text;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
append(place_text *out, const char *format, ...)
{
    va_list args;
    size_t room = sizeof out->text - out->length;

    va_start(args, format);
    int length = vsnprintf(out->text + out->length, room, format, args);
    va_end(args);
    if (length > 0)
        out->length += (size_t)length < room ? (size_t)length : room - 1;
}

void vsg_run_source_line(const vsg_obj_unit *unit, const vsg_obj_inst *inst, const char **file,
                         uint32_t *line)
{
    *file = NULL;
    *line = 0;
    if (!inst || inst < unit->insts || inst >= unit->insts + unit->num_insts)
        return;
    for (const vsg_obj_inst *i = unit->insts; i < inst; i++) {
        if (i->num_operands == 0)
            continue;
        if (i->op == VISAGE_OP_FILE)
            *file = i->operands[0].name;
        else if (i->op == VISAGE_OP_LOC)
            *line = (uint32_t)i->operands[0].value;
    }
}

static void append_source(place_text *out, const vsg_obj_unit *unit, const vsg_obj_inst *inst)
{
    const char *file;
    uint32_t line;

    vsg_run_source_line(unit, inst, &file, &line);
    if (line != 0 && file)
        append(out, ", source %s:%u", file, (unsigned)line);
    else if (line != 0)
        append(out, ", source line %u", (unsigned)line);
}

static void append_id(place_text *out, const vsg_run_job *job, const vsg_run_failure *failure,
                      uint32_t channel)
{
    const vsg_run_dispatch *dispatch = job->dispatch;
    uint32_t group[3], local[3];

    vsg_run_dispatch_group(dispatch, failure->group, group);
    vsg_run_dispatch_local(dispatch, failure->thread * dispatch->simd + channel, local);
    for (uint32_t d = 0; d < 3; d++)
        append(out, "%s%llu", d ? "," : "(",
               (unsigned long long)(dispatch->offset[d] +
                                    (uint64_t)group[d] * dispatch->whole_local[d] + local[d]));
    append(out, ")");
}

/* The channel's, or where an instruction is the whole thread's those of all that were on. */
static void append_work_item(place_text *out, const vsg_run_job *job,
                             const vsg_run_failure *failure)
{
    const vsg_run_dispatch *dispatch = job->dispatch;
    int32_t channel = dispatch->simd == 1 ? 0 : failure->fault.channel;

    if (dispatch->counts_threads || channel >= (int32_t)dispatch->simd)
        return;
    uint32_t on = channel < 0 ? failure->mask : 1u << channel;
    if (on == 0)
        return;
    uint32_t first = (uint32_t)__builtin_ctz(on), last = 31 - (uint32_t)__builtin_clz(on);
    append(out, first == last ? " (work-item " : " (work-items ");
    append_id(out, job, failure, first);
    if (first != last)
        append(out, " to ");
    if (first != last)
        append_id(out, job, failure, last);
    append(out, ")");
}

static void describe_place(place_text *out, const vsg_run_job *job,
                           const vsg_run_failure *failure)
{
    const vsg_exe_fault *fault = &failure->fault;
    uint32_t group[3];

    vsg_run_dispatch_group(job->dispatch, failure->group, group);
    append(out, "group (%u,%u,%u), thread %u", (unsigned)group[0], (unsigned)group[1],
           (unsigned)group[2], (unsigned)failure->thread);
    if (fault->channel >= 0)
        append(out, ", channel %d", (int)fault->channel);
    append_work_item(out, job, failure);
    if (fault->unit)
        append_source(out, fault->unit->object, fault->inst);
}

void vsg_run_describe(const vsg_run_job *job, const vsg_run_failure *failure, char *text,
                      size_t size)
{
    place_text place = {.length = 0};

    describe_place(&place, job, failure);
    (void)snprintf(text, size, "%s", place.text);
}

/* Line `number` of a text, NULL where it has fewer. Ends at '\n' or the text's end. */
static const char *find_line(const char *text, size_t size, uint32_t number, size_t *length)
{
    const char *end = text + size;

    for (uint32_t i = 1; i < number && text; i++) {
        text = memchr(text, '\n', (size_t)(end - text));
        text = text ? text + 1 : NULL;
    }
    if (!text || text >= end)
        return NULL;
    const char *stop = memchr(text, '\n', (size_t)(end - text));
    *length = (size_t)((stop ? stop : end) - text);
    return text;
}

vsg_base_location vsg_run_locate(const vsg_run_job *job, const vsg_exe_fault *fault, char *line,
                                 size_t line_size)
{
    const vsg_run_source *source = &job->launch->program->source;
    size_t length;

    if (!fault->unit)
        return vsg_run_here(job->launch->kernel);
    vsg_base_location where = vsg_obj_locate(fault->unit->object, fault->inst);
    for (size_t i = 0; i < source->num_units && where.line; i++) {
        const vsg_run_kernel *kernel = &source->kernels[i];
        if (kernel->unit != fault->unit->object || !kernel->text)
            continue;
        const char *found = find_line(kernel->text, kernel->text_size, where.line, &length);
        if (!found)
            break;
        length = length < line_size ? length : line_size - 1;
        memcpy(line, found, length);
        line[length] = '\0';
        where.source_line = line;
        break;
    }
    return where;
}

/* The message as far as all descriptors are alike; address is the descriptor, size_bytes the
 * extended one, limit the shared function (message_raw.c). */
static void report_send(const vsg_run_job *job, const vsg_exe_fault *fault,
                        const vsg_base_location *where, const char *place,
                        visage_diagnostics *diagnostics)
{
    const char *function =
        vsg_exe_shared_function(job->launch->program->device->platform, fault->limit);
    uint32_t descriptor = (uint32_t)fault->address;
    place_text name = {.length = 0};
    place_text message = {.length = 0};

    append(&name, "shared function %u (%s)", (unsigned)fault->limit,
           function ? function : "unknown");
    append(&message,
           "%s; descriptor 0x%08x: message type 0x%02x, header %s, registers sent %u, returned "
           "%u, low bits 0x%02x; extended descriptor 0x%08x",
           fault->text, (unsigned)descriptor, (unsigned)(descriptor >> 14 & 0x1f),
           descriptor >> 19 & 1 ? "yes" : "no", (unsigned)(descriptor >> 25 & 0xf),
           (unsigned)(descriptor >> 20 & 0x1f), (unsigned)(descriptor & 0xff),
           (unsigned)fault->size_bytes);
    vsg_base_report(diagnostics, VSG_DIAG_FAULT_SEND, where, name.text, message.text, place);
}

static void report_fault(const vsg_run_job *job, const vsg_run_failure *failure,
                         visage_diagnostics *diagnostics)
{
    const vsg_exe_fault *fault = &failure->fault;
    place_text place = {.length = 0};
    char line[LONGEST_PLACE];
    vsg_base_location where = vsg_run_locate(job, fault, line, sizeof line);
    unsigned long long address = fault->address;

    describe_place(&place, job, failure);
    switch ((int)fault->diag) {
    case VSG_DIAG_FAULT_READ:
    case VSG_DIAG_FAULT_WRITE:
    case VSG_DIAG_FAULT_ATOMIC:
        vsg_base_report(diagnostics, fault->diag, &where, (unsigned)fault->size_bytes, address,
                        place.text);
        break;
    case VSG_DIAG_FAULT_SLM:
        vsg_base_report(diagnostics, fault->diag, &where, (unsigned)fault->size_bytes, address,
                        (unsigned)job->slm.bytes, place.text);
        break;
    case VSG_DIAG_FAULT_SURFACE:
    case VSG_DIAG_FAULT_DEPTH:
        vsg_base_report(diagnostics, fault->diag, &where, (unsigned)fault->limit, place.text);
        break;
    case VSG_DIAG_FAULT_REGISTER:
        vsg_base_report(diagnostics, fault->diag, &where, (long long)fault->address,
                        (unsigned)(fault->unit ? fault->unit->variable_bytes : 0), place.text);
        break;
    case VSG_DIAG_FAULT_CALL:
        vsg_base_report(diagnostics, fault->diag, &where, address, place.text);
        break;
    case VSG_DIAG_FAULT_BARRIER:
        vsg_base_report(diagnostics, fault->diag, &where, (unsigned)failure->waiting,
                        (unsigned)failure->num_threads, place.text);
        break;
    case VSG_DIAG_FAULT_ALIGN:
        vsg_base_report(diagnostics, fault->diag, &where, address, (unsigned)fault->size_bytes,
                        place.text);
        break;
    case VSG_DIAG_FAULT_SEND:
        report_send(job, fault, &where, place.text, diagnostics);
        break;
    case VSG_DIAG_FAULT_UNPUBLISHED:
        vsg_base_report(diagnostics, fault->diag, &where,
                        vsg_isa_op((visage_op)fault->inst->op)->text, place.text);
        break;
    case VSG_DIAG_FAULT_FLOW:
        vsg_base_report(diagnostics, fault->diag, &where, place.text);
        break;
    default:
        vsg_base_report(diagnostics, VSG_DIAG_FAULT_MESSAGE, &where,
                        fault->text ? fault->text : "unknown fault", place.text);
        break;
    }
}

/* A thread had its time or its instructions: where it was. */
static void report_interrupt(const vsg_run_job *job, const vsg_run_failure *failure,
                             visage_diagnostics *diagnostics)
{
    place_text place = {.length = 0};
    char line[LONGEST_PLACE];
    vsg_base_location where = vsg_run_locate(job, &failure->fault, line, sizeof line);

    append(&place, "; ");
    describe_place(&place, job, failure);
    if (failure->fault.diag == VSG_DIAG_BUDGET)
        vsg_base_report(diagnostics, VSG_DIAG_BUDGET, &where, (unsigned long long)job->budget,
                        place.text);
    else
        vsg_base_report(diagnostics, VSG_DIAG_TIMEOUT, &where, (unsigned)job->timeout_ms,
                        place.text);
}

void vsg_run_report(const vsg_run_job *job, const vsg_run_failure *failure,
                    visage_diagnostics *diagnostics)
{
    vsg_base_location where = vsg_run_here(job->launch->kernel);

    if (failure->status == VISAGE_FAULT)
        report_fault(job, failure, diagnostics);
    else if (failure->status == VISAGE_CANCELLED)
        report_interrupt(job, failure, diagnostics);
    else if (failure->status == VISAGE_NO_MEMORY)
        vsg_base_report(diagnostics, VSG_DIAG_NO_MEMORY, &where);
}
