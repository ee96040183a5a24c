/* SPDX-License-Identifier: MIT
 *
 * A kernel as text, read, verified, and run by one thread with nothing but its registers.
 * Include after cmocka.h. */
#ifndef VISAGE_TESTS_RUN_TEXT_H
#define VISAGE_TESTS_RUN_TEXT_H

#include "exec/program.h"
#include "exec/thread.h"
#include "text_support.h"
#include "verify/verify.h"

enum { RUN_CHANNELS = 32, RUN_VARIABLES = 3 };

/* The program of a text for PVC; it must be free before the fixture is torn down. Any refusal
 * fails the test. */
static inline vsg_exe_program *make_program(fixture *f, const char *text)
{
    vsg_exe_program *program = NULL;
    vsg_exe_program_options options = {.platform = VISAGE_PLATFORM_PVC};
    vsg_ver_options rules = {.platform = VISAGE_PLATFORM_PVC};
    vsg_base_alloc alloc = vsg_base_alloc_default();

    visage_status status = read_as(f, text, strlen(text), VISAGE_PLATFORM_PVC, NULL);
    if (status == VISAGE_OK)
        status = vsg_ver_verify(f->module, &rules, f->diagnostics);
    if (status == VISAGE_OK)
        status = vsg_exe_program_create(&alloc, f->module, &options, f->diagnostics, &program);
    if (status != VISAGE_OK)
        fail_msg("%s\n%s", visage_diagnostics_get(f->diagnostics, 0)->message, text);
    return program;
}

/* Runs the first kernel on PVC with the channels of `dispatched`. values: what its first
 * variables, of 32 dwords each, hold before and after. Any refusal or fault fails the test. */
static inline void run_text(const char *text, uint32_t dispatched,
                            uint32_t values[RUN_VARIABLES][RUN_CHANNELS])
{
    void *state = NULL;
    vsg_base_alloc alloc = vsg_base_alloc_default();
    vsg_exe_thread thread;
    vsg_exe_group group = {.num_threads = 1};

    (void)set_up(&state);
    vsg_exe_program *program = make_program(state, text);
    vsg_exe_launch launch = {.program = program};
    assert_true(vsg_exe_thread_init(&thread, &alloc));
    thread.budget = 1000;
    assert_true(vsg_exe_thread_start(&thread, &launch, &group, 0, dispatched));
    const uint32_t *at = program->units[0].variable_at + VSG_ISA_FIRST_VARIABLE;
    for (uint32_t i = 0; i < RUN_VARIABLES; i++)
        memcpy(thread.registers + at[i], values[i], sizeof values[i]);
    vsg_exe_stop stop = vsg_exe_run(&thread);
    if (stop != VSG_EXE_STOP_END)
        fail_msg("stop %d\n%s", (int)stop, text);
    for (uint32_t i = 0; i < RUN_VARIABLES; i++)
        memcpy(values[i], thread.registers + at[i], sizeof values[i]);
    vsg_exe_thread_free(&thread);
    vsg_exe_program_free(&program);
    (void)tear_down(&state);
}

#endif
