/* SPDX-License-Identifier: MIT
 *
 * What the parts of the container's reader share: one file being read. */
#ifndef VISAGE_CONTAINER_READER_H
#define VISAGE_CONTAINER_READER_H

#include <gelf.h>

#include "container/zebin.h"

typedef struct vsg_con_reader {
    const vsg_base_alloc *alloc; /* for what does not outlive the reading */
    const char *name;
    const uint8_t *data;
    size_t size_bytes;
    visage_diagnostics *diagnostics;
    vsg_con_zebin *out; /* its arena is ready */
} vsg_con_reader;

/* One section of the ELF file. */
typedef struct vsg_con_elf_section {
    const char *name; /* in the file's bytes, ends there with NUL */
    Elf_Scn *handle;
    GElf_Shdr header;
    const uint8_t *bytes; /* header.sh_size of them, NULL for SHT_NOBITS */
    int data;             /* vsg_con_section it is a part of, -1: none */
    uint64_t data_offset; /* where its first byte lies in that */
} vsg_con_elf_section;

typedef struct vsg_con_elf {
    const vsg_con_reader *file;
    Elf *handle;
    vsg_con_elf_section *sections;
    size_t num_sections;
    /* Names may overlap in their table, so many long ones fit a small file. All that are read
     * may have this much together; no compiler's file comes near it. */
    size_t names_left;
} vsg_con_elf;

/* A place in the file. */
vsg_base_location vsg_con_at(const vsg_con_reader *file, uint64_t offset);
/* Reports and returns NO_MEMORY. */
visage_status vsg_con_no_memory(const vsg_con_reader *file);
/* Reports ELF_BROKEN with a printf text; offset: bytes into the file. Returns MALFORMED. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
visage_status
vsg_con_broken(const vsg_con_reader *file, uint64_t offset, const char *why, ...);

/* Reports ELF_TWICE, returns MALFORMED. */
visage_status vsg_con_twice(const vsg_con_reader *file, const vsg_con_elf_section *section);

/* The name at `offset` of string table `table`; NULL when it is not one. */
const char *vsg_con_elf_name(vsg_con_elf *elf, const vsg_con_elf_section *table,
                             uint64_t offset);

/* Reads .ze_info, `size` bytes at `offset` of the file, into info_version and kernels. */
visage_status vsg_con_read_kernels(const vsg_con_reader *file, size_t offset, size_t size);

/* Platform from the notes of a .note.intelgt.compat section. */
visage_status vsg_con_read_notes(const vsg_con_elf *elf, const vsg_con_elf_section *section);

/* Makes symbols_by_name. False: memory is out. */
VISAGE_NODISCARD bool vsg_con_sort_symbols(vsg_con_zebin *zebin);
/* Data sections, their symbols and relocations. */
visage_status vsg_con_read_data(vsg_con_elf *elf);

#endif
