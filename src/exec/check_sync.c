/* SPDX-License-Identifier: MIT
 *
 * Orders between accesses, as check_race.h has them: what each thread knows to have happened
 * before its next step. Times grow with all that happens, so one number a thread of the group
 * says all that is known of it, and a few spans what is known of the groups before. */
#include <string.h>

#include "exec/check_race.h"

/* ---- spans ------------------------------------------------------------------------------ */

static bool past_has(const vsg_exe_race_past *past, uint32_t time)
{
    for (uint32_t i = 0; i < past->num_spans; i++)
        if (time >= past->spans[i].first && time <= past->spans[i].last)
            return true;
    return false;
}

/* Puts a span among the others, of which there is room for one more, and joins those that meet.
 */
static uint32_t put_span(vsg_exe_race_span *spans, uint32_t count, vsg_exe_race_span span)
{
    uint32_t at = count, kept = 0;

    while (at > 0 && spans[at - 1].first > span.first)
        at--;
    memmove(spans + at + 1, spans + at, (count - at) * sizeof *spans);
    spans[at] = span;
    for (uint32_t i = 1; i <= count; i++) {
        if (spans[i].first <= spans[kept].last + 1) {
            if (spans[i].last > spans[kept].last)
                spans[kept].last = spans[i].last;
        } else {
            spans[++kept] = spans[i];
        }
    }
    return kept + 1;
}

static void past_add(vsg_exe_race_past *past, vsg_exe_race_span span)
{
    vsg_exe_race_span spans[VSG_EXE_RACE_SPANS + 1];
    uint32_t nearest = 1;

    memcpy(spans, past->spans, sizeof past->spans);
    uint32_t count = put_span(spans, past->num_spans, span);
    if (count > VSG_EXE_RACE_SPANS) {
        for (uint32_t i = 2; i < count; i++)
            if (spans[i].first - spans[i - 1].last <
                spans[nearest].first - spans[nearest - 1].last)
                nearest = i;
        spans[nearest - 1].last = spans[nearest].last;
        memmove(spans + nearest, spans + nearest + 1, (count - nearest - 1) * sizeof *spans);
        count--;
    }
    memcpy(past->spans, spans, sizeof past->spans);
    past->num_spans = count;
}

static void past_join(vsg_exe_race_past *to, const vsg_exe_race_past *from)
{
    for (uint32_t i = 0; i < from->num_spans; i++)
        past_add(to, from->spans[i]);
}

/* ---- views ------------------------------------------------------------------------------ */

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Makes a view one of the current group. */
static void renew(const vsg_exe_race *race, vsg_exe_race_view *view)
{
    if (view->start == race->start)
        return;
    view->start = race->start;
    view->fence = view->group_fence = 0;
    if (view->times)
        memset(view->times, 0, race->num_threads * sizeof *view->times);
}

static bool fit_times(vsg_exe_race *race, vsg_exe_race_view *view)
{
    if (!view->times)
        view->times = vsg_base_new(race->alloc, race->num_threads, sizeof *view->times);
    race->lost |= !view->times;
    return view->times != NULL;
}

static void join(vsg_exe_race *race, vsg_exe_race_view *to, const vsg_exe_race_view *from)
{
    past_join(&to->past, &from->past);
    if (from->start != race->start || !from->times || !fit_times(race, to))
        return;
    for (uint32_t i = 0; i < race->num_threads; i++)
        to->times[i] = later(to->times[i], from->times[i]);
}

uint32_t vsg_exe_race_cut(vsg_exe_race *race)
{
    race->is_full |= race->now == UINT32_MAX;
    if (!race->is_touched || race->is_full)
        return race->now - 1;
    race->is_touched = false;
    return race->now++;
}

bool vsg_exe_race_is_ordered(const vsg_exe_race *race, uint32_t thread, uint64_t record,
                             bool is_slm)
{
    uint32_t time = vsg_exe_race_time(record);
    uint32_t other = vsg_exe_race_thread(record);
    const vsg_exe_race_view *view = &race->views[thread];

    if (record == 0 || race->is_full)
        return true;
    if (time < race->start)
        return is_slm || race->are_ordered || past_has(&view->past, time);
    if (time <= race->barrier || other == thread)
        return true;
    return view->times && time <= view->times[other];
}

/* ---- groups and barriers ---------------------------------------------------------------- */

void vsg_exe_race_begin(vsg_exe_race *race, uint64_t group)
{
    void *starts = race->starts;

    (void)vsg_exe_race_cut(race);
    race->start = race->now;
    race->barrier = race->now - 1;
    for (uint32_t i = 0; i < race->num_threads; i++) {
        renew(race, &race->views[i]);
        race->views[i].start = race->start;
        race->views[i].past.num_spans = 0;
    }
    if (!vsg_base_grow(race->alloc, &starts, race->num_starts, &race->cap_starts,
                       sizeof *race->starts)) {
        race->lost = true;
        return;
    }
    race->starts = starts;
    race->starts[race->num_starts++] = (vsg_exe_race_start){race->start, group};
}

uint64_t vsg_exe_race_group(const vsg_exe_race *race, uint64_t record)
{
    uint32_t time = vsg_exe_race_time(record);
    size_t low = 0, high = race->num_starts;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (race->starts[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    return race->num_starts ? race->starts[low].group : 0;
}

/* What one thread knows all know now. */
void vsg_exe_race_barrier(vsg_exe_race *race)
{
    vsg_exe_race_past all = {0};
    uint32_t fence = 0;

    race->barrier = vsg_exe_race_cut(race);
    for (uint32_t i = 0; i < race->num_threads; i++) {
        fence = later(fence, race->views[i].fence);
        past_join(&all, &race->views[i].past);
    }
    for (uint32_t i = 0; i < race->num_threads; i++) {
        race->views[i].fence = fence;
        race->views[i].past = all;
    }
}

void vsg_exe_race_arrive(vsg_exe_race *race, uint32_t thread, uint32_t number, uint32_t phase,
                         bool is_first)
{
    vsg_exe_race_view *meeting = &race->meetings[2 * number + phase % 2];
    const vsg_exe_race_view *view = &race->views[thread];

    renew(race, meeting);
    if (is_first) {
        meeting->past.num_spans = 0;
        meeting->fence = 0;
        if (meeting->times)
            memset(meeting->times, 0, race->num_threads * sizeof *meeting->times);
    }
    join(race, meeting, view);
    meeting->fence = later(meeting->fence, view->fence);
    if (fit_times(race, meeting))
        meeting->times[thread] = vsg_exe_race_cut(race);
}

void vsg_exe_race_leave(vsg_exe_race *race, uint32_t thread, uint32_t number, uint32_t phase)
{
    const vsg_exe_race_view *meeting = &race->meetings[2 * number + phase % 2];
    vsg_exe_race_view *view = &race->views[thread];

    if (meeting->start != race->start)
        return;
    join(race, view, meeting);
    view->fence = later(view->fence, meeting->fence);
}

/* ---- fences and atomics ----------------------------------------------------------------- */

/* After a fence for shared local memory alone nothing is known to other groups. */
void vsg_exe_race_fence(vsg_exe_race *race, uint32_t thread, bool is_local)
{
    vsg_exe_race_view *view = &race->views[thread];
    uint32_t time = vsg_exe_race_cut(race);

    view->group_fence = time;
    if (!is_local)
        view->fence = time;
}

/* An atomic's entry: the one it has, with `make` a new one, else NULL. Where there is no room
 * it shares the last one with others. */
static vsg_exe_race_sync *find_sync(vsg_exe_race *race, uint64_t address, bool make)
{
    uint32_t last = race->cap_syncs - 1;
    uint32_t at = (uint32_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 40) % last;

    for (uint32_t tries = 0; tries < 32; tries++, at = (at + 1) % last) {
        vsg_exe_race_sync *sync = &race->syncs[at];
        if (sync->address == address)
            return sync;
        if (sync->address)
            continue;
        if (!make)
            return NULL;
        sync->address = address;
        return sync;
    }
    return &race->syncs[last];
}

static void give(vsg_exe_race *race, uint32_t thread, uint64_t host)
{
    const vsg_exe_race_view *view = &race->views[thread];
    bool in_group = view->group_fence > race->barrier; /* else a barrier has done it */
    bool to_all = view->fence >= race->start;

    if (!in_group && !to_all)
        return;
    vsg_exe_race_sync *sync = find_sync(race, host, true);
    renew(race, &sync->view);
    join(race, &sync->view, view);
    if (to_all)
        past_add(&sync->view.past, (vsg_exe_race_span){race->start, view->fence});
    if (in_group && fit_times(race, &sync->view))
        sync->view.times[thread] = later(sync->view.times[thread], view->group_fence);
}

void vsg_exe_race_atomic(vsg_exe_race *race, uint32_t thread, uint64_t host, bool writes,
                         bool observes)
{
    if (observes) {
        const vsg_exe_race_sync *sync = find_sync(race, host, false);
        if (sync)
            join(race, &race->views[thread], &sync->view);
    }
    if (writes)
        give(race, thread, host);
}
