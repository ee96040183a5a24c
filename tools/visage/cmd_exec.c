/* SPDX-License-Identifier: MIT
 *
 * visage exec: a program that sees the OpenCL driver as the only platform there is. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

static void print_help(void)
{
    fputs("usage: visage exec [OPTION]... [--] PROGRAM [ARGUMENT]...\n\n"
          "Runs a program with visage as its only OpenCL platform.\n\n"
          "  -d, --devices LIST   the GPUs it sees, of skl dg2 tgllp icllp pvc, commas\n"
          "                       between; the first is the default (VISAGE_DEVICES)\n"
          "  -c, --check          check mode: undefined accesses and data races are told\n"
          "                       (VISAGE_CHECK=1)\n"
          "  -t, --trace FILE     write what the driver does and when, in the Chrome trace\n"
          "                       format (VISAGE_TRACE)\n"
          "  -h, --help\n\n"
          "The exit status is the program's; 2 if it could not be started.\n",
          stdout);
}

static bool set(const char *name, const char *value)
{
    if (setenv(name, value, 1) == 0)
        return true;
    tool_error("exec: %s", strerror(errno));
    return false;
}

/* The tool's folder, with the slash at its end; false: not found. */
static bool find_own_folder(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);

    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash)
        slash[1] = '\0';
    return slash != NULL;
}

/* Debian's loader takes a file that registers a driver; Khronos' one only folders of such
 * files, and the names of drivers themselves. */
static bool register_file(const char *path)
{
    char library[4096] = "";
    FILE *file = fopen(path, "re");

    if (file) {
        if (fgets(library, sizeof library, file))
            library[strcspn(library, "\r\n")] = '\0';
        (void)fclose(file);
    }
    return set("OCL_ICD_VENDORS", path) && set("OCL_ICD_FILENAMES", library);
}

/* Where the driver is registered, from the tool's folder: in a build folder; below the prefix
 * of an installation; and what is installed in /usr or /usr/local (cmake/VisageInstall.cmake).
 */
static bool choose_platform(void)
{
    static const char *const places[] = {"visage.icd",
                                         VISAGE_ETC_FROM_BIN "/OpenCL/vendors/visage.icd",
                                         "/etc/OpenCL/vendors/visage.icd"};
    enum { PLACES = sizeof places / sizeof *places };
    char folder[4096], path[sizeof folder + 64];

    if (!find_own_folder(folder, sizeof folder))
        folder[0] = '\0';
    for (size_t i = 0; i < PLACES; i++) {
        (void)snprintf(path, sizeof path, "%s%s", places[i][0] == '/' ? "" : folder, places[i]);
        if (access(path, R_OK) == 0)
            return register_file(path);
    }
    tool_error("exec: the OpenCL driver is not installed: there is no %s", places[PLACES - 1]);
    return false;
}

int tool_exec(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"devices", required_argument, NULL, 'd'},
        {"check", no_argument, NULL, 'c'},
        {"trace", required_argument, NULL, 't'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int option;

    /* The plus sign ends the tool's options where the program begins. */
    while ((option = getopt_long(argc, argv, "+d:ct:h", long_options, NULL)) != -1) {
        if (option == 'h') {
            print_help();
            return tool_flush() ? EXIT_GOOD : EXIT_RESOURCE;
        }
        if (option == '?')
            return EXIT_USAGE;
        if (!set(option == 'd'   ? "VISAGE_DEVICES"
                 : option == 't' ? "VISAGE_TRACE"
                                 : "VISAGE_CHECK",
                 option == 'c' ? "1" : optarg))
            return EXIT_RESOURCE;
    }
    if (optind == argc) {
        tool_error("exec: no program given");
        return EXIT_USAGE;
    }
    if (!choose_platform())
        return EXIT_RESOURCE;
    (void)execvp(argv[optind], argv + optind);
    tool_error("exec: %s: %s", argv[optind], strerror(errno));
    return EXIT_USAGE;
}
