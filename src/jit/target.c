/* SPDX-License-Identifier: MIT */
#include "jit/target.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

static const struct {
    const char *name, *cpu;
} levels[VISAGE_CPU_COUNT] = {
    [VISAGE_CPU_NATIVE] = {"native", NULL},
#define LEVEL(id, name, cpu, features) [VISAGE_CPU_##id] = {name, cpu},
#include "jit/levels.def"
#undef LEVEL
};

const char *vsg_jit_level_name(visage_cpu level)
{
    return levels[level].name;
}

const char *vsg_jit_level_cpu(visage_cpu level)
{
    return levels[level].cpu;
}

bool vsg_jit_level_find(const char *name, visage_cpu *out)
{
    for (int i = VISAGE_CPU_NATIVE; i < VISAGE_CPU_COUNT; i++) {
        if (strcmp(levels[i].name, name) != 0)
            continue;
        *out = (visage_cpu)i;
        return true;
    }
    return false;
}

/* Measured: 0.27 ns a dword where loads one by one take 0.61 (docs/performance.md). In Intel's
 * before these, microcode against Gather Data Sampling (INTEL-SA-00828) makes them slow; others
 * were not measured. */
bool vsg_jit_gathers_quickly(const char *cpu)
{
    static const char *const names[] = {"sapphirerapids", "emeraldrapids", "graniterapids",
                                        "graniterapids-d"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], cpu) == 0)
            return true;
    return false;
}

#if defined(__x86_64__)

bool vsg_jit_level_runs(visage_cpu level)
{
    switch (level) {
    case VISAGE_CPU_DEFAULT:
    case VISAGE_CPU_NATIVE:
        return true;
#define HAS(feature) &&(__builtin_cpu_supports(feature) != 0)
#define LEVEL(id, name, cpu, features)                                                         \
    case VISAGE_CPU_##id:                                                                      \
        return true features;
#include "jit/levels.def"
#undef LEVEL
#undef HAS
    case VISAGE_CPU_COUNT:
        break;
    }
    return false;
}

/* The leaves of CPUID with family and model and with sets of instructions. Of leaf 1 the
 * register with the number of the core is left out. Which registers the system saves shows in
 * OSXSAVE and in leaf 13. */
void vsg_jit_host_words(uint32_t out[VSG_JIT_HOST_WORDS])
{
    static const struct {
        uint32_t leaf, subleaf;
    } leaves[] = {{0, 0}, {1, 0}, {7, 0}, {7, 1}, {13, 0}, {0x80000001, 0}};
    uint32_t *at = out;

    memset(out, 0, VSG_JIT_HOST_WORDS * sizeof *out);
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++, at += 4) {
        if (!__get_cpuid_count(leaves[i].leaf, leaves[i].subleaf, &at[0], &at[1], &at[2],
                               &at[3]))
            continue;
        if (leaves[i].leaf == 1)
            at[1] = 0;
    }
}

#else

bool vsg_jit_level_runs(visage_cpu level)
{
    return level == VISAGE_CPU_DEFAULT || level == VISAGE_CPU_NATIVE;
}

void vsg_jit_host_words(uint32_t out[VSG_JIT_HOST_WORDS])
{
    memset(out, 0, VSG_JIT_HOST_WORDS * sizeof *out);
}

#endif
