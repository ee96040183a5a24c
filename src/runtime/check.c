/* SPDX-License-Identifier: MIT */
#include "runtime/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/job.h"

enum { MOST_FINDINGS = 100, LONGEST_TEXT = 1024 };

/* ---- collecting ------------------------------------------------------------------------- */

/* Two instructions that race are one finding, whichever of them came second. */
static bool is_same_race(const vsg_exe_finding *a, const vsg_exe_finding *b)
{
    uint32_t a_other = vsg_exe_race_inst(a->other), b_other = vsg_exe_race_inst(b->other);

    return (a->race == b->race && a_other == b_other) ||
           (a->race == b_other && a_other == b->race);
}

static bool is_same(const vsg_exe_finding *a, const vsg_exe_finding *b)
{
    if (a->diag == VSG_DIAG_CHECK_RACE && b->diag == VSG_DIAG_CHECK_RACE)
        return is_same_race(a, b);
    return a->inst == b->inst && a->diag == b->diag && a->what == b->what;
}

static bool is_before(const vsg_run_found *a, const vsg_run_found *b)
{
    if (a->group != b->group)
        return a->group < b->group;
    if (a->thread != b->thread)
        return a->thread < b->thread;
    return a->executed < b->executed;
}

static void collect(vsg_run_check *check, const vsg_run_found *found)
{
    void *list = check->found;

    for (size_t i = 0; i < check->num_found; i++) {
        vsg_run_found *known = &check->found[i];
        if (!is_same(&known->first, &found->first))
            continue;
        uint64_t count = known->count + 1;
        if (is_before(found, known))
            *known = *found;
        known->count = count;
        return;
    }
    if (!vsg_base_grow(&check->alloc, &list, check->num_found, &check->cap_found,
                       sizeof *check->found)) {
        check->lost = true;
        return;
    }
    check->found = list;
    check->found[check->num_found++] = *found;
}

/* A vsg_exe_finding_fn. */
static void take(void *user, const vsg_exe_thread *thread, const vsg_exe_finding *finding)
{
    vsg_run_check *check = user;
    vsg_run_found found = {.first = *finding,
                           .group = thread->check->group,
                           .thread = thread->check->number,
                           .executed = thread->executed,
                           .count = 1};

    (void)pthread_mutex_lock(&check->lock);
    collect(check, &found);
    (void)pthread_mutex_unlock(&check->lock);
}

void vsg_run_check_group(vsg_run_check *check, uint64_t group)
{
    if (check->exec.race)
        vsg_exe_race_begin(check->exec.race, group);
}

void vsg_run_check_barrier(vsg_run_check *check, vsg_exe_thread *const *threads,
                           uint32_t num_threads)
{
    const vsg_exe_thread *first = threads[0];

    if (check->exec.race)
        vsg_exe_race_barrier(check->exec.race);
    for (uint32_t i = 1; check->exec.is_simt && i < num_threads; i++) {
        const vsg_exe_thread *other = threads[i];
        if (other->pc == first->pc && other->frame->unit == first->frame->unit)
            continue;
        const vsg_obj_inst *there = other->code[other->pc - 1].source;
        vsg_exe_finding finding = {.diag = VSG_DIAG_CHECK_BARRIER_PLACE,
                                   .unit = first->frame->unit,
                                   .inst = first->code[first->pc - 1].source,
                                   .address = i,
                                   .limit = there - other->frame->unit->object->insts};
        take(check, first, &finding);
        return;
    }
}

void vsg_run_check_leave_races(vsg_run_check *check)
{
    check->left_races = true;
    check->exec.race = NULL;
}

/* ---- readying --------------------------------------------------------------------------- */

static vsg_exe_parts parts_of(const vsg_run_area *area, uint64_t part_bytes)
{
    vsg_exe_parts parts = {area->address, area->size_bytes, part_bytes};

    if (part_bytes == 0)
        parts.size_bytes = 0;
    return parts;
}

visage_status vsg_run_check_init(vsg_run_check *check, vsg_run_job *job,
                                 vsg_run_thread_memory memory, bool races)
{
    visage_program *program = job->launch->program;
    visage_device *device = program->device;

    *check = (vsg_run_check){.alloc = device->alloc};
    if (!program->plans)
        program->plans = vsg_exe_plan_create(program->exec);
    check->exec = (vsg_exe_check){
        .plans = program->plans,
        .shadow = vsg_run_memory_shadow(device->memory),
        .tails = device->memory->tails,
        .scratch = parts_of(&job->launch->scratch, memory.scratch_bytes),
        .private_memory = parts_of(&job->launch->private_memory, memory.private_bytes),
        .slm_pieces = job->slm.pieces,
        .num_slm_pieces = job->slm.num_pieces,
        .written_bytes = job->has_arguments ? memory.scratch_bytes - job->arguments_at : 0,
        .is_simt = job->dispatch->simd > 1,
        .serial = ++device->memory->check_serial,
        .race = races ? &check->race : NULL,
        .report = take,
        .user = check,
    };
    if (races && !vsg_exe_race_init(&check->race, &check->alloc, &device->memory->space,
                                    job->slm.bytes, job->dispatch->num_threads)) {
        vsg_exe_race_free(&check->race);
        return VISAGE_NO_MEMORY;
    }
    check->race.are_ordered = job->dispatch->pattern != VISAGE_PATTERN_NONE;
    if (!check->exec.plans || !check->exec.shadow ||
        pthread_mutex_init(&check->lock, NULL) != 0) {
        vsg_exe_race_free(&check->race);
        return VISAGE_NO_MEMORY;
    }
    job->check = check;
    return VISAGE_OK;
}

void vsg_run_check_fini(vsg_run_check *check)
{
    vsg_base_delete(&check->alloc, check->found, check->cap_found, sizeof *check->found);
    check->found = NULL;
    vsg_exe_race_free(&check->race);
    (void)pthread_mutex_destroy(&check->lock);
}

/* ---- words ------------------------------------------------------------------------------ */

typedef struct words {
    const vsg_run_job *job;
    const vsg_run_found *found;
    visage_finding *out;
    char near[256];                 /* what the address is near to, with a comma before it, */
    unsigned long long piece_bytes; /* CHECK_LOCAL: and how large that is */
    char place[LONGEST_TEXT];       /* group, thread, channels, source */
    char other[LONGEST_TEXT + 64];  /* CHECK_RACE: the other access */
} words;

/* The argument whose buffer or image the address is in or nearest to, by a page; -1: none. */
static void tell_buffer(words *w)
{
    const vsg_exe_finding *f = &w->found->first;
    const visage_launch *launch = w->job->launch;
    uint64_t nearest = VSG_RUN_PAGE_BYTES;

    if (f->address < VSG_RUN_PAGE_BYTES) {
        (void)snprintf(w->near, sizeof w->near, ", near the null pointer");
        return;
    }
    for (size_t i = 0; i < launch->kernel->num_args; i++) {
        const vsg_run_value *value = &launch->values[i];
        bool is_image = value->kind == VSG_RUN_VALUE_IMAGE;
        if ((value->kind != VSG_RUN_VALUE_BUFFER && !is_image) || !value->buffer)
            continue;
        uint64_t low = value->buffer->address;
        uint64_t high = low + value->buffer->size_bytes;
        uint64_t far = f->address < low     ? low - f->address
                       : f->address >= high ? f->address - high
                                            : 0;
        if (far >= nearest)
            continue;
        nearest = far;
        (void)snprintf(w->near, sizeof w->near,
                       ", at byte %" PRId64 " of the %s of argument %zu, which has %zu",
                       (int64_t)(f->address - low), is_image ? "image" : "buffer", i,
                       value->buffer->size_bytes);
        w->out->argument = (int32_t)i;
        w->out->offset = (int64_t)(f->address - low);
    }
}

/* The local argument, or the kernel's own, that is nearest to bytes of shared local memory in
 * none of them. */
static void tell_piece(words *w)
{
    const vsg_exe_finding *f = &w->found->first;
    const vsg_exe_check *check = &w->job->check->exec;
    const vsg_exe_slm_piece *nearest = NULL;
    uint64_t least = UINT64_MAX;

    for (uint32_t i = 0; i < check->num_slm_pieces; i++) {
        const vsg_exe_slm_piece *piece = &check->slm_pieces[i];
        uint64_t far = f->address < piece->begin  ? piece->begin - f->address
                       : f->address >= piece->end ? f->address - piece->end
                                                  : 0;
        if (far >= least)
            continue;
        least = far;
        nearest = piece;
    }
    if (!nearest)
        return;
    w->out->argument = nearest->argument;
    w->out->offset = (int64_t)(f->address - nearest->begin);
    if (nearest->argument < 0) {
        w->piece_bytes = nearest->end;
        (void)snprintf(w->near, sizeof w->near, "the kernel itself");
    } else {
        w->piece_bytes = w->job->launch->values[nearest->argument].size_bytes;
        (void)snprintf(w->near, sizeof w->near, "argument %d", (int)nearest->argument);
    }
}

static void tell_owner(words *w)
{
    const vsg_exe_finding *f = &w->found->first;
    const vsg_exe_check *check = &w->job->check->exec;

    if (f->address - check->scratch.address < check->scratch.size_bytes)
        (void)snprintf(w->near, sizeof w->near, ", it is in another thread's scratch memory");
    else if (f->address - check->private_memory.address < check->private_memory.size_bytes)
        (void)snprintf(w->near, sizeof w->near, ", it is in another thread's private memory");
    else
        tell_buffer(w);
}

static void tell_place(words *w)
{
    const vsg_exe_finding *f = &w->found->first;
    uint32_t channels = f->channels;
    vsg_run_failure failure = {.group = w->found->group, .thread = w->found->thread};

    failure.fault = (vsg_exe_fault){.unit = f->unit, .inst = f->inst, .channel = -1};
    for (int32_t n = 31; n >= 0; n--)
        if (channels >> n & 1)
            failure.fault.channel = n;
    vsg_run_describe(w->job, &failure, w->place, sizeof w->place);
    size_t length = strlen(w->place);
    if (channels & (channels - 1))
        (void)snprintf(w->place + length, sizeof w->place - length, ", channels 0x%x",
                       (unsigned)channels);
    length = strlen(w->place);
    if (w->found->count > 1)
        (void)snprintf(w->place + length, sizeof w->place - length, "; %" PRIu64 " times",
                       w->found->count);
}

/* The instruction that a message's number stands for, and its unit; NULL: there is none. */
static const vsg_obj_inst *find_race(const vsg_run_job *job, uint32_t number,
                                     const vsg_exe_unit **unit)
{
    const vsg_exe_program *program = job->exec.program;

    for (uint32_t u = 0; u < program->num_units; u++)
        for (uint32_t i = 0; i < program->units[u].num_code; i++)
            if (job->check->exec.plans[u].steps[i].race == number) {
                *unit = &program->units[u];
                return program->units[u].code[i].source;
            }
    return NULL;
}

static const char *word_of_race(vsg_exe_race_kind kind)
{
    return kind == VSG_EXE_RACE_WRITE ? "write" : kind == VSG_EXE_RACE_READ ? "read" : "atomic";
}

/* Where the other access of a race was made. */
static void tell_race(words *w)
{
    const vsg_exe_finding *f = &w->found->first;
    const vsg_exe_unit *unit = NULL;
    char line[LONGEST_TEXT], place[LONGEST_TEXT];
    visage_finding *out = w->out;

    vsg_run_failure failure = {.group = vsg_exe_race_group(&w->job->check->race, f->other),
                               .thread = vsg_exe_race_thread(f->other)};
    failure.fault.inst = find_race(w->job, vsg_exe_race_inst(f->other), &unit);
    failure.fault.unit = unit;
    failure.fault.channel = (int32_t)(f->other & VSG_EXE_RACE_CHANNEL_MASK);
    vsg_run_describe(w->job, &failure, place, sizeof place);
    vsg_base_location where = vsg_run_locate(w->job, &failure.fault, line, sizeof line);
    (void)snprintf(w->other, sizeof w->other, "instruction %" PRId64 ", %s", where.instruction,
                   place);
    out->other_what = word_of_race(vsg_exe_race_kind_of(f->other));
    out->other_kernel = where.kernel;
    out->other_instruction = where.instruction;
    out->other_mnemonic = failure.fault.inst ? vsg_isa_op(failure.fault.inst->op)->text : NULL;
    out->other_line = where.line;
    if (unit)
        vsg_run_source_line(unit->object, failure.fault.inst, &out->other_source_file,
                            &out->other_source_line);
    vsg_run_dispatch_group(w->job->dispatch, failure.group, out->other_group);
    out->other_thread = failure.thread;
    out->other_channel = (uint32_t)failure.fault.channel;
}

/* An address that is inside of something: in words. */
static void write_address(const words *w, char *text, size_t size)
{
    const vsg_exe_finding *f = &w->found->first;

    if (f->is_slm)
        (void)snprintf(text, size, "byte %" PRIu64 " of shared local memory", f->address);
    else
        (void)snprintf(text, size, "0x%" PRIx64, f->address);
}

/* Appends the finding's diagnostic. */
static void put(const words *w, const vsg_base_location *where, visage_diagnostics *list)
{
    const vsg_exe_finding *f = &w->found->first;
    unsigned size = (unsigned)f->size_bytes;
    long long number = (long long)f->address;
    unsigned long long bits = f->address;
    unsigned long long limit = (unsigned long long)f->limit;
    const char *name = f->name ? f->name : "";
    char at[64];

    write_address(w, at, sizeof at);
    switch ((int)f->diag) {
    case VSG_DIAG_CHECK_BOUNDS:
        vsg_base_report(list, f->diag, where, f->what, size, bits, w->near, w->place);
        break;
    case VSG_DIAG_CHECK_SURFACE:
        vsg_base_report(list, f->diag, where, f->what, size, number, limit, w->near, w->place);
        break;
    case VSG_DIAG_CHECK_SLM:
    case VSG_DIAG_CHECK_SCRATCH:
        vsg_base_report(list, f->diag, where, f->what, size, number, limit, w->place);
        break;
    case VSG_DIAG_CHECK_LOCAL:
        vsg_base_report(list, f->diag, where, f->what, size, (long long)w->out->offset, w->near,
                        w->piece_bytes, w->place);
        break;
    case VSG_DIAG_CHECK_NO_SLM:
        vsg_base_report(list, f->diag, where, f->what, size, number, w->place);
        break;
    case VSG_DIAG_CHECK_ALIGN:
        vsg_base_report(list, f->diag, where, bits, f->what, size, w->place);
        break;
    case VSG_DIAG_CHECK_REGION:
    case VSG_DIAG_CHECK_INDIRECT:
        vsg_base_report(list, f->diag, where, number, name, limit, w->place);
        break;
    case VSG_DIAG_CHECK_INDIRECT_WILD:
        vsg_base_report(list, f->diag, where, number, w->place);
        break;
    case VSG_DIAG_CHECK_INDIRECT_ALIGN:
        vsg_base_report(list, f->diag, where, number, size, w->place);
        break;
    case VSG_DIAG_CHECK_ARG_SIZE:
    case VSG_DIAG_CHECK_RETURN_SIZE:
        vsg_base_report(list, f->diag, where, (unsigned)f->address, name, (unsigned)f->limit,
                        w->place);
        break;
    case VSG_DIAG_CHECK_BARRIER_MASK:
        vsg_base_report(list, f->diag, where, bits, limit, w->place);
        break;
    case VSG_DIAG_CHECK_BARRIER_PLACE:
        vsg_base_report(list, f->diag, where, (unsigned)f->address, (long long)f->limit,
                        w->place);
        break;
    case VSG_DIAG_CHECK_RACE:
        vsg_base_report(list, f->diag, where, f->what, size, at, w->near, w->out->other_what,
                        w->other, w->place);
        break;
    case VSG_DIAG_CHECK_OVERLAP:
        vsg_base_report(list, f->diag, where, size, (unsigned)f->limit, at, w->near, w->place);
        break;
    case VSG_DIAG_CHECK_RIGHTS:
        vsg_base_report(list, f->diag, where, f->what, size, bits, w->near, name, w->place);
        break;
    case VSG_DIAG_CHECK_JUMP:
        vsg_base_report(list, f->diag, where, name, bits, w->place);
        break;
    default:
        vsg_base_report(list, f->diag, where, f->what, w->place);
        break;
    }
}

/* ---- reporting -------------------------------------------------------------------------- */

static void fill_public(words *w, const vsg_base_location *where, const char *text)
{
    const vsg_exe_finding *f = &w->found->first;
    visage_finding *out = w->out;

    out->code = vsg_base_diag_code(f->diag);
    out->what = f->what;
    out->kernel = where->kernel;
    out->instruction = where->instruction;
    out->mnemonic = vsg_isa_op(f->inst->op)->text;
    out->text = text;
    out->file = where->file;
    out->line = where->line;
    vsg_run_dispatch_group(w->job->dispatch, w->found->group, out->group);
    out->thread = w->found->thread;
    out->channels = f->channels;
    out->address = f->address;
    out->size_bytes = f->size_bytes;
    out->limit = f->limit;
    out->name = f->name;
    out->count = w->found->count;
    vsg_run_source_line(f->unit->object, f->inst, &out->source_file, &out->source_line);
}

/* The message of a finding by itself, as the list would have it. */
static void tell(words *w, const vsg_base_location *where, const visage_run_options *options)
{
    visage_diagnostics *alone = vsg_base_diagnostics_new(&w->job->check->alloc);

    if (!alone)
        return;
    put(w, where, alone);
    const visage_diagnostic *diagnostic = visage_diagnostics_get(alone, 0);
    if (diagnostic) {
        w->out->message = diagnostic->message;
        options->on_finding(options->finding_user, w->out);
    }
    visage_diagnostics_destroy(&alone);
}

static void report_one(const vsg_run_job *job, const vsg_run_found *found,
                       const visage_run_options *options, visage_diagnostics *diagnostics)
{
    visage_finding out = {.argument = -1, .other_instruction = -1};
    words w = {.job = job, .found = found, .out = &out};
    char line[LONGEST_TEXT] = "";
    const vsg_exe_fault place = {.unit = found->first.unit, .inst = found->first.inst};
    vsg_base_location where = vsg_run_locate(job, &place, line, sizeof line);

    if (found->first.diag == VSG_DIAG_CHECK_BOUNDS)
        tell_owner(&w);
    else if (found->first.diag == VSG_DIAG_CHECK_LOCAL)
        tell_piece(&w);
    else if ((found->first.diag == VSG_DIAG_CHECK_RACE ||
              found->first.diag == VSG_DIAG_CHECK_OVERLAP ||
              found->first.diag == VSG_DIAG_CHECK_RIGHTS) &&
             !found->first.is_slm)
        tell_buffer(&w);
    if (found->first.diag == VSG_DIAG_CHECK_RACE)
        tell_race(&w);
    tell_place(&w);
    put(&w, &where, diagnostics);
    if (!options->on_finding)
        return;
    const char *text = line;
    while (*text == ' ' || *text == '\t')
        text++;
    fill_public(&w, &where, *text ? text : NULL);
    tell(&w, &where, options);
}

static int compare(const void *a, const void *b)
{
    const vsg_run_found *first = a, *second = b;

    if (is_before(first, second))
        return -1;
    if (is_before(second, first))
        return 1;
    if (first->first.diag != second->first.diag)
        return (int)first->first.diag - (int)second->first.diag;
    return (int)(vsg_exe_race_inst(first->first.other) -
                 vsg_exe_race_inst(second->first.other));
}

bool vsg_run_check_lost(const vsg_run_check *check)
{
    return check->lost || check->race.lost;
}

/* A race of an atomic with a read that is only a guess. */
static bool is_excused(const vsg_run_check *check, const vsg_exe_finding *f)
{
    bool is_read = f->what && strcmp(f->what, "read") == 0;
    vsg_exe_race_kind other = vsg_exe_race_kind_of(f->other);

    if (f->diag != VSG_DIAG_CHECK_RACE)
        return false;
    if (is_read)
        return other >= VSG_EXE_RACE_ATOMIC && vsg_exe_race_is_guess(&check->race, f->race);
    return strcmp(f->what, "atomic") == 0 && other == VSG_EXE_RACE_READ &&
           vsg_exe_race_is_guess(&check->race, vsg_exe_race_inst(f->other));
}

/* Whether a read is a guess turns out later. */
static void drop_excused(vsg_run_check *check)
{
    size_t kept = 0;

    for (size_t i = 0; i < check->num_found; i++)
        if (!is_excused(check, &check->found[i].first))
            check->found[kept++] = check->found[i];
    check->num_found = kept;
}

size_t vsg_run_check_report(vsg_run_check *check, const vsg_run_job *job,
                            const visage_run_options *options, visage_diagnostics *diagnostics)
{
    size_t most = options->most_findings ? options->most_findings : MOST_FINDINGS;
    vsg_base_location where = vsg_run_here(job->launch->kernel);

    drop_excused(check);
    if (check->num_found)
        qsort(check->found, check->num_found, sizeof *check->found, compare);
    for (size_t i = 0; i < check->num_found && i < most; i++)
        report_one(job, &check->found[i], options, diagnostics);
    if (check->num_found > most)
        vsg_base_report(diagnostics, VSG_DIAG_CHECK_MORE, &where, check->num_found - most);
    if (check->left_races)
        vsg_base_report(diagnostics, VSG_DIAG_CHECK_RACES_LEFT, &where);
    if (vsg_run_check_lost(check))
        vsg_base_report(diagnostics, VSG_DIAG_NO_MEMORY, &where);
    return check->num_found;
}
