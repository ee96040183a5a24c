/* SPDX-License-Identifier: MIT
 *
 * A module on a device: its units made ready to run, its constants and global variables in
 * device memory with relocations applied. */
#ifndef VISAGE_RUNTIME_PROGRAM_H
#define VISAGE_RUNTIME_PROGRAM_H

#include "exec/check.h"
#include "jit/jit.h"
#include "runtime/device.h"
#include "runtime/kernel.h"
#include "verify/verify.h"

/* What a program is made from; all of it is kept. */
typedef struct vsg_run_source {
    const vsg_obj_module *module;
    const vsg_con_zebin *zebin;    /* NULL: none */
    const vsg_run_kernel *kernels; /* kernels first, then functions */
    size_t num_kernels;            /* without the functions */
    size_t num_units;              /* with them */
    const char *name;              /* of the file */
} vsg_run_source;

struct visage_program {
    vsg_base_alloc alloc;
    visage_device *device;
    vsg_run_source source;
    bool *refused; /* by unit of the module: it is not run, nor is what can call it */
    size_t cap_refused;
    vsg_exe_program *exec;
    vsg_exe_plan *plans;  /* of check mode; NULL: not asked for yet */
    vsg_jit_program *jit; /* machine code; NULL: not asked for yet */
    struct {
        uint64_t address, size_bytes; /* address 0: nothing there */
    } data[VSG_CON_SECTION_COUNT];
};

/* Judges the module by the rules of the device's platform first: exec makes programs of
 * verified modules only. A kernel that is refused, or that can call what is, does not keep the
 * others from running: what is wrong is reported here only where no kernel is left. shown: how
 * reports show lines; its platform and strictness are not used. */
VISAGE_NODISCARD visage_status vsg_run_program_create(visage_device *device,
                                                      const vsg_run_source *source,
                                                      const vsg_ver_options *shown,
                                                      visage_diagnostics *diagnostics,
                                                      visage_program **out);
/* Is kernel `kernel` one that can be run? Else what is wrong with it and with what it can call
 * is reported. Returns OK, or what vsg_run_program_create() would for that kernel alone. */
VISAGE_NODISCARD visage_status vsg_run_program_check(const visage_program *program,
                                                     size_t kernel,
                                                     const vsg_ver_options *shown,
                                                     visage_diagnostics *diagnostics);
void vsg_run_program_destroy(visage_program **program);

#endif
