/* SPDX-License-Identifier: MIT
 *
 * visage: one tool, its subcommands in a table. */
#include <string.h>

#include "tool.h"

static const tool_command commands[] = {
    {"run", tool_run, "execute a kernel"},
    {"exec", tool_exec, "run a program with visage as its only OpenCL platform"},
    {"as", tool_as, "make a vISA binary of vISA texts"},
    {"dis", tool_dis, "print a file's kernels and functions as vISA text"},
    {"link", tool_link, "make one object of several"},
    {"check", tool_check, "verify files by the rules of the documents"},
    {"compile", tool_compile, "show the machine code that a kernel becomes"},
    {"strip", tool_strip,
     "write a vISA binary again without GEN binaries and debug information"},
    {"info", tool_info, "show what a file holds: kernels, arguments, inputs, counts"},
    {"isa", tool_isa, "list the instructions, or explain one"},
};

enum { NUM_COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *stream)
{
    fputs("usage: visage COMMAND [OPTION]... [FILE]...\n\n"
          "Runs, checks and explains Intel GPU kernels (Intel Virtual ISA) on the CPU.\n\n"
          "commands:\n",
          stream);
    for (int i = 0; i < NUM_COMMANDS; i++)
        fprintf(stream, "  %-8s %s\n", commands[i].name, commands[i].brief);
    fputs("\nvisage COMMAND --help explains a command.\n"
          "visage --version prints the version.\n\n"
          "exit status: 0 good, 1 the input was found wanting, 2 wrong usage, 3 the kernel\n"
          "faulted or was stopped, 4 internal limit or resource\n",
          stream);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help(stdout);
        return tool_flush() ? EXIT_GOOD : EXIT_RESOURCE;
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("visage %s\n", visage_version());
        return tool_flush() ? EXIT_GOOD : EXIT_RESOURCE;
    }
    for (int i = 0; i < NUM_COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    tool_error("unknown command '%s'; visage --help lists the commands", name);
    return EXIT_USAGE;
}
