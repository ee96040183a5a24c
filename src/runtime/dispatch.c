/* SPDX-License-Identifier: MIT */
#include "runtime/dispatch.h"

#include <string.h>

#include "runtime/space.h"

enum { CHOSEN_GROUP = 256 }; /* work-items of a group at most where we choose the size */
enum { SHORTEST_ROW = 8 };   /* work-items along a dimension other than x */
static const uint64_t most_groups = (uint64_t)1 << 48;

typedef struct maker {
    const vsg_run_kernel *kernel;
    const visage_device *device;
    const visage_range *range;
    const uint32_t *walk; /* the order that is wanted */
    visage_diagnostics *diagnostics;
    vsg_run_dispatch *out;
} maker;

static vsg_base_location here(const maker *m)
{
    vsg_base_location where = VSG_BASE_NOWHERE;

    where.file = m->kernel->unit->file;
    where.kernel = m->kernel->unit->name;
    return where;
}

static bool is_set(const uint32_t size[3])
{
    return size[0] != 0 || size[1] != 0 || size[2] != 0;
}

static visage_status wrong_kind(const maker *m, const char *text)
{
    vsg_base_location where = here(m);

    vsg_base_report(m->diagnostics, VSG_DIAG_RANGE_KIND, &where, m->kernel->unit->name, text);
    return VISAGE_INVALID;
}

/* Zeros behind the first dimension count as 1; the first one may be no zero. */
static bool complete(const maker *m, const char *what, const uint32_t given[3], uint32_t out[3])
{
    for (uint32_t d = 0; d < 3; d++)
        out[d] = given[d] ? given[d] : 1;
    if (given[0] != 0)
        return true;
    vsg_base_location where = here(m);
    if (is_set(given))
        vsg_base_report(m->diagnostics, VSG_DIAG_ZERO_SIZE, &where, what, 'x');
    else
        vsg_base_report(m->diagnostics, VSG_DIAG_NO_SIZE, &where, what);
    return false;
}

static uint32_t count_dims(const uint32_t size[3])
{
    return size[2] ? 3 : size[1] ? 2 : 1;
}

static visage_status too_large(const maker *m, const char *what, uint64_t size)
{
    vsg_base_location where = here(m);

    vsg_base_report(m->diagnostics, VSG_DIAG_LARGE_LAUNCH, &where, what,
                    (unsigned long long)size);
    return VISAGE_INVALID;
}

/* ---- the local size --------------------------------------------------------------------- */

/* The largest divisor of `size` up to `limit` that is a multiple of `unit`, 0: none. */
static uint32_t largest_divisor(uint32_t size, uint32_t limit, uint32_t unit)
{
    for (uint32_t n = (limit < size ? limit : size) / unit * unit; n > 0; n -= unit)
        if (size % n == 0)
            return n;
    return 0;
}

/* Each dimension in turn takes its largest divisor as long as the group has no more than 256
 * work-items; the first prefers a divisor that fills whole threads. */
static void choose_along(const maker *m, const uint32_t global[3], const uint32_t order[3],
                         uint32_t local[3])
{
    uint32_t limit = m->device->facts->max_group;
    uint32_t first = order[0];

    if (limit > CHOSEN_GROUP)
        limit = CHOSEN_GROUP;
    local[first] = largest_divisor(global[first], limit, m->out->simd);
    if (local[first] == 0 && first != 0)
        local[first] = largest_divisor(global[first], limit, SHORTEST_ROW);
    if (local[first] == 0)
        local[first] = largest_divisor(global[first], limit, 1);
    limit /= local[first];
    local[order[1]] = largest_divisor(global[order[1]], limit, 1);
    limit /= local[order[1]];
    local[order[2]] = largest_divisor(global[order[2]], limit, 1);
}

/* Threads go another way than along x only where they have rows then. */
static bool walks(const maker *m, const uint32_t local[3])
{
    return local[m->walk[0]] % SHORTEST_ROW == 0;
}

static void choose_local(const maker *m, const uint32_t global[3], uint32_t local[3])
{
    choose_along(m, global, m->walk, local);
    if (!walks(m, local))
        choose_along(m, global, m->out->order, local);
}

static visage_status check_required(const maker *m, const uint32_t local[3])
{
    const uint32_t *required = m->kernel->info->required_work_group_size;

    for (uint32_t d = 0; d < 3; d++) {
        if (required[d] == 0 || required[d] == local[d])
            continue;
        vsg_base_location where = here(m);
        vsg_base_report(m->diagnostics, VSG_DIAG_LOCAL_REQUIRED, &where, m->kernel->unit->name,
                        (unsigned)required[0], (unsigned)required[1], (unsigned)required[2],
                        (unsigned)local[0], (unsigned)local[1], (unsigned)local[2]);
        return VISAGE_INVALID;
    }
    return VISAGE_OK;
}

static visage_status find_local(const maker *m, const uint32_t global[3])
{
    uint32_t *local = m->out->local;
    const vsg_con_kernel *info = m->kernel->info;

    if (is_set(m->range->local)) {
        if (!complete(m, "local", m->range->local, local))
            return VISAGE_INVALID;
    } else if (info && is_set(info->required_work_group_size)) {
        for (uint32_t d = 0; d < 3; d++)
            local[d] =
                info->required_work_group_size[d] ? info->required_work_group_size[d] : 1;
    } else {
        choose_local(m, global, local);
    }
    for (uint32_t d = 0; d < 3; d++) {
        if (m->range->uneven || global[d] % local[d] == 0)
            continue;
        vsg_base_location where = here(m);
        vsg_base_report(m->diagnostics, VSG_DIAG_LOCAL_DIVIDES, &where, (unsigned)local[d],
                        (unsigned)global[d], "xyz"[d]);
        return VISAGE_INVALID;
    }
    return info ? check_required(m, local) : VISAGE_OK;
}

/* ---- parts of a range ------------------------------------------------------------------- */

/* Keeps of groups and local size what the part has: the groups of full size, or in a dimension
 * of its edges the last group, with the rest of the work-items. False: it has nothing. */
static bool take_part(vsg_run_dispatch *out, uint32_t part)
{
    memcpy(out->whole_local, out->local, sizeof out->whole_local);
    memcpy(out->whole_groups, out->groups, sizeof out->whole_groups);
    for (uint32_t d = 0; d < 3; d++) {
        uint32_t rest = (uint32_t)(out->global[d] % out->local[d]);
        uint32_t full = (uint32_t)(out->global[d] / out->local[d]);
        bool is_edge = (part >> d & 1) != 0;
        out->whole_groups[d] = full + (rest != 0);
        out->first[d] = is_edge ? full : 0;
        out->groups[d] = is_edge ? rest != 0 : full;
        if (is_edge)
            out->local[d] = rest;
        if (out->groups[d] == 0)
            return false;
    }
    return true;
}

/* ---- the three ways to give a range ----------------------------------------------------- */

static visage_status by_work_items(const maker *m)
{
    vsg_run_dispatch *out = m->out;
    uint32_t global[3];

    if (!complete(m, "global", m->range->global, global))
        return VISAGE_INVALID;
    out->dims = count_dims(m->range->global);
    out->simd = vsg_run_kernel_is_explicit(m->kernel) ? 1 : m->kernel->channels;
    visage_status status = find_local(m, global);
    if (walks(m, out->local))
        memcpy(out->order, m->walk, sizeof out->order);
    for (uint32_t d = 0; d < 3 && status == VISAGE_OK; d++) {
        out->global[d] = global[d];
        out->groups[d] = global[d] / out->local[d];
        out->offset[d] = m->range->offset[d];
    }
    return status;
}

static visage_status by_threads(const maker *m)
{
    vsg_run_dispatch *out = m->out;
    const visage_range *range = m->range;
    static const uint32_t one[3] = {1, 0, 0};
    const uint32_t *groups = is_set(range->groups) ? range->groups : one;
    const uint32_t *threads = is_set(range->threads) ? range->threads : one;

    if (m->kernel->info && !vsg_run_kernel_is_explicit(m->kernel))
        return wrong_kind(m, "a global size in work-items");
    if (!complete(m, "group count", groups, out->groups) ||
        !complete(m, "thread count", threads, out->local))
        return VISAGE_INVALID;
    out->counts_threads = true;
    out->dims =
        count_dims(groups) > count_dims(threads) ? count_dims(groups) : count_dims(threads);
    out->simd = 1;
    for (uint32_t d = 0; d < 3; d++) {
        out->global[d] = (uint64_t)out->groups[d] * out->local[d];
        out->offset[d] = range->offset[d];
    }
    return m->kernel->info ? check_required(m, out->local) : VISAGE_OK;
}

/* Each place of a media space is a group of one thread. */
static visage_status by_space(const maker *m)
{
    vsg_run_dispatch *out = m->out;
    const visage_range *range = m->range;
    uint32_t space[3] = {range->space[0], range->space[1] ? range->space[1] : 1, 1};

    if (m->kernel->info && !vsg_run_kernel_is_explicit(m->kernel))
        return wrong_kind(m, "a global size in work-items, not a media space");
    for (uint32_t d = 0; d < 3; d++) {
        uint32_t groups = range->groups[d] ? range->groups[d] : 1;
        if (range->threads[d] > 1 || (is_set(range->groups) && groups != space[d]))
            return wrong_kind(m, "one thread a place of the media space");
        out->groups[d] = space[d];
        out->local[d] = 1;
        out->global[d] = space[d];
    }
    if (!vsg_run_pattern_is((uint32_t)range->pattern))
        return wrong_kind(m, "a dependency pattern that there is");
    if (range->pattern != VISAGE_PATTERN_NONE &&
        (uint64_t)space[0] * space[1] > VSG_RUN_MOST_PLACES)
        return too_large(m, "a media space with dependencies", (uint64_t)space[0] * space[1]);
    out->pattern = (uint32_t)range->pattern;
    out->is_media = true;
    out->counts_threads = true;
    out->dims = 2;
    out->simd = 1;
    return VISAGE_OK;
}

/* ---- threads and groups ----------------------------------------------------------------- */

static uint32_t low_bits(uint32_t count)
{
    return count >= 32 ? UINT32_MAX : (1u << count) - 1u;
}

static visage_status count_threads(const maker *m)
{
    vsg_run_dispatch *out = m->out;
    uint64_t items = 1, groups = 1;
    uint32_t limit = m->device->facts->max_group;

    for (uint32_t d = 0; d < 3; d++) {
        if (out->groups[d] > most_groups / groups)
            return too_large(m, "the number of groups in one dimension", out->groups[d]);
        groups *= out->groups[d];
        items = items > limit ? items : items * out->local[d]; /* two factors of 32 bits */
    }
    if (items > limit) {
        vsg_base_location where = here(m);
        vsg_base_report(m->diagnostics, VSG_DIAG_LOCAL_LARGE, &where, (unsigned long long)items,
                        (unsigned)limit);
        return VISAGE_INVALID;
    }
    out->num_groups = groups;
    out->num_threads = (uint32_t)(items + out->simd - 1) / out->simd;
    out->mask = low_bits(m->kernel->channels);
    uint32_t rest = (uint32_t)items % out->simd;
    out->last_mask = rest ? low_bits(rest) : out->mask;
    return VISAGE_OK;
}

bool vsg_run_is_permutation(const uint32_t order[3])
{
    return order[0] < 3 && order[1] < 3 && order[2] < 3 && order[0] != order[1] &&
           order[1] != order[2] && order[0] != order[2];
}

visage_status vsg_run_dispatch_make(const vsg_run_kernel *kernel, const visage_device *device,
                                    const visage_range *range, uint32_t part,
                                    const uint32_t walk[3], visage_diagnostics *diagnostics,
                                    vsg_run_dispatch *out)
{
    maker m = {kernel, device, range, walk, diagnostics, out};
    bool items = is_set(range->global) || is_set(range->local);
    bool threads = is_set(range->groups) || is_set(range->threads) || range->space[0] != 0;
    visage_status status;

    *out = (vsg_run_dispatch){.order = {0, 1, 2}};
    if (kernel->info && vsg_run_is_permutation(kernel->info->walk_order))
        memcpy(out->order, kernel->info->walk_order, sizeof out->order);
    if (!m.walk)
        m.walk = out->order;
    if (range->pattern != VISAGE_PATTERN_NONE && range->space[0] == 0)
        return wrong_kind(&m, "a dependency pattern with a media space only");
    if (items && threads)
        return wrong_kind(&m, "either work-items or groups and threads, not both");
    if (range->space[0] != 0)
        status = by_space(&m);
    else if (items || (kernel->info && !threads && !vsg_run_kernel_is_explicit(kernel)))
        status = by_work_items(&m);
    else
        status = by_threads(&m);
    if (status == VISAGE_OK && !take_part(out, part))
        return VISAGE_OK;
    return status == VISAGE_OK ? count_threads(&m) : status;
}

uint32_t vsg_run_dispatch_edges(const vsg_run_dispatch *dispatch)
{
    uint32_t edges = 0;

    for (uint32_t d = 0; d < 3; d++)
        if (dispatch->global[d] % dispatch->whole_local[d])
            edges |= 1u << d;
    return edges;
}

/* ---- order ------------------------------------------------------------------------------ */

uint64_t vsg_run_mix(uint64_t number)
{
    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return number ^ number >> 31;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A step below 2^16, so that its products with numbers of groups fit 64 bits. */
void vsg_run_dispatch_shuffle(vsg_run_dispatch *dispatch, uint64_t seed)
{
    if (dispatch->places || dispatch->num_groups < 2)
        return;
    dispatch->step = 1 + vsg_run_mix(seed) % 0xfff0;
    while (common_divisor(dispatch->step, dispatch->num_groups) != 1)
        dispatch->step = dispatch->step % 0xfff0 + 1;
    dispatch->start = vsg_run_mix(seed + 1) % dispatch->num_groups;
}

void vsg_run_dispatch_group(const vsg_run_dispatch *dispatch, uint64_t number, uint32_t id[3])
{
    if (dispatch->places)
        number = dispatch->places[number];
    else if (dispatch->step)
        number = (number * dispatch->step + dispatch->start) % dispatch->num_groups;
    for (uint32_t d = 0; d < 3; d++) {
        id[d] = dispatch->first[d] + (uint32_t)(number % dispatch->groups[d]);
        number /= dispatch->groups[d];
    }
}

bool vsg_run_dispatch_is_in_order(const vsg_run_dispatch *dispatch)
{
    return !dispatch->places && !dispatch->step;
}

void vsg_run_dispatch_next_group(const vsg_run_dispatch *dispatch, uint32_t id[3])
{
    for (uint32_t d = 0; d < 3 && ++id[d] - dispatch->first[d] == dispatch->groups[d]; d++)
        id[d] = dispatch->first[d];
}

void vsg_run_dispatch_local(const vsg_run_dispatch *dispatch, uint32_t number, uint32_t id[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t d = dispatch->order[i];
        id[d] = number % dispatch->local[d];
        number /= dispatch->local[d];
    }
}

uint32_t vsg_run_dispatch_beside(const vsg_run_dispatch *dispatch)
{
    enum { SHORT_ROW = 32, BESIDE = 255 };
    const uint32_t *local = dispatch->local;
    uint32_t along = dispatch->order[0];
    bool has_rows = local[0] * local[1] * local[2] > local[along];
    bool is_short = local[along] <= SHORT_ROW && has_rows && !dispatch->is_strewn;

    return dispatch->num_threads == 1 || is_short ? BESIDE : 0;
}
