/* SPDX-License-Identifier: MIT
 *
 * visage isa: list the instructions, or explain one. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <jansson.h>

#include "tool.h"

enum { TEXT_BYTES = 2048 };

static void print_help(void)
{
    fputs(
        "usage: visage isa [--json] [MNEMONIC]\n\n"
        "Lists the instruction table: opcode, mnemonic, group, whether the interpreter runs\n"
        "it, and what it does. With a mnemonic, everything the table says of it, operands in\n"
        "encoding order.\n\n"
        "      --json   as JSON\n"
        "  -h, --help\n",
        stdout);
}

static void print_opcode(const visage_isa_entry *entry, char *out, size_t size)
{
    if (entry->sub_opcode < 0)
        (void)snprintf(out, size, "0x%02x", entry->opcode);
    else
        (void)snprintf(out, size, "0x%02x.%d", entry->opcode, entry->sub_opcode);
}

static void print_row(const visage_isa_entry *entry)
{
    char opcode[24];

    print_opcode(entry, opcode, sizeof opcode);
    printf("%-8s  %-22s  %-9s  %-4s  %s\n", opcode, entry->mnemonic, entry->group,
           entry->runs ? "runs" : "-", entry->brief);
}

/* One a line. */
static void print_maps(const char *maps)
{
    const char *heading = "type maps";

    while (*maps) {
        size_t length = strcspn(maps, ";");
        printf("  %-9s  %.*s\n", heading, (int)length, maps);
        heading = "";
        maps += length;
        maps += strspn(maps, "; ");
    }
}

static void print_entry(const visage_isa_entry *entry)
{
    char opcode[24];

    print_opcode(entry, opcode, sizeof opcode);
    printf("%s: %s\n", entry->mnemonic, entry->brief);
    printf("  opcode     %s\n", opcode);
    printf("  group      %s\n", entry->group);
    printf("  operands   %s\n", entry->operands[0] ? entry->operands : "none");
    printf("  types      %s\n", entry->types[0] ? entry->types : "-");
    print_maps(entry->type_maps);
    printf("  flags      %s\n", entry->flags[0] ? entry->flags : "-");
    printf("  platforms  %s\n", entry->platforms[0] ? entry->platforms : "later devices");
    printf("  page       %s\n", entry->page[0] ? entry->page : "-");
    printf("  runs       %s\n", entry->runs ? "yes" : "no");
}

/* A JSON array of the words of a list. */
static json_t *words(const char *list)
{
    json_t *array = json_array();

    while (*list) {
        size_t length = strcspn(list, " ");
        (void)json_array_append_new(array, json_stringn(list, length));
        list += length;
        list += strspn(list, " ");
    }
    return array;
}

static json_t *entry_json(const visage_isa_entry *entry)
{
    json_t *object = json_pack(
        "{s:s, s:i, s:s, s:s, s:o, s:o, s:s, s:o, s:o, s:s, s:b}", "mnemonic", entry->mnemonic,
        "opcode", (int)entry->opcode, "group", entry->group, "brief", entry->brief, "operands",
        words(entry->operands), "types", words(entry->types), "type_maps", entry->type_maps,
        "flags", words(entry->flags), "platforms", words(entry->platforms), "page", entry->page,
        "runs", (int)entry->runs);

    if (entry->sub_opcode >= 0)
        (void)json_object_set_new(object, "sub_opcode", json_integer(entry->sub_opcode));
    return object;
}

/* Shows the rows that match; returns how many. */
static size_t show(const char *mnemonic, json_t *array)
{
    size_t shown = 0;

    for (size_t i = 0; i < visage_isa_count(); i++) {
        visage_isa_entry entry;
        char text[TEXT_BYTES];
        if (visage_isa_get(i, &entry, text, sizeof text) != VISAGE_OK)
            continue;
        if (mnemonic && strcasecmp(mnemonic, entry.mnemonic) != 0)
            continue;
        shown++;
        if (array)
            (void)json_array_append_new(array, entry_json(&entry));
        else if (mnemonic)
            print_entry(&entry);
        else
            print_row(&entry);
    }
    return shown;
}

/* Mnemonics that contain the word, for a message. */
static void list_near(const char *mnemonic)
{
    const char *before = "; there are: ";

    for (size_t i = 0; i < visage_isa_count(); i++) {
        visage_isa_entry entry;
        char text[TEXT_BYTES];
        if (visage_isa_get(i, &entry, text, sizeof text) != VISAGE_OK ||
            !strstr(entry.mnemonic, mnemonic))
            continue;
        fprintf(stderr, "%s%s", before, entry.mnemonic);
        before = ", ";
    }
    fputc('\n', stderr);
}

int tool_isa(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    bool json = false;
    int option;

    while ((option = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
        if (option == 'h') {
            print_help();
            return tool_flush() ? EXIT_GOOD : EXIT_RESOURCE;
        }
        if (option != 'j')
            return EXIT_USAGE;
        json = true;
    }
    if (argc - optind > 1) {
        tool_error("isa: unexpected '%s'", argv[optind + 1]);
        return EXIT_USAGE;
    }
    const char *mnemonic = optind < argc ? argv[optind] : NULL;
    json_t *array = json ? json_array() : NULL;
    size_t shown = show(mnemonic, array);
    if (shown == 0) {
        fprintf(stderr, "visage: error: no instruction '%s'", mnemonic ? mnemonic : "");
        list_near(mnemonic ? mnemonic : "");
        json_decref(array);
        return EXIT_WANTING;
    }
    if (array) {
        (void)json_dumpf(array, stdout, JSON_INDENT(2));
        putchar('\n');
    }
    json_decref(array);
    return tool_flush() ? EXIT_GOOD : EXIT_RESOURCE;
}
