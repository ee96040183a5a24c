/* SPDX-License-Identifier: MIT */
#include "runtime/space.h"
#include "base/clock.h"

#include <string.h>
#include <time.h>

#include "runtime/job.h"

typedef struct pattern_row {
    const char *text;
    uint32_t wave_x, wave_y;
    uint32_t count;
    int32_t at[8][2];
} pattern_row;

#define COUNT_OF(...) (sizeof((const int32_t[][2]){__VA_ARGS__}) / sizeof(int32_t[2]))
#define PATTERN(id, text_, x_, y_, ...)                                                        \
    [VISAGE_PATTERN_##id] = {.text = text_,                                                    \
                             .wave_x = x_,                                                     \
                             .wave_y = y_,                                                     \
                             .count = COUNT_OF(__VA_ARGS__),                                   \
                             .at = {__VA_ARGS__}},
static const pattern_row patterns[] = {
#include "runtime/patterns.def"
};
#undef PATTERN
enum { NUM_PATTERNS = sizeof patterns / sizeof patterns[0] };

/* How long a worker waits before it looks at the clock and the cancel flag again. */
enum { LOOK_NANOSECONDS = 20 * 1000 * 1000 };

int vsg_run_pattern_find(const char *text)
{
    for (int i = 0; i < NUM_PATTERNS; i++)
        if (strcmp(patterns[i].text, text) == 0)
            return i;
    return -1;
}

bool vsg_run_pattern_is(uint32_t pattern)
{
    return pattern < NUM_PATTERNS;
}

/* ---- the order -------------------------------------------------------------------------- */

static uint32_t wave_of(const vsg_run_dispatch *dispatch, uint32_t x, uint32_t y)
{
    const pattern_row *row = &patterns[dispatch->pattern];
    return row->wave_x * x + row->wave_y * y;
}

/* A counting sort; places of a wave follow each other from the top. */
bool vsg_run_space_order(vsg_run_dispatch *dispatch, vsg_base_arena *arena)
{
    uint32_t width = dispatch->groups[0], height = dispatch->groups[1];

    if (dispatch->pattern == VISAGE_PATTERN_NONE)
        return true;
    uint32_t num_waves = wave_of(dispatch, width - 1, height - 1) + 1;
    uint32_t *places = vsg_base_arena_new(arena, (size_t)width * height, sizeof *places);
    uint32_t *next = vsg_base_arena_new(arena, (size_t)num_waves + 1, sizeof *next);
    if (!places || !next)
        return false;
    memset(next, 0, ((size_t)num_waves + 1) * sizeof *next);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            next[wave_of(dispatch, x, y) + 1]++;
    for (uint32_t w = 0; w < num_waves; w++)
        next[w + 1] += next[w];
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            places[next[wave_of(dispatch, x, y)]++] = y * width + x;
    dispatch->places = places;
    return true;
}

/* ---- waiting ---------------------------------------------------------------------------- */

bool vsg_run_space_init(vsg_run_space *space, const vsg_run_dispatch *dispatch,
                        vsg_base_arena *arena)
{
    size_t places = (size_t)dispatch->groups[0] * dispatch->groups[1];

    *space = (vsg_run_space){.dispatch = dispatch};
    if (!dispatch->places)
        return true;
    bool *done = vsg_base_arena_new(arena, places, sizeof *done);
    if (!done || pthread_mutex_init(&space->lock, NULL) != 0)
        return false;
    if (!vsg_base_cond_init(&space->changed)) {
        (void)pthread_mutex_destroy(&space->lock);
        return false;
    }
    memset(done, 0, places * sizeof *done);
    space->done = done;
    return true;
}

void vsg_run_space_fini(vsg_run_space *space)
{
    if (!space->done)
        return;
    (void)pthread_cond_destroy(&space->changed);
    (void)pthread_mutex_destroy(&space->lock);
    space->done = NULL;
}

static bool is_free(const vsg_run_space *space, uint64_t number)
{
    const vsg_run_dispatch *dispatch = space->dispatch;
    const pattern_row *row = &patterns[dispatch->pattern];
    uint32_t width = dispatch->groups[0];
    int64_t x = dispatch->places[number] % width;
    int64_t y = dispatch->places[number] / width;

    for (uint32_t i = 0; i < row->count; i++) {
        int64_t from_x = x + row->at[i][0];
        int64_t from_y = y + row->at[i][1];
        if (from_x >= 0 && from_x < (int64_t)width && from_y >= 0 &&
            from_y < (int64_t)dispatch->groups[1] && !space->done[from_y * width + from_x])
            return false;
    }
    return true;
}

/* What a group depends on has a lower number, so that another worker has it already. */
bool vsg_run_space_wait(vsg_run_space *space, vsg_run_job *job, uint64_t number)
{
    bool stops = false;

    if (!space->done)
        return true;
    (void)pthread_mutex_lock(&space->lock);
    while (!is_free(space, number) && !(stops = vsg_run_job_stops(job, number)))
        vsg_base_cond_wait(&space->changed, &space->lock, LOOK_NANOSECONDS);
    (void)pthread_mutex_unlock(&space->lock);
    return !stops;
}

void vsg_run_space_leave(vsg_run_space *space, uint64_t number, bool is_done)
{
    if (!space->done)
        return;
    (void)pthread_mutex_lock(&space->lock);
    if (is_done)
        space->done[space->dispatch->places[number]] = true;
    (void)pthread_cond_broadcast(&space->changed);
    (void)pthread_mutex_unlock(&space->lock);
}
