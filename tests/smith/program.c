/* SPDX-License-Identifier: MIT
 *
 * Whole programs: how they are launched, their units. */
#include "smith.h"

#include <stdio.h>

static void choose_launch(smith_program *p, visage_platform platform)
{
    static const visage_platform platforms[] = {
        VISAGE_PLATFORM_SKL,   VISAGE_PLATFORM_SKL,  VISAGE_PLATFORM_DG2, VISAGE_PLATFORM_DG2,
        VISAGE_PLATFORM_PVC,   VISAGE_PLATFORM_PVC,  VISAGE_PLATFORM_PVC, VISAGE_PLATFORM_ICLLP,
        VISAGE_PLATFORM_TGLLP, VISAGE_PLATFORM_XEHP,
    };

    p->platform = platforms[smith_draw(p, sizeof platforms / sizeof *platforms)];
    if (platform != VISAGE_PLATFORM_NONE)
        p->platform = platform;
    p->grf = visage_platform_grf_bytes(p->platform);
    p->simd = 8u << smith_draw(p, 3);
    if (p->simd == 8 && p->grf == 64)
        p->simd = 16;
    p->local = p->simd * (smith_chance(p, 60) ? 1 : 1 + smith_draw(p, 3));
    if (smith_chance(p, 20)) /* the last thread has channels that are off */
        p->local -= smith_draw(p, p->simd);
    p->groups = smith_chance(p, 70) ? 1 : 2;
}

/* Instructions of the whole program but for start and end. */
static uint32_t pick_length(smith_program *p)
{
    return smith_chance(p, 1) ? 150 + smith_draw(p, 200) : 6 + smith_draw(p, 50);
}

static void finish_unit(smith_program *p)
{
    smith_put_bytes(&p->done, p->declarations.data, p->declarations.size);
    smith_put_bytes(&p->done, p->text.data, p->text.size);
    smith_text_free(&p->declarations);
    smith_text_free(&p->text);
}

/* The unit's body is being made: what it calls may be needed more than once. */
static void put_subroutines(smith_program *p)
{
    p->in_subroutine = true;
    p->everywhere = false;
    for (p->subroutine = 0; p->subroutine < SMITH_SUBROUTINES; p->subroutine++) {
        if (!(p->called >> p->subroutine & 1u))
            continue;
        smith_put(&p->text, ".function \"sub%u_%u\"\nsub%u_%u:\n", p->unit, p->subroutine,
                  p->unit, p->subroutine);
        p->together = true;
        p->left = 3 + smith_draw(p, 10);
        smith_put_statements(p, p->left);
        smith_put(&p->text, "    ret (M1, %u)\n", p->simd);
    }
    p->in_subroutine = false;
}

static void start_unit(smith_program *p)
{
    smith_declare_unit(p);
    p->called = 0;
    p->loops = p->uniform_loops = 0;
    p->together = true;
    p->everywhere = p->unit == 0 || p->meets >> p->unit & 1u;
    p->backward = 0;
    p->has_returned = false;
}

static void make_kernel(smith_program *p)
{
    smith_put(&p->declarations, ".version 4.1\n.kernel \"smith\"\n");
    start_unit(p);
    smith_put(&p->declarations, ".kernel_attr SimdSize=%u\n", p->simd);
    if (p->has_slm)
        smith_put(&p->declarations, ".kernel_attr SLMSize=1\n");
    smith_put(&p->text, ".function \"main\"\nmain:\n");
    if (smith_chance(p, 70))
        smith_put(&p->text, "    or (M1_NM, 1) %%cr0(0,0)<1> %%cr0(0,0)<0;1,0> 0x4c0:ud\n");
    smith_put_start(p);
    p->left = pick_length(p);
    while (p->left > 0)
        smith_put_statements(p, p->left);
    if (smith_chance(p, 2))
        smith_put_endless(p);
    smith_put_dump(p);
    smith_put(&p->text, "    ret (M1, 1)\n");
    put_subroutines(p);
    finish_unit(p);
}

static void make_function(smith_program *p, uint32_t number)
{
    p->unit = number;
    smith_put(&p->declarations, ".global_function \"f%u\"\n", number);
    start_unit(p);
    smith_put(&p->declarations, ".kernel_attr ArgSize=%u\n.kernel_attr RetValSize=%u\n",
              SMITH_ARGUMENT_BYTES / p->grf, SMITH_RESULT_BYTES / p->grf);
    smith_put(&p->text, ".function \"body%u\"\nbody%u:\n", number, number);
    smith_put_start(p);
    p->left = 5 + smith_draw(p, 15);
    smith_put_statements(p, p->left);
    smith_put(&p->text, "    mov (M1, %u) RETD(0,0)<1> R0(0,0)<1;1,0>\n", p->simd);
    smith_put(&p->text, "    fret (M1, %u)\n", p->simd);
    put_subroutines(p);
    finish_unit(p);
}

void smith_make(smith_program *p, uint64_t seed, visage_platform platform, bool quick)
{
    *p = (smith_program){.seed = seed, .state = seed * 0x2545f4914f6cdd1du};
    choose_launch(p, platform);
    p->flow_percent = smith_chance(p, 75) ? 8 + smith_draw(p, 20) : 0;
    p->message_percent = smith_chance(p, 65) ? 10 + smith_draw(p, 50) : 0;
    p->mode_percent = smith_chance(p, 30) ? 12 : 1;
    p->likes_floats = smith_chance(p, p->mode_percent > 1 ? 70 : 20);
    p->has_surface = smith_chance(p, 50);
    p->has_slm = smith_chance(p, 45);
    p->faults = smith_chance(p, 10);
    p->addresses = smith_chance(p, 40);
    p->calls = smith_chance(p, 45);
    p->call_percent = p->calls && smith_chance(p, 40) ? 12 : 0;
    p->meets = smith_chance(p, 25) ? smith_draw(p, 2u << SMITH_FUNCTIONS) & ~1u : 0;
    make_kernel(p);
    for (uint32_t i = 1; i <= p->num_functions; i++)
        make_function(p, i);

    uint32_t threads = (p->local + p->simd - 1) / p->simd * p->groups;
    static const char *const levels[8] = {" --cpu sse4.2", " --cpu avx2", " --cpu avx512"};
    const char *level = levels[smith_draw(p, 8)];
    smith_text whole = {0};
    smith_put(&whole,
              "// Random program %llu. The two engines must leave the same in memory:\n",
              (unsigned long long)seed);
    smith_put(&whole,
              "// visage run FILE --platform %s -g %u -l %u -a buf:u32:%u:rand=1 "
              "-a buf:u32:%u:zero:out=-",
              visage_platform_name(p->platform), p->local * p->groups, p->local,
              (SMITH_SHARED + threads * SMITH_MEMORY) / 4, threads * p->dump_bytes / 4);
    smith_put(&whole, " -a i32:%d", (int)smith_draw(p, 1000) - 500);
    if (p->has_surface)
        smith_put(&whole, " -a buf:u32:%u:rand=2", threads * SMITH_SURFACE / 4);
    smith_put(&whole, " --engine interp%s%s\n", level ? level : "", quick ? " --quick" : "");
    if (p->head.size)
        smith_put_bytes(&whole, p->head.data, p->head.size);
    smith_put_bytes(&whole, p->done.data, p->done.size);
    smith_text_free(&p->head);
    smith_text_free(&p->done);
    p->text = whole;
}
