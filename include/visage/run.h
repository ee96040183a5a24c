/* SPDX-License-Identifier: MIT
 *
 * Part of visage.h: devices, buffers, images, programs and launches. */
#ifndef VISAGE_RUN_H
#define VISAGE_RUN_H

#include "visage.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- devices and buffers ---------------------------------------------------------------- */

typedef struct visage_device visage_device;
typedef struct visage_buffer visage_buffer;

/* The processor that machine code is made for: sets of instructions that include those before.
 */
typedef enum visage_cpu {
    VISAGE_CPU_DEFAULT, /* $VISAGE_CPU where that is set, else NATIVE */
    VISAGE_CPU_NATIVE,  /* all that this processor has */
    VISAGE_CPU_SSE42,
    VISAGE_CPU_AVX2,   /* with FMA and what else x86-64-v3 has */
    VISAGE_CPU_AVX512, /* F, BW, CD, DQ, VL: x86-64-v4 */
    VISAGE_CPU_COUNT
} visage_cpu;

/* Finds one by its name: "native", "sse4.2", "avx2", "avx512". False, and *out unchanged, for
 * any other. */
VISAGE_API bool visage_cpu_find(const char *name, visage_cpu *out);
/* Can this processor execute code for it? */
VISAGE_API bool visage_cpu_runs(visage_cpu cpu);

typedef struct visage_device_options {
    size_t struct_size;
    visage_platform platform; /* required */
    uint32_t jobs;            /* worker threads; 0: one a core */
    uint64_t memory_bytes;    /* address space reserved for buffers; 0: 64 GiB */
    uint32_t slm_bytes;       /* shared local memory of a group; 0: what the platform has */
    visage_device *memory_of; /* a device whose address space this one is to share, so that a
                                 buffer of one is a buffer of both; NULL: one of its own. Which
                                 of them is destroyed first does not matter; memory_bytes is the
                                 first one's */
    visage_cpu cpu;           /* of the JIT's code */
    bool no_cache;            /* machine code is not kept on disk, nor taken from there */
    bool tell_tools;          /* perf (/tmp/perf-PID.map) and gdb learn the names and lines of
                                 machine code */
    bool quick;               /* machine code is made in a third of the time, or less, and may
                                 take several times as long to run */
    bool slm_by_pieces; /* a group has shared local memory up to the next power of two, from
                           1 KiB, as GPUs hand it out; else what its kernel asks for */
} visage_device_options;

/* Makes a device: an address space and worker threads. out: returns owned, free with
 * visage_device_destroy() after its buffers, programs and launches.
 *
 * The JIT keeps its code for the next process under $VISAGE_CACHE_DIR, else
 * $XDG_CACHE_HOME/visage, else ~/.cache/visage; not with VISAGE_CACHE=0 in the environment.
 *
 * Returns UNSUPPORTED for a `cpu`, or a $VISAGE_CPU, that is not known or that this processor
 * does not execute; ARGUMENT, NO_MEMORY. */
VISAGE_API VISAGE_NODISCARD visage_status visage_device_create(
    visage_context *context, const visage_device_options *options, visage_device **out);
VISAGE_API void visage_device_destroy(visage_device **device);
VISAGE_API uint32_t visage_device_jobs(const visage_device *device);

/* A buffer of `size_bytes` (1 or more) zero bytes, 4 KiB aligned. A device address is also a
 * host address. Safe from several threads. Returns ARGUMENT, NO_MEMORY. */
VISAGE_API VISAGE_NODISCARD visage_status visage_buffer_create(visage_device *device,
                                                               size_t size_bytes,
                                                               visage_buffer **out);
VISAGE_API void visage_buffer_destroy(visage_buffer **buffer);
VISAGE_API void *visage_buffer_data(visage_buffer *buffer);
VISAGE_API size_t visage_buffer_size(const visage_buffer *buffer);
VISAGE_API uint64_t visage_buffer_address(const visage_buffer *buffer);
/* Tells check mode whether bytes were ever written: all of a new buffer are, by its zeros, and
 * what a kernel stores is as its source was. Returns ARGUMENT for a range that is not inside,
 * NO_MEMORY. */
VISAGE_API VISAGE_NODISCARD visage_status visage_buffer_set_written(visage_buffer *buffer,
                                                                    size_t offset_bytes,
                                                                    size_t size_bytes,
                                                                    bool written);

/* Tells check mode whether kernels are to read and to write the buffer; those of a new one are
 * to do both. Safe while nothing runs. Returns ARGUMENT. */
VISAGE_API VISAGE_NODISCARD visage_status visage_buffer_set_rights(visage_buffer *buffer,
                                                                   bool reads, bool writes);

/* ---- images and samplers ---------------------------------------------------------------- */

typedef struct visage_image visage_image;
typedef struct visage_sampler visage_sampler;

/* An image is rows of texels in a buffer, linear: row y of layer or slice z starts at
 * offset_bytes + z * slice_pitch_bytes + y * row_pitch_bytes. The samples of a texel are layers
 * one after the other: layer z, sample s counts as z * samples + s. Further levels of detail
 * follow the first one, each half as large along every axis (layers stay as many) and at least
 * one texel, without gaps. */
typedef struct visage_image_options {
    size_t struct_size;
    const char *format; /* required: "R32G32B32A32_FLOAT", "R8_UINT" ... (docs/images.md) */
    const char *shape;  /* "1d" "2d" "3d" "1d-array" "2d-array" "cube" "buffer"; NULL: 3d where
                           there is a depth, else 2d */
    uint32_t width;     /* texels; required */
    uint32_t height;    /* texels; 0: 1, as for the next three */
    uint32_t depth;     /* texels of a 3d image, layers of others, six for each cube */
    uint32_t levels;    /* of detail, 32 at most */
    uint32_t samples;   /* of a texel, 16 at most */
    size_t offset_bytes;
    size_t row_pitch_bytes, slice_pitch_bytes; /* 0: without gaps */
} visage_image_options;

/* Makes an image of a buffer.
 *
 * buffer       kept.
 * options      borrowed.
 * diagnostics  appended to; may be NULL.
 * out          returns owned, free with visage_image_destroy(); NULL unless OK.
 *
 * Returns INVALID for an unknown format, sizes that make no image, or one that does not fit
 * into the buffer; ARGUMENT, NO_MEMORY. */
VISAGE_API VISAGE_NODISCARD visage_status
visage_image_create(visage_buffer *buffer, const visage_image_options *options,
                    visage_diagnostics *diagnostics, visage_image **out);
VISAGE_API void visage_image_destroy(visage_image **image);

typedef enum visage_filter { VISAGE_FILTER_NEAREST = 0, VISAGE_FILTER_LINEAR } visage_filter;

/* Between levels of detail. */
typedef enum visage_mip_filter {
    VISAGE_MIP_NONE = 0, /* the first level is sampled always */
    VISAGE_MIP_NEAREST,
    VISAGE_MIP_LINEAR
} visage_mip_filter;

/* What is sampled where a coordinate is outside the image. */
typedef enum visage_address {
    VISAGE_ADDRESS_BORDER = 0, /* the border's colour; OpenCL's CLAMP */
    VISAGE_ADDRESS_EDGE,       /* the texel at the edge; CLAMP_TO_EDGE */
    VISAGE_ADDRESS_REPEAT,     /* the image again */
    VISAGE_ADDRESS_MIRROR,     /* the image again, every other one mirrored */
    VISAGE_ADDRESS_MIRROR_ONCE /* mirrored at 0, then as EDGE */
} visage_address;

/* What a reference must be to a texel for a comparison to give 1. */
typedef enum visage_compare {
    VISAGE_COMPARE_NEVER = 0,
    VISAGE_COMPARE_LESS,
    VISAGE_COMPARE_EQUAL,
    VISAGE_COMPARE_LESS_EQUAL,
    VISAGE_COMPARE_GREATER,
    VISAGE_COMPARE_NOT_EQUAL,
    VISAGE_COMPARE_GREATER_EQUAL,
    VISAGE_COMPARE_ALWAYS
} visage_compare;

typedef struct visage_sampler_options {
    size_t struct_size;
    visage_filter filter;
    visage_mip_filter mip_filter;
    visage_address address[3]; /* along x, y, z */
    bool normalized;           /* coordinates go from 0 to 1, not in texels */
    visage_compare compare;
    float least_lod, greatest_lod; /* of the level of detail; greatest 0: no limit */
    uint32_t border[4];            /* R, G, B, A as they are read: bits of floats, or integers.
                                      Components that a format lacks are 0, alpha 1 */
} visage_sampler_options;

/* Makes a sampler. options: borrowed, may be NULL. out: returns owned, free with
 * visage_sampler_destroy(). Returns ARGUMENT, NO_MEMORY. */
VISAGE_API VISAGE_NODISCARD visage_status visage_sampler_create(
    visage_context *context, const visage_sampler_options *options, visage_sampler **out);
VISAGE_API void visage_sampler_destroy(visage_sampler **sampler);

/* ---- programs and launches -------------------------------------------------------------- */

typedef struct visage_program visage_program;
typedef struct visage_launch visage_launch;

/* Makes a module ready to run on a device: judged as by visage_verify() for the device's
 * platform, constants placed, labels and calls resolved, operands decoded. keeps: the device
 * and the module. Returns INVALID (what is wrong is reported), UNRESOLVED, UNSUPPORTED (an
 * instruction that cannot be run, named), NO_MEMORY. What is wrong with one kernel, or with a
 * function that it can call, does not keep the others from running: visage_launch_create() of
 * that kernel then reports it. */
VISAGE_API VISAGE_NODISCARD visage_status visage_program_create(visage_device *device,
                                                                const visage_module *module,
                                                                visage_diagnostics *diagnostics,
                                                                visage_program **out);
VISAGE_API void visage_program_destroy(visage_program **program);
/* Bytes of its variables in global memory, those with constants aside. */
VISAGE_API uint64_t visage_program_global_bytes(const visage_program *program);

/* Code that the JIT makes, to look at. */
typedef enum visage_code_form {
    VISAGE_CODE_LLVM, /* LLVM's language, after its passes */
    VISAGE_CODE_ASSEMBLY,
    VISAGE_CODE_OBJECT /* a relocatable ELF file */
} visage_code_form;

typedef struct visage_compile_options {
    size_t struct_size;
    visage_code_form form;
    visage_cpu cpu;   /* may be one that this processor is not; DEFAULT: the device's */
    bool no_comments; /* without the vISA instructions between the lines */
} visage_compile_options;

/* Writes the machine code of kernel `name` (NULL takes the only one), which nothing runs: in
 * the forms that are text each vISA instruction stands in a comment before what was made of it;
 * code that was moved or shared comes where it is executed first. options: may be NULL. write:
 * gets it in one piece.
 *
 * Returns UNRESOLVED as visage_launch_create(); UNSUPPORTED, with a diagnostic, for a kernel
 * that is left to the interpreter and where the library has no JIT; IO when write refused;
 * ARGUMENT, NO_MEMORY. */
VISAGE_API VISAGE_NODISCARD visage_status visage_program_compile(
    visage_program *program, const char *name, const visage_compile_options *options,
    visage_diagnostics *diagnostics, visage_write_fn write, void *user);

/* Prepares a launch of kernel `name`; NULL takes the only kernel there is. Reusable: arguments
 * stay set. keeps: the program. Returns UNRESOLVED with a diagnostic that lists the kernels;
 * INVALID, UNRESOLVED, UNSUPPORTED where this kernel cannot be run, with what is wrong. */
VISAGE_API VISAGE_NODISCARD visage_status visage_launch_create(visage_program *program,
                                                               const char *name,
                                                               visage_diagnostics *diagnostics,
                                                               visage_launch **out);
VISAGE_API void visage_launch_destroy(visage_launch **launch);

/* Index of the launch's kernel in its module. */
VISAGE_API size_t visage_launch_kernel(const visage_launch *launch);

/* Set argument `index` (from 0). Value: copies; `size_bytes` must be the argument's. Buffer:
 * keeps; NULL is the null pointer; `offset_bytes` within it. Local: bytes of shared local
 * memory, 1 or more. Each returns INVALID with a diagnostic for a wrong index, kind or size. */
VISAGE_API VISAGE_NODISCARD visage_status
visage_launch_set_value(visage_launch *launch, size_t index, const void *value,
                        size_t size_bytes, visage_diagnostics *diagnostics);
VISAGE_API VISAGE_NODISCARD visage_status
visage_launch_set_buffer(visage_launch *launch, size_t index, visage_buffer *buffer,
                         size_t offset_bytes, visage_diagnostics *diagnostics);
VISAGE_API VISAGE_NODISCARD visage_status visage_launch_set_local(
    visage_launch *launch, size_t index, size_t size_bytes, visage_diagnostics *diagnostics);

/* An image, for argument `index`, or for a surface input of a plain kernel. keeps: the image's
 * buffer; what the image says is copied. */
VISAGE_API VISAGE_NODISCARD visage_status
visage_launch_set_image(visage_launch *launch, size_t index, const visage_image *image,
                        visage_diagnostics *diagnostics);
/* A sampler, likewise. copies. */
VISAGE_API VISAGE_NODISCARD visage_status
visage_launch_set_sampler(visage_launch *launch, size_t index, const visage_sampler *sampler,
                          visage_diagnostics *diagnostics);

/* Attaches memory that is no argument, for the runs that follow; kept until then.
 *
 * name    "rt0" to "rt7": image that render-target writes with that index go to, instead of the
 *         one bound to their surface; "depth" (texels of 4 bytes), "stencil" (1 byte): images
 * for what else they write; "urb": buffer of URB writes, handle 0 at its start; "counter0" to
 *         "counter251": append counter of the surface with that binding-table index.
 * buffer  NULL detaches.
 * format  of an image, as visage_launch_set_image(); else NULL.
 * size    of an image: width and height, texels; else NULL.
 *
 * Returns INVALID with what is wrong in the diagnostics. */
VISAGE_API VISAGE_NODISCARD visage_status visage_launch_attach(
    visage_launch *launch, const char *name, visage_buffer *buffer, const char *format,
    const uint32_t size[2], visage_diagnostics *diagnostics);

/* Binds what bindless accesses reach by `handle`, for the runs that follow: through T252
 * (%bss), S31, and the bss and ss of LSC messages. Handles of surfaces and of samplers are
 * apart; a kernel is told them in whatever way it likes. Arguments that .ze_info says are
 * bindless need nothing of this; their handles go before. buffer, image: keeps the buffer. NULL
 * unbinds.
 *
 * Returns INVALID for the surface handle 0x40, which names a thread's scratch, for those from
 * 0xf0000000 on, which are the arguments', and as visage_launch_set_buffer(); NO_MEMORY. */
VISAGE_API VISAGE_NODISCARD visage_status
visage_launch_bind_buffer(visage_launch *launch, uint32_t handle, visage_buffer *buffer,
                          size_t offset_bytes, visage_diagnostics *diagnostics);
VISAGE_API VISAGE_NODISCARD visage_status
visage_launch_bind_image(visage_launch *launch, uint32_t handle, const visage_image *image,
                         visage_diagnostics *diagnostics);
VISAGE_API VISAGE_NODISCARD visage_status
visage_launch_bind_sampler(visage_launch *launch, uint32_t handle,
                           const visage_sampler *sampler, visage_diagnostics *diagnostics);

/* Dependency patterns of a media space: a thread starts when those it depends on have ended,
 * with any number of workers. Threads outside the space do not count. */
typedef enum visage_pattern {
    VISAGE_PATTERN_NONE,
    VISAGE_PATTERN_WAVEFRONT45, /* left, upper left, upper */
    VISAGE_PATTERN_WAVEFRONT26, /* left, upper left, upper, upper right */
    VISAGE_PATTERN_VERTICAL,    /* left: columns one after the other */
    VISAGE_PATTERN_HORIZONTAL   /* upper: rows one after the other */
} visage_pattern;

/* Finds a pattern by its name: "none", "wavefront45", "wavefront26", "vertical", "horizontal".
 * False, and *out unchanged, for any other. */
VISAGE_API bool visage_pattern_find(const char *name, visage_pattern *out);

/* Sizes [1] and [2] may be 0 and then count as 1; the kernel sees as many dimensions as the
 * last global size that is not 0.
 *
 * A local size that is left out is what the kernel requires, else each dimension in turn gets
 * the largest divisor of its global size with which the group has at most 256 work-items (or
 * what the device allows, if less); x prefers a divisor that is a multiple of simd_size. */
typedef struct visage_range {
    size_t struct_size;
    /* A kernel with .ze_info, or any kernel with a global size: work-items. */
    uint32_t global[3];
    uint32_t local[3];  /* all 0: chosen; must divide global, but see uneven */
    uint64_t offset[3]; /* global offset */
    /* A plain vISA kernel, or one of the vector backend: groups and threads; all 0: one. */
    uint32_t groups[3];
    uint32_t threads[3];
    /* Media thread space; [0] 0: none. */
    uint32_t space[2];
    visage_pattern pattern; /* of the space */
    bool uneven; /* local need not divide global: the last groups along a dimension have fewer
                    work-items then, as in OpenCL 2.0. Groups of full size run first */
} visage_range;

/* Something undefined that a kernel did, found in check mode: the first time an instruction did
 * it, in the order of groups and threads. Strings are borrowed until the callback returns; NULL
 * where there is nothing to say. */
typedef struct visage_finding {
    const char *code;            /* as in the diagnostic, "X0200" */
    const char *message;         /* the diagnostic's */
    const char *what;            /* kind of access or of use */
    const char *kernel;          /* or function */
    int64_t instruction;         /* number within it, -1: none */
    const char *mnemonic, *text; /* of the instruction; its line of the text */
    const char *file;            /* of the text */
    uint32_t line;               /* in it, 0: none */
    const char *source_file;     /* as FILE and LOC have it */
    uint32_t source_line;        /* 0: none */
    uint32_t group[3], thread;
    uint32_t channels;   /* bit n: channel n of the thread; 0: none in particular */
    uint64_t address;    /* device address, byte of shared memory or of a variable, by code */
    uint32_t size_bytes; /* of the access; alignment wanted */
    int64_t limit;       /* size of what was accessed; number expected */
    const char *name;    /* variable, function or label */
    int32_t argument;    /* whose buffer is nearest to the address, -1: none */
    int64_t offset;      /* of the address in that buffer */
    uint64_t count;      /* how often it was found */
    /* of a data race: the other access */
    const char *other_what;   /* "read", "write", "atomic"; NULL: this is no race */
    const char *other_kernel; /* or function */
    int64_t other_instruction;
    const char *other_mnemonic;
    uint32_t other_line;
    const char *other_source_file;
    uint32_t other_source_line;
    uint32_t other_group[3], other_thread, other_channel;
} visage_finding;

typedef void (*visage_finding_fn)(void *user, const visage_finding *finding);

/* What executes a launch. Both give the same results, but for what docs/precision.md allows. */
typedef enum visage_engine {
    VISAGE_ENGINE_DEFAULT,     /* AUTO where the JIT is built in, else the interpreter */
    VISAGE_ENGINE_INTERPRETER, /* the reference */
    VISAGE_ENGINE_JIT,         /* machine code, where the library was built with LLVM; what it
                                  cannot compile, check mode and seeded schedules are left to
                                  the interpreter */
    VISAGE_ENGINE_AUTO         /* the interpreter first, machine code where that pays: a launch
                                  that is long enough, or repeated often enough, has its kernel
                                  compiled meanwhile; code that is there already is used */
} visage_engine;

/* Was the library built with this engine? */
VISAGE_API bool visage_has_engine(visage_engine engine);

typedef struct visage_run_options {
    size_t struct_size;
    uint32_t timeout_ms;          /* 0: none */
    uint64_t instructions;        /* budget of a thread, at which compiled code looks in loops
                                     and calls; 0: none */
    uint32_t jobs;                /* workers for this launch; 0: the device's */
    bool check;                   /* check mode: finds what is undefined (docs/check.md) */
    uint32_t most_findings;       /* told in diagnostics and to on_finding; 0: 100 */
    visage_finding_fn on_finding; /* gets each finding when the run has ended; NULL: nobody */
    void *finding_user;           /* passed to on_finding */
    uint64_t seed;         /* of another order of groups, threads and their instructions; 0: the
                              default one. With one worker the same seed gives the same schedule. */
    visage_write_fn print; /* gets what the kernel printed with printf, when the run has ended,
                              in whatever way: pieces of some KiB, in the order in which
                              work-items came to print; NULL: it is lost, with a warning */
    void *print_user;      /* passed to print */
    bool no_races;         /* with `check`: data races are not looked for, which else keeps the
                              run on one worker */
    visage_engine engine;
    bool reads_behind; /* what a surface is read of behind its buffer is 0, as on a GPU, as far
                          as the buffer is large, at least 4 KiB, at most 1 MiB; and private
                          memory can be read as far before and behind it where it is a surface,
                          else 4 KiB before the first thread's. Farther, and without this, that
                          is a fault */
} visage_run_options;

typedef struct visage_run_stats {
    uint64_t groups, threads, instructions;
    uint64_t nanoseconds; /* wall time of the run */
    uint32_t local[3];    /* the local size used */
    uint32_t jobs;
    uint64_t findings;            /* of check mode, each instruction and kind once */
    visage_engine engine;         /* JIT where any of the kernel's code was compiled */
    uint32_t compiled;            /* instructions that are machine code */
    uint32_t called;              /* instructions that call the interpreter's functions */
    uint64_t compile_nanoseconds; /* until there was code; it may have been there before */
    bool cached;                  /* the code came from the cache on disk */
    const char *not_compiled;     /* why the JIT left the kernel, or functions that it calls, to
                                     the interpreter; static. NULL: nothing, or was not asked */
    uint32_t functions;           /* that the kernel may call, looked at by the JIT; */
    uint32_t interpreted_functions; /* those of them that it left to the interpreter */
} visage_run_stats;

/* Runs the kernel over the range and waits. Arguments not set are INVALID. Returns FAULT with a
 * diagnostic naming kernel, instruction, group, thread, channel and address (of several faults
 * the one in the lowest group, whatever the number of workers); CANCELLED; INVALID for a range
 * the kernel or the device does not allow; UNSUPPORTED for a payload we cannot supply;
 * NO_MEMORY; IO when print refused. In check mode the run goes on after a finding where it can,
 * and FAULT is returned when there was one. options, stats: may be NULL. */
VISAGE_API VISAGE_NODISCARD visage_status visage_launch_run(visage_launch *launch,
                                                            const visage_range *range,
                                                            const visage_run_options *options,
                                                            visage_diagnostics *diagnostics,
                                                            visage_run_stats *stats);

/* The local size that visage_launch_run() would use for the range, whose own is not set.
 * local: 1 in dimensions that the range does not have. Returns INVALID, ARGUMENT. */
VISAGE_API VISAGE_NODISCARD visage_status
visage_launch_choose_local(visage_launch *launch, const visage_range *range,
                           visage_diagnostics *diagnostics, uint32_t local[3]);

/* Stops a run in progress as soon as its threads notice, from any thread or a signal handler;
 * a launch not running is stopped at its next start. */
VISAGE_API void visage_launch_cancel(visage_launch *launch);

#ifdef __cplusplus
}
#endif

#endif
