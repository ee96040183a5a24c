/* SPDX-License-Identifier: MIT
 *
 * Body of exec_lanes.c and exec_lanes_v3.c; see lanes.h. Defines lanes. Loops whose count is
 * not known would end in one for the rest, so that whole vectors are told apart. */
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* CALL with `count` as a constant where it is one of the usual ones. */
#define WITH_COUNT(count, call)                                                                \
    switch (count) {                                                                           \
    case 8:                                                                                    \
        call(8);                                                                               \
        break;                                                                                 \
    case 16:                                                                                   \
        call(16);                                                                              \
        break;                                                                                 \
    case 32:                                                                                   \
        call(32);                                                                              \
        break;                                                                                 \
    default:                                                                                   \
        call(count);                                                                           \
        break;                                                                                 \
    }

#define DEFINE_FORM(bytes_, type)                                                              \
    INLINE void form_##bytes_(const vsg_exe_forming *f, uint32_t count, uint64_t *out)         \
    {                                                                                          \
        uint64_t add = f->add, mask = f->mask;                                                 \
        uint32_t scale = f->scale;                                                             \
        for (uint32_t n = 0; n < count; n++) {                                                 \
            type element;                                                                      \
            memcpy(&element, f->registers + n * sizeof element, sizeof element);               \
            out[n] = ((uint64_t)element * scale + add) & mask;                                 \
        }                                                                                      \
    }
DEFINE_FORM(2, uint16_t)
DEFINE_FORM(4, uint32_t)
DEFINE_FORM(8, uint64_t)
#undef DEFINE_FORM

/* A product of 64 bits is several operations, and mostly not needed. */
INLINE void form_8_unscaled(const vsg_exe_forming *f, uint32_t count, uint64_t *out)
{
    uint64_t add = f->add, mask = f->mask;

    for (uint32_t n = 0; n < count; n++) {
        uint64_t element;
        memcpy(&element, f->registers + n * sizeof element, sizeof element);
        out[n] = (element + add) & mask;
    }
}

static void form(const vsg_exe_forming *f, uint32_t count, uint64_t *out)
{
#define FORM_4(count) form_4(f, count, out)
#define FORM_8(count) form_8_unscaled(f, count, out)
    if (f->bytes == 4)
        WITH_COUNT(count, FORM_4)
    else if (f->bytes == 2)
        form_2(f, count, out);
    else if (f->scale != 1)
        form_8(f, count, out);
    else
        WITH_COUNT(count, FORM_8)
#undef FORM_4
#undef FORM_8
}

INLINE bool is_run_of(const uint64_t *at, uint32_t count, uint32_t bytes)
{
    uint64_t first = at[0], differences = 0;

    for (uint32_t n = 0; n < count; n++)
        differences |= (at[n] - first) ^ (uint64_t)(n * bytes);
    return differences == 0;
}

static bool is_run(const uint64_t *at, uint32_t count, uint32_t bytes)
{
    bool result;

    /* Most that is no run shows it here. */
    if (count > 1 && at[1] - at[0] != bytes)
        return false;
#define IS_RUN(count) result = is_run_of(at, count, bytes)
    WITH_COUNT(count, IS_RUN)
#undef IS_RUN
    return result;
}

/* As distances from one of them, since vector units compare signed numbers. Addresses wrap: all
 * are from `low` on, at most `high` - `low` bytes away. */
INLINE vsg_exe_reach reach_of(const uint64_t *at, uint32_t count, uint32_t channels)
{
    uint64_t first = at[__builtin_ctz(channels)];
    int64_t low = 0, high = 0;

    for (uint32_t n = 0; n < count; n++) {
        int64_t distance = (int64_t)(at[n] - first) & -(int64_t)(channels >> n & 1);
        low = distance < low ? distance : low;
        high = distance > high ? distance : high;
    }
    return (vsg_exe_reach){first + (uint64_t)low, first + (uint64_t)high};
}

static vsg_exe_reach reach(const uint64_t *at, uint32_t count, uint32_t channels)
{
    vsg_exe_reach result;

#define REACH(count) result = reach_of(at, count, channels)
    WITH_COUNT(count, REACH)
#undef REACH
    return result;
}

static void move(uint64_t *at, uint32_t count, uint64_t by)
{
    for (uint32_t n = 0; n < count; n++)
        at[n] += by;
}

static const vsg_exe_lanes lanes = {form, is_run, reach, move};
