/* SPDX-License-Identifier: MIT */
#include "runtime/payload.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Far above what fits into the registers of any device; keeps broken files small. */
enum { LARGEST_PAYLOAD = 1 << 20, LARGEST_THREAD_PART = 4096 };

enum { PROVENANCE_LOCAL_SIZE = 1, PROVENANCE_GROUP_COUNT = 2, PROVENANCE_LOCAL_ID = 3 };

visage_status vsg_run_payload_wrong(const vsg_run_payload_maker *maker, const char *text, ...)
{
    const vsg_run_kernel *kernel = maker->launch->kernel;
    vsg_base_location where = vsg_run_here(kernel);
    char reason[256];
    va_list args;

    va_start(args, text);
    (void)vsnprintf(reason, sizeof reason, text, args);
    va_end(args);
    vsg_base_report(maker->diagnostics, VSG_DIAG_PAYLOAD, &where, kernel->unit->name, reason);
    return VISAGE_INVALID;
}

static visage_status no_memory(visage_diagnostics *diagnostics, const vsg_run_kernel *kernel)
{
    vsg_base_location where = vsg_run_here(kernel);

    vsg_base_report(diagnostics, VSG_DIAG_NO_MEMORY, &where);
    return VISAGE_NO_MEMORY;
}

static uint32_t round_up(uint32_t value, uint32_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* ---- shared local memory ---------------------------------------------------------------- */

/* Messages take whole ones. */
static uint32_t in_dwords(uint64_t bytes)
{
    return round_up((uint32_t)bytes, 4);
}

/* What a group has that asks for so much. */
static uint32_t slm_of_group(const visage_device *device, uint32_t asked)
{
    uint64_t piece = 1024;

    while (piece < asked)
        piece *= 2;
    if (!device->slm_by_pieces || asked == 0 || piece > device->slm_bytes)
        return in_dwords(asked);
    return (uint32_t)piece;
}

/* Behind a local argument that another one follows, in check mode: as much as it has, so that
 * what is a row or a power of 2 too far is seen, too. */
static uint64_t room_behind(uint64_t size_bytes)
{
    enum { LEAST = 64, MOST = 4096 };

    return size_bytes < LEAST ? LEAST : size_bytes > MOST ? MOST : size_bytes;
}

visage_status vsg_run_slm_layout(const vsg_run_slm_maker *maker, vsg_run_slm *out)
{
    const visage_launch *launch = maker->launch;
    const vsg_run_kernel *kernel = launch->kernel;
    const visage_device *device = launch->program->device;
    uint64_t fixed = vsg_run_kernel_slm(kernel);
    uint64_t end = fixed, room = 0, rooms = 0; /* behind the last argument; in all */
    uint32_t *places = vsg_base_arena_new(maker->arena, kernel->num_args, sizeof *places);
    vsg_exe_slm_piece *pieces =
        vsg_base_arena_new(maker->arena, kernel->num_args + 1, sizeof *pieces);

    *out = (vsg_run_slm){.local_at = places, .pieces = pieces};
    if (!places || !pieces)
        return no_memory(maker->diagnostics, kernel);
    if (fixed)
        pieces[out->num_pieces++] = (vsg_exe_slm_piece){0, (uint32_t)fixed, -1};
    for (size_t i = 0; i < kernel->num_args && end - rooms <= device->slm_bytes; i++) {
        uint64_t alignment = kernel->args[i].slm_alignment;
        uint64_t size_bytes = launch->values[i].size_bytes;
        if (launch->values[i].kind != VSG_RUN_VALUE_LOCAL)
            continue;
        rooms += room;
        end += room;
        end = fixed + (end - fixed + alignment - 1) / alignment * alignment;
        places[i] = (uint32_t)(kernel->info ? end - fixed : end);
        pieces[out->num_pieces++] =
            (vsg_exe_slm_piece){(uint32_t)end, in_dwords(end + size_bytes), (int32_t)i};
        end += size_bytes;
        room = maker->is_checked ? room_behind(size_bytes) : 0;
    }
    if (end - rooms > device->slm_bytes) {
        vsg_base_location where = vsg_run_here(kernel);
        vsg_base_report(maker->diagnostics, VSG_DIAG_SLM_LARGE, &where,
                        (unsigned long long)(end - rooms), (unsigned)device->slm_bytes);
        return VISAGE_INVALID;
    }
    out->bytes = slm_of_group(device, (uint32_t)end);
    return VISAGE_OK;
}

/* ---- the per-thread part ---------------------------------------------------------------- */

static uint32_t declared_thread_bytes(const vsg_con_kernel *info)
{
    uint64_t end = 0;

    for (size_t i = 0; i < info->num_per_thread; i++) {
        const vsg_con_payload *entry = &info->per_thread[i];
        uint64_t entry_end = (uint64_t)entry->offset_bytes + entry->size_bytes;
        if (entry_end > end)
            end = entry_end;
    }
    return end > LARGEST_THREAD_PART ? LARGEST_THREAD_PART : (uint32_t)end;
}

uint32_t vsg_run_thread_bytes(const vsg_run_kernel *kernel, visage_platform platform,
                              uint32_t *common_at)
{
    uint32_t grf = visage_platform_grf_bytes(platform);
    uint32_t bytes = round_up(declared_thread_bytes(kernel->info), grf);

    if (kernel->thread_bytes && kernel->thread_bytes <= LARGEST_THREAD_PART)
        bytes = kernel->thread_bytes;
    *common_at = grf + bytes;
    /* Without local ids the older devices leave one register out. */
    if (bytes == 0 && platform < VISAGE_PLATFORM_XEHP)
        *common_at += grf;
    return bytes;
}

/* Local ids along one dimension; behind a row there is room for all channels of another. */
typedef uint16_t id_row[2 * VSG_EXE_MAX_CHANNELS];

/* More than a row may need: a known number is a few vectors. */
static void fill_row(uint16_t *to, uint32_t from, uint32_t step)
{
    for (uint32_t i = 0; i < VSG_EXE_MAX_CHANNELS; i++)
        to[i] = (uint16_t)(from + i * step);
}

/* Local ids of `count` work-items from one on, by dimensions: row by row, as a launch may have
 * little more to do. */
static void list_local_ids(const vsg_run_dispatch *dispatch, uint32_t first, uint32_t count,
                           id_row rows[3])
{
    uint32_t along = dispatch->order[0], id[3];

    vsg_run_dispatch_local(dispatch, first, id);
    for (uint32_t at = 0, run; at < count; at += run) {
        run = dispatch->local[along] - id[along];
        if (run > count - at)
            run = count - at;
        for (uint32_t d = 0; d < 3; d++)
            fill_row(rows[d] + at, id[d], d == along);
        id[along] += run - 1;
        vsg_run_dispatch_next(dispatch, id);
    }
}

/* Local ids of one thread as 16-bit words: x of all channels, then y, then z, each from a
 * register on; or (packed) the three of its one work-item. */
static void put_local_ids(const vsg_run_dispatch *dispatch, uint32_t number, bool packed,
                          uint32_t grf_bytes, uint8_t *to, uint32_t size_bytes)
{
    id_row rows[3];
    uint32_t stride = packed ? 2 : round_up(dispatch->simd * 2, grf_bytes);
    uint64_t items = (uint64_t)dispatch->local[0] * dispatch->local[1] * dispatch->local[2];
    uint64_t first = (uint64_t)number * dispatch->simd;
    uint32_t count = packed ? 1 : dispatch->simd;

    if (first >= items)
        return;
    if (count > items - first)
        count = (uint32_t)(items - first);
    list_local_ids(dispatch, (uint32_t)first, count, rows);
    for (uint32_t d = 0; d < 3 && d * stride < size_bytes; d++) {
        uint32_t room = (size_bytes - d * stride) / 2;
        memcpy(to + d * stride, rows[d], 2 * (size_t)(count < room ? count : room));
    }
}

static visage_status make_per_thread(const vsg_run_payload_maker *maker, vsg_run_payload *out)
{
    const vsg_run_dispatch *dispatch = maker->dispatch;
    const vsg_con_kernel *info = maker->launch->kernel->info;
    uint32_t grf = maker->launch->program->device->facts->grf_bytes;
    uint32_t threads = dispatch->num_threads;

    out->per_thread = vsg_base_arena_new(maker->arena, threads, out->thread_bytes);
    if (!out->per_thread)
        return no_memory(maker->diagnostics, maker->launch->kernel);
    for (size_t i = 0; i < info->num_per_thread; i++) {
        const vsg_con_payload *entry = &info->per_thread[i];
        bool packed = entry->kind == VSG_CON_PAYLOAD_PACKED_LOCAL_IDS;
        uint64_t end = (uint64_t)entry->offset_bytes + entry->size_bytes;
        if (!packed && entry->kind != VSG_CON_PAYLOAD_LOCAL_ID)
            return vsg_run_payload_wrong(maker, "'%s' for each thread is not known",
                                         entry->word);
        if (end > out->thread_bytes)
            return vsg_run_payload_wrong(
                maker, "'%s' ends at byte %llu, PerThreadInputSize is %u", entry->word,
                (unsigned long long)end, (unsigned)out->thread_bytes);
        for (uint32_t t = 0; t < threads; t++)
            put_local_ids(dispatch, t, packed, grf,
                          out->per_thread + (size_t)t * out->thread_bytes + entry->offset_bytes,
                          entry->size_bytes);
    }
    return VISAGE_OK;
}

/* ---- inputs of a kernel with .ze_info --------------------------------------------------- */

static bool overlaps(const vsg_con_payload *entry, uint64_t from, uint64_t size_bytes)
{
    return entry->size_bytes && entry->offset_bytes < from + size_bytes &&
           from < (uint64_t)entry->offset_bytes + entry->size_bytes;
}

/* The entry at these bytes of the common part, NULL: there is none. */
static const vsg_con_payload *find_entry(const vsg_con_kernel *info, uint64_t from,
                                         uint64_t size_bytes)
{
    for (size_t i = 0; i < info->num_payload; i++)
        if (overlaps(&info->payload[i], from, size_bytes))
            return &info->payload[i];
    return NULL;
}

/* Where the common part is in registers. The device puts its first bytes, the inline data,
 * behind the thread's part; the kernel loads the others from memory, from the register on that
 * holds the first input of them. Where that one asks for a large alignment (a local pointer
 * that is the first argument has that of what it points to), registers are left out before it.
 */
typedef struct common_part {
    uint32_t at;     /* byte of the payload */
    uint32_t loaded; /* of the common part: how much of it is inline */
    uint32_t gap;    /* bytes left out behind that */
} common_part;

static void find_gap(const vsg_run_payload_maker *maker, common_part *common)
{
    const vsg_con_kernel *info = maker->launch->kernel->info;
    const vsg_exe_unit *unit = maker->launch->unit;
    uint32_t start = common->at + info->inline_data_payload_size, first = UINT32_MAX;

    if (info->inline_data_payload_size == 0 ||
        !find_entry(info, info->inline_data_payload_size, 1))
        return;
    for (uint32_t i = 0; i < unit->num_inputs; i++) {
        uint32_t at = unit->inputs[i].payload_offset_bytes;
        if (at >= start && at < first)
            first = at;
    }
    common->loaded = info->inline_data_payload_size;
    if (first != UINT32_MAX &&
        (first - start) % maker->launch->program->device->facts->grf_bytes == 0)
        common->gap = first - start;
}

/* The byte of the common part in .ze_info that is at this byte of the payload, behind its
 * beginning. */
static uint32_t offset_in_common(const common_part *common, uint32_t at)
{
    uint32_t offset = at - common->at;

    return offset < common->loaded + common->gap ? offset : offset - common->gap;
}

static visage_status input_wrong(const vsg_run_payload_maker *maker, const vsg_exe_input *input,
                                 const char *what)
{
    return vsg_run_payload_wrong(
        maker, "input '%s' at byte %u, %u bytes: %s", input->name ? input->name : "?",
        (unsigned)input->payload_offset_bytes, (unsigned)input->size_bytes, what);
}

/* A surface is told its binding-table entry; nothing is known of it where the payload has no
 * entry, and then nothing reads it. */
static void add_state(const vsg_run_payload_maker *maker, const vsg_exe_input *input,
                      const common_part *common, vsg_run_payload *out)
{
    const vsg_run_kernel *kernel = maker->launch->kernel;
    bool is_sampler = input->input->kind == VSG_OBJ_INPUT_SAMPLER;

    if (input->payload_offset_bytes < common->at)
        return;
    const vsg_con_payload *entry = find_entry(
        kernel->info, offset_in_common(common, input->payload_offset_bytes), input->size_bytes);
    if (!entry || entry->arg_index < 0 || (size_t)entry->arg_index >= kernel->num_args)
        return;
    int32_t number = is_sampler ? entry->sampler_index : kernel->args[entry->arg_index].bti;
    if (number >= 0)
        out->states[out->num_states++] =
            (vsg_run_state_input){is_sampler, input->place, (uint32_t)number};
}

bool vsg_run_payload_ids(const vsg_run_kernel *kernel, uint32_t grf_bytes, uint32_t from,
                         uint32_t size_bytes, uint32_t *axis, uint32_t *channel)
{
    const vsg_con_kernel *info = kernel->info;
    uint32_t stride = round_up(kernel->channels * 2, grf_bytes);

    for (size_t i = 0; i < info->num_per_thread; i++) {
        const vsg_con_payload *entry = &info->per_thread[i];
        if (entry->kind != VSG_CON_PAYLOAD_LOCAL_ID || from < entry->offset_bytes)
            continue;
        uint32_t at = from - entry->offset_bytes;
        *axis = at / stride;
        *channel = at % stride / 2;
        if (*axis < 3 && at % stride + size_bytes <= stride)
            return true;
    }
    return false;
}

static void note_ids(const vsg_run_payload_maker *maker, vsg_jit_piece *piece)
{
    uint32_t axis, channel;

    if (!vsg_run_payload_ids(maker->launch->kernel,
                             maker->launch->program->device->facts->grf_bytes, piece->from,
                             piece->size_bytes, &axis, &channel))
        return;
    piece->axis = (int8_t)axis;
    piece->channel = (uint8_t)channel;
}

/* Bytes of the common part as the group's own size. */
static int8_t size_of(const vsg_run_dispatch *dispatch, const vsg_con_payload *entry,
                      uint32_t from, uint32_t size_bytes)
{
    bool is_enqueued = entry->kind == VSG_CON_PAYLOAD_ENQUEUED_LOCAL_SIZE;

    if ((!is_enqueued && entry->kind != VSG_CON_PAYLOAD_LOCAL_SIZE) ||
        from < entry->offset_bytes || (from - entry->offset_bytes) % 4 != 0 ||
        from + size_bytes > entry->offset_bytes + entry->size_bytes || entry->size_bytes > 12 ||
        (is_enqueued &&
         memcmp(dispatch->local, dispatch->whole_local, sizeof dispatch->local) != 0))
        return -1;
    return (int8_t)((from - entry->offset_bytes) / 4);
}

static visage_status add_input(const vsg_run_payload_maker *maker, const vsg_exe_input *input,
                               const common_part *common, vsg_run_payload *out)
{
    const vsg_con_kernel *info = maker->launch->kernel->info;
    uint32_t grf = maker->launch->program->device->facts->grf_bytes;
    uint32_t from = input->payload_offset_bytes;
    uint64_t end = (uint64_t)from + input->size_bytes;
    vsg_jit_piece copy = {
        .axis = -1, .size = -1, .place = input->place, .size_bytes = input->size_bytes};

    if (from < grf)
        return input_wrong(maker, input, "it lies in r0");
    if (from < common->at) {
        if (end > (uint64_t)grf + out->thread_bytes)
            return input_wrong(maker, input, "it ends behind the thread's own part");
        copy.per_thread = true;
        copy.from = from - grf;
        note_ids(maker, &copy);
    } else {
        copy.from = offset_in_common(common, from);
        const vsg_con_payload *entry = find_entry(info, copy.from, copy.size_bytes);
        if (!entry && input->input->provenance == 0)
            return input_wrong(maker, input, ".ze_info has nothing there");
        if (entry)
            copy.size = size_of(maker->dispatch, entry, copy.from, copy.size_bytes);
        if (copy.from + copy.size_bytes > out->common_bytes)
            out->common_bytes = copy.from + copy.size_bytes;
    }
    out->copies[out->num_copies++] = copy;
    return VISAGE_OK;
}

static visage_status fill_common(const vsg_run_payload_maker *maker, vsg_run_payload *out)
{
    const vsg_con_kernel *info = maker->launch->kernel->info;
    visage_status status = VISAGE_OK;

    for (size_t i = 0; i < info->num_payload; i++) {
        uint64_t end = (uint64_t)info->payload[i].offset_bytes + info->payload[i].size_bytes;
        if (end > LARGEST_PAYLOAD)
            return vsg_run_payload_wrong(maker, "'%s' ends at byte %llu", info->payload[i].word,
                                         (unsigned long long)end);
        if (end > out->common_bytes)
            out->common_bytes = (uint32_t)end;
    }
    out->common = vsg_base_arena_new(maker->arena, out->common_bytes, 1);
    if (!out->common)
        return no_memory(maker->diagnostics, maker->launch->kernel);
    for (size_t i = 0; i < info->num_payload && status == VISAGE_OK; i++)
        status = vsg_run_payload_fill(maker, &info->payload[i],
                                      out->common + info->payload[i].offset_bytes);
    return status;
}

static visage_status make_by_info(const vsg_run_payload_maker *maker, vsg_run_payload *out)
{
    const vsg_run_kernel *kernel = maker->launch->kernel;
    const vsg_exe_unit *unit = maker->launch->unit;
    uint32_t channels = kernel->channels;
    common_part common = {0};
    visage_status status = VISAGE_OK;

    if (kernel->info->invalid)
        return vsg_run_payload_wrong(maker, "it must not be launched: %s",
                                     kernel->info->invalid);
    if (!vsg_run_kernel_is_explicit(kernel) && channels != kernel->info->simd_size)
        return vsg_run_payload_wrong(maker, "SimdSize is %u, simd_size in .ze_info %u",
                                     (unsigned)channels, (unsigned)kernel->info->simd_size);
    out->thread_bytes =
        vsg_run_thread_bytes(kernel, maker->launch->program->device->platform, &common.at);
    find_gap(maker, &common);
    for (uint32_t i = 0; i < unit->num_inputs && status == VISAGE_OK; i++) {
        if (unit->inputs[i].is_state)
            add_state(maker, &unit->inputs[i], &common, out);
        else
            status = add_input(maker, &unit->inputs[i], &common, out);
    }
    if (status == VISAGE_OK)
        status = make_per_thread(maker, out);
    return status == VISAGE_OK ? fill_common(maker, out) : status;
}

/* ---- inputs of a plain kernel ----------------------------------------------------------- */

static const vsg_run_value *value_of_input(const visage_launch *launch,
                                           const vsg_obj_input *input, size_t *index)
{
    for (size_t i = 0; i < launch->kernel->num_args; i++) {
        if (launch->kernel->args[i].input != input)
            continue;
        *index = i;
        return &launch->values[i];
    }
    return NULL;
}

static void put_number(uint8_t *to, uint32_t size_bytes, uint64_t value)
{
    memcpy(to, &value, size_bytes < sizeof value ? size_bytes : sizeof value);
}

static void fill_plain(const vsg_run_payload_maker *maker, const vsg_exe_input *input,
                       uint8_t *to)
{
    size_t index = 0;
    const vsg_run_value *value = value_of_input(maker->launch, input->input, &index);

    if (!value)
        return; /* implicit, and of a kind that nobody gives a value */
    if (value->kind == VSG_RUN_VALUE_BYTES)
        memcpy(to, value->bytes, input->size_bytes);
    else if (value->kind == VSG_RUN_VALUE_BUFFER && value->buffer)
        put_number(to, input->size_bytes, value->buffer->address + value->offset_bytes);
    else if (value->kind == VSG_RUN_VALUE_LOCAL)
        put_number(to, input->size_bytes, maker->local_at[index]);
}

/* Implicit inputs that the text names: three numbers each. */
static bool fill_named(const vsg_run_payload_maker *maker, const vsg_exe_input *input,
                       uint8_t *to)
{
    const vsg_run_dispatch *dispatch = maker->dispatch;
    const uint32_t *sizes = input->input->provenance == PROVENANCE_LOCAL_SIZE
                                ? dispatch->local
                                : dispatch->whole_groups;
    const uint64_t wide[3] = {sizes[0], sizes[1], sizes[2]};

    if (input->input->provenance != PROVENANCE_LOCAL_SIZE &&
        input->input->provenance != PROVENANCE_GROUP_COUNT)
        return false;
    vsg_run_put_triple(to, input->size_bytes, wide);
    return true;
}

/* The local id of a thread, or of its first work-item. */
static void fill_thread_ids(const vsg_run_dispatch *dispatch, const vsg_exe_input *input,
                            uint32_t from, const vsg_run_payload *out)
{
    for (uint32_t t = 0; t < dispatch->num_threads; t++) {
        uint32_t id[3];
        vsg_run_dispatch_local(dispatch, t * dispatch->simd, id);
        const uint64_t wide[3] = {id[0], id[1], id[2]};
        vsg_run_put_triple(out->per_thread + (size_t)t * out->thread_bytes + from,
                           input->size_bytes, wide);
    }
}

static visage_status measure_plain(const vsg_run_payload_maker *maker, vsg_run_payload *out)
{
    const vsg_exe_unit *unit = maker->launch->unit;
    uint64_t common = 0, thread = 0;

    for (uint32_t i = 0; i < unit->num_inputs; i++) {
        const vsg_exe_input *input = &unit->inputs[i];
        if (input->is_state)
            continue;
        bool per_thread = input->input->provenance == PROVENANCE_LOCAL_ID;
        uint64_t *at = per_thread ? &thread : &common;
        out->copies[out->num_copies++] = (vsg_jit_piece){.per_thread = per_thread,
                                                         .axis = -1,
                                                         .size = -1,
                                                         .from = (uint32_t)*at,
                                                         .place = input->place,
                                                         .size_bytes = input->size_bytes};
        *at += input->size_bytes;
        if (*at > (per_thread ? LARGEST_THREAD_PART : LARGEST_PAYLOAD))
            return input_wrong(maker, input, "the inputs together are too large");
    }
    out->common_bytes = (uint32_t)common;
    out->thread_bytes = (uint32_t)thread;
    out->common = vsg_base_arena_new(maker->arena, out->common_bytes, 1);
    out->per_thread =
        vsg_base_arena_new(maker->arena, maker->dispatch->num_threads, out->thread_bytes);
    if (!out->common || !out->per_thread)
        return no_memory(maker->diagnostics, maker->launch->kernel);
    return VISAGE_OK;
}

static visage_status make_plain(const vsg_run_payload_maker *maker, vsg_run_payload *out)
{
    const vsg_exe_unit *unit = maker->launch->unit;
    visage_status status = measure_plain(maker, out);
    uint32_t next = 0;

    for (uint32_t i = 0; i < unit->num_inputs && status == VISAGE_OK; i++) {
        const vsg_exe_input *input = &unit->inputs[i];
        size_t index = 0;
        if (!input->is_state) {
            const vsg_jit_piece *copy = &out->copies[next++];
            if (copy->per_thread)
                fill_thread_ids(maker->dispatch, input, copy->from, out);
            else if (!fill_named(maker, input, out->common + copy->from))
                fill_plain(maker, input, out->common + copy->from);
        } else if (value_of_input(maker->launch, input->input, &index)) {
            const vsg_run_arg *arg = &maker->launch->kernel->args[index];
            bool is_sampler = arg->kind == VISAGE_ARGUMENT_SAMPLER;
            int32_t number = is_sampler ? arg->sampler : arg->bti;
            if (number >= 0)
                out->states[out->num_states++] =
                    (vsg_run_state_input){is_sampler, input->place, (uint32_t)number};
        }
    }
    return status;
}

/* ---- all together ----------------------------------------------------------------------- */

/* Copies are made without a check, so here is the check. */
static visage_status check_places(const vsg_run_payload_maker *maker, vsg_run_payload *payload)
{
    const vsg_exe_unit *unit = maker->launch->unit;

    for (uint32_t i = 0; i < payload->num_copies; i++) {
        const vsg_jit_piece *copy = &payload->copies[i];
        if ((uint64_t)copy->place + copy->size_bytes > unit->register_bytes)
            return vsg_run_payload_wrong(maker, "an input lies outside the variables");
    }
    for (uint32_t i = 0; i < payload->num_states; i++) {
        const vsg_run_state_input *state = &payload->states[i];
        if (state->place >= (state->is_sampler ? unit->num_samplers : unit->num_surfaces))
            return vsg_run_payload_wrong(maker, "an input lies outside the state variables");
        if (!state->is_sampler)
            payload->surfaces[payload->num_surfaces++] =
                (vsg_jit_state){state->place, state->value};
    }
    return VISAGE_OK;
}

visage_status vsg_run_payload_make(const vsg_run_payload_maker *maker, vsg_run_payload *out)
{
    uint32_t count = maker->launch->unit->num_inputs;

    *out = (vsg_run_payload){0};
    out->copies = vsg_base_arena_new(maker->arena, count, sizeof *out->copies);
    out->states = vsg_base_arena_new(maker->arena, count, sizeof *out->states);
    out->surfaces = vsg_base_arena_new(maker->arena, count, sizeof *out->surfaces);
    if (!out->copies || !out->states || !out->surfaces)
        return no_memory(maker->diagnostics, maker->launch->kernel);
    visage_status status =
        maker->launch->kernel->info ? make_by_info(maker, out) : make_plain(maker, out);
    return status == VISAGE_OK ? check_places(maker, out) : status;
}

visage_status vsg_run_payload_change(const vsg_run_payload_maker *maker,
                                     const vsg_run_payload *payload)
{
    const vsg_con_kernel *info = maker->launch->kernel->info;
    visage_status status = VISAGE_OK;

    for (size_t i = 0; i < info->num_payload && status == VISAGE_OK; i++)
        if (info->payload[i].kind == VSG_CON_PAYLOAD_ARG_BYVALUE)
            status = vsg_run_payload_fill(maker, &info->payload[i],
                                          payload->common + info->payload[i].offset_bytes);
    return status;
}

void vsg_run_payload_load(const vsg_run_payload *payload, uint32_t number,
                          vsg_exe_thread *thread)
{
    const uint8_t *own = payload->per_thread + (size_t)number * payload->thread_bytes;
    const vsg_exe_frame *frame = thread->frame;

    for (uint32_t i = 0; i < payload->num_copies; i++) {
        const vsg_jit_piece *copy = &payload->copies[i];
        memcpy(frame->registers + copy->place,
               (copy->per_thread ? own : payload->common) + copy->from, copy->size_bytes);
    }
    for (uint32_t i = 0; i < payload->num_states; i++) {
        const vsg_run_state_input *state = &payload->states[i];
        (state->is_sampler ? frame->samplers : frame->surfaces)[state->place] = state->value;
    }
}

void vsg_run_payload_note(const vsg_run_payload *payload, vsg_exe_thread *thread)
{
    for (uint32_t i = 0; i < payload->num_copies; i++)
        vsg_exe_check_input(thread, payload->copies[i].place, payload->copies[i].size_bytes);
    for (uint32_t i = 0; i < payload->num_states; i++)
        vsg_exe_check_state(thread, payload->states[i].is_sampler, payload->states[i].place);
}

visage_status vsg_run_bind_surfaces(const visage_launch *launch,
                                    visage_diagnostics *diagnostics, vsg_exe_surface *surfaces)
{
    const vsg_run_kernel *kernel = launch->kernel;

    for (size_t i = 0; i < kernel->num_args; i++) {
        const vsg_run_value *value = &launch->values[i];
        int32_t bti = kernel->args[i].bti;
        if (bti < 0)
            continue;
        if (bti >= VSG_EXE_BTI_BINDLESS) {
            vsg_base_location where = vsg_run_here(kernel);
            vsg_base_report(diagnostics, VSG_DIAG_ARG_UNSUPPORTED, &where, i,
                            kernel->unit->name, "its binding-table entry is above 251");
            return VISAGE_UNSUPPORTED;
        }
        if (value->kind == VSG_RUN_VALUE_IMAGE)
            surfaces[bti] = value->image;
        else if (value->kind == VSG_RUN_VALUE_BUFFER && value->buffer)
            surfaces[bti] = vsg_run_buffer_surface(value->buffer, value->offset_bytes);
    }
    return VISAGE_OK;
}

void vsg_run_unbind(const visage_launch *launch, vsg_exe_surface *surfaces,
                    vsg_exe_sampler *samplers)
{
    const vsg_run_kernel *kernel = launch->kernel;

    for (size_t i = 0; i < kernel->num_args; i++) {
        int32_t bti = kernel->args[i].bti, sampler = kernel->args[i].sampler;
        if (bti >= 0 && bti < VSG_EXE_BTI_BINDLESS)
            surfaces[bti] = (vsg_exe_surface){0};
        if (sampler >= 0 && sampler < VSG_EXE_NUM_SAMPLERS)
            samplers[sampler] = (vsg_exe_sampler){0};
    }
    for (size_t i = 0; kernel->info && i < kernel->info->num_samplers; i++)
        if (kernel->info->samplers[i].index < VSG_EXE_NUM_SAMPLERS)
            samplers[kernel->info->samplers[i].index] = (vsg_exe_sampler){0};
}

visage_status vsg_run_bind_samplers(const visage_launch *launch,
                                    visage_diagnostics *diagnostics, vsg_exe_sampler *samplers)
{
    const vsg_run_kernel *kernel = launch->kernel;

    for (size_t i = 0; i < kernel->num_args; i++) {
        int32_t number = kernel->args[i].sampler;
        if (launch->values[i].kind != VSG_RUN_VALUE_SAMPLER || number < 0)
            continue;
        if (number >= VSG_EXE_NUM_SAMPLERS) {
            vsg_base_location where = vsg_run_here(kernel);
            vsg_base_report(diagnostics, VSG_DIAG_ARG_UNSUPPORTED, &where, i,
                            kernel->unit->name, "its sampler index is above 255");
            return VISAGE_UNSUPPORTED;
        }
        samplers[number] = launch->values[i].sampler;
    }
    for (size_t i = 0; kernel->info && i < kernel->info->num_samplers; i++) {
        const vsg_con_sampler *sampler = &kernel->info->samplers[i];
        if (sampler->index < VSG_EXE_NUM_SAMPLERS)
            samplers[sampler->index] = vsg_run_sampler_inline(sampler);
    }
    return VISAGE_OK;
}
