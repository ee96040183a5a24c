/* SPDX-License-Identifier: MIT
 *
 * visage run: execute a kernel. */
#include "running.h"

int tool_run(int argc, char **argv)
{
    running state = {0};
    run_options options;
    int result = run_options_take(argc, argv, &options);

    if (result < 0)
        result = running_run(&state, &options);
    run_options_free(&options);
    running_finish(&state);
    return result;
}
