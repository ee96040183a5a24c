/* SPDX-License-Identifier: MIT
 *
 * What the files of the code generator share: the unit that is being compiled, its variables as
 * LLVM values, and the ways to read and write operands.
 *
 * A variable is kept by parts: a part is a connected range of its bytes that instructions
 * access, and an LLVM variable of its own, so that LLVM can keep it in registers. Predicates
 * and elements of surface variables are parts, too, behind those of general variables. Bytes
 * that are found by address stay in the frame. */
#ifndef VISAGE_JIT_EMIT_H
#define VISAGE_JIT_EMIT_H

#include "exec/operand.h"
#include "jit/jit.h"
#include "jit/llvm.h"

enum { VSG_JIT_NO_PART = UINT32_MAX };

/* A kind of operand beside the decoder's, in copies of instructions: element `index` of
 * vsg_jit_emitter.found has the elements of a source, or points to those of a destination. */
enum { VSG_JIT_OPERAND_FOUND = 0x40 };

typedef struct vsg_jit_row vsg_jit_row; /* rows.h */
typedef struct vsg_jit_row_plan vsg_jit_row_plan;

typedef struct vsg_jit_part {
    uint32_t at, bytes;     /* as operands have it */
    uint32_t home;          /* byte in the frame (split.c) */
    uint32_t element_bytes; /* of its type, a vector of integers */
    LLVMTypeRef type;
    bool in_frame; /* loaded from there and stored there each time: it has no slot */
    LLVMValueRef slot;
} vsg_jit_part;

/* What is known of an instruction before code is made. */
typedef struct vsg_jit_note {
    bool is_leader;     /* begins a block */
    bool is_resumed;    /* a thread may go on here after it stopped */
    bool is_reached;    /* control flow comes here */
    bool is_divergent;  /* channels of the dispatch may be off */
    bool is_plain;      /* %cr0: known, no ALT */
    uint16_t mode;      /* then: its bits, */
    uint8_t rounding;   /* vsg_exe_rounding */
    bool is_known_mode; /* writes %cr0 what is known */
    bool is_in_loop;    /* between the target of a branch backwards and the branch */
    bool may_spoil;     /* channels that are off need nothing of what it writes */
    bool is_side;       /* of an arm that sides.h is about */
    bool starts_anew;   /* what was in the predicate that it writes has no use from there on, if
                           all its channels are written */
    uint32_t length;    /* leader: instructions of its block */
    /* Places of the first and the last branch or call to it, those by tables too; none: the
     * first is behind the last. */
    uint32_t first_from, last_from;
    uint8_t elements; /* elements.h */
} vsg_jit_note;

/* Is an instruction on integers worth being made again, instead of keeping what it makes? */
typedef enum vsg_jit_weight { VSG_JIT_HEAVY, VSG_JIT_LIGHT } vsg_jit_weight;

/* What is made of groups as a whole. */
typedef enum vsg_jit_group_care {
    VSG_JIT_GROUP_UNROLLS, /* loops with barriers, too */
    VSG_JIT_GROUP_LOOPS,
    VSG_JIT_GROUP_NONE
} vsg_jit_group_care;

/* Where channels that are apart are moved by calls (each_emit.c). */
typedef enum vsg_jit_call_care {
    VSG_JIT_CALLS_RARE,     /* where that is rare, */
    VSG_JIT_CALLS_STRAIGHT, /* and outside of loops, */
    VSG_JIT_CALLS_ALL
} vsg_jit_call_care;

/* How much text may become of a unit. */
typedef struct vsg_jit_care {
    vsg_jit_group_care group;
    vsg_jit_call_care calls;
} vsg_jit_care;

typedef struct vsg_jit_emitter {
    const vsg_base_alloc *alloc;
    vsg_base_arena arena; /* of what lives until the unit is compiled */
    const vsg_exe_program *program;
    const vsg_exe_unit *unit;
    bool no_memory;
    const vsg_jit_request *request;
    uint32_t simd_size;     /* channels of the dispatch, those that are off always left out */
    uint32_t dispatch_mask; /* those that are on at the dispatch, or may be */
    bool starts;            /* vsg_jit_code */
    bool begins_only;       /* vsg_jit_code */
    bool tells_late;        /* which thread has its turn is told where anybody may ask */
    uint32_t mode_at; /* the place that gives %cr0 one number for all threads; NO_PLACE: none */
    LLVMBasicBlockRef front; /* in front of all threads; NULL: code goes on with some, too */
    bool resumes;            /* vsg_jit_code */
    LLVMValueRef turn_id; /* along x, of the group that has its turn; where code only begins */
    LLVMValueRef row_ids[2]; /* along y and z, of the row in hand; NULL: there is one */
    LLVMValueRef reasons;    /* of the batch */
    struct vsg_jit_memories *memories; /* memories.h; NULL: LLVM is told of none */
    bool writes_cr0, writes_addresses;
    bool has_halves;        /* the host computes them */
    bool has_quick_gathers; /* of the host: target.h */
    bool relieves;          /* loops of tests: hoist.h */
    bool is_long;           /* the text: the least effort is made at first */
    bool is_least;          /* the effort that is made now */
    bool keeps;             /* rare calls keep registers (keep.h) */
    bool flushes; /* the host flushes denormals while the unit's code runs (flush.c) */
    uint32_t num_windows;
    uint32_t sums_from;        /* instructions from there on may put additions off (sums.h) */
    const uint8_t *beginnings; /* by part: entry.c; NULL: not asked for yet */
    vsg_jit_note *notes;       /* by instruction */
    bool *varies;              /* by predicate: its channels may differ */
    uint32_t *read_bits;       /* by predicate: those that any instruction looks at */
    uint32_t *returns, num_returns; /* places behind calls of subroutines */
    bool spoils_mode;               /* a function of the program writes %cr0 */
    uint32_t result_bytes;          /* of %retval, that any call takes */

    struct vsg_jit_row *rows;   /* by part (rows.h) */
    struct vsg_jit_side *sides; /* by predicate (sides.h); NULL: nothing is known of any */
    uint8_t *half_roles;        /* vsg_jit_half_role by instruction; NULL: there are no rows */
    vsg_jit_row_plan *loading;  /* of the instruction in hand: vsg_jit_set_loaded() */
    vsg_jit_part *parts;        /* of general variables, then predicates */
    uint32_t num_parts, num_general;
    uint32_t *part_of;   /* by byte of the general variables: a part, or NO_PART */
    uint64_t **live;     /* by instruction that begins a block: bits of parts */
    uint32_t live_words; /* in each */
    /* By instruction that begins a block, NULL for others: bits of the waits at which channels
     * may wait then. NULL: at any. (lanes.c) */
    uint64_t **waiting;
    /* Likewise, of the parts that there were then: those of which any channel, on or waiting,
     * needs what there is when the block begins. NULL: all that are live. */
    uint64_t **wanted;
    uint32_t wanted_general; /* num_general then */
    bool has_ways; /* branches that leave no channel on do not share e->searches (ways.h) */

    bool marks;                   /* tests are to be found again (marks.h) */
    bool traces;                  /* so is where the text begins (trace.h) */
    struct vsg_jit_maker *makers; /* by part (again.c) */
    uint32_t *fixed, num_fixed;   /* parts, each behind those it is made of */
    uint64_t **at_home;           /* by place where threads stop, NULL for others (homes.c) */
    uint64_t *left; /* waits that this code leaves in frames for itself; all are cleared when a
                       thread begins. NULL: any, and they are not (frame.c) */
    struct vsg_jit_group *group;  /* NULL: threads run one by one (group.h) */
    vsg_jit_care care, next_care; /* next_care: where that is too much; else the same */
    uint32_t num_apart;           /* channels that are moved apart here, without a call */
    struct vsg_jit_loop **loops;  /* by the place of their label (loops.h) */
    struct vsg_jit_division **divisions; /* by the place where they begin (divide.h) */
    uint32_t num_piles;                  /* that have begun (pile.h) */
    uint32_t num_own;        /* parts behind num_parts, of one channel in such loops */
    LLVMBasicBlockRef bail;  /* while such a loop is made: instead of handlers, */
    LLVMBasicBlockRef retry; /* where to go when windows have changed; */
    const struct vsg_jit_loop *storing; /* the loop if its stores are put off, else NULL; */
    const struct vsg_jit_loop *parting; /* if it stores to scratch (loops_scratch.h) */
    uint64_t **again; /* by instruction behind a barrier: bits of parts that are not kept */

    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef b;
    LLVMValueRef function;
    LLVMTypeRef i1, i8, i16, i32, i64, pointer;
    LLVMValueRef batch, thread, registers, shared, waits_at; /* pointers */
    LLVMValueRef common_payload, thread_payload;             /* of the thread */
    LLVMValueRef number;                                     /* of the thread in its group */
    LLVMValueRef launch, own_group, slm, slm_bytes;          /* slm_bytes: i64 */
    LLVMValueRef mask, call_mask, count, budget;             /* slots */
    LLVMValueRef *waits;                                     /* slots */
    LLVMBasicBlockRef *blocks;   /* by instruction; NULL where none begins */
    LLVMBasicBlockRef *searches; /* by wait, and one more: look for waiting channels from it on;
                                    with ways, the last alone */
    LLVMValueRef reason;         /* slot: why the thread stops */
    LLVMValueRef work;           /* on the stack (vsg_jit_work()); NULL: not there yet */
    LLVMBasicBlockRef stop;      /* the way out */
    bool in_frame;       /* all parts are (slots.c), and nothing is known of what is live */
    bool waits_in_frame; /* wait masks likewise */
    uint32_t place;      /* the instruction in hand */
    LLVMValueRef found[1 + VSG_EXE_MAX_SOURCES]; /* of VSG_JIT_OPERAND_FOUND */
    vsg_jit_stats stats;
    visage_cpu level;       /* the processor that code is made for */
    bool has_byte_products; /* it has AVX-512's VNNI */
    bool has_byte_permutes; /* and its VBMI */
    vsg_jit_lines lines;    /* lines.c */
    LLVMDIBuilderRef debug; /* NULL: no lines */
    LLVMMetadataRef scope;
} vsg_jit_emitter;

/* ---- what is known before (accesses.c, flow.c, parts.c) ---------------------------------- */

/* One access of an instruction: `bytes` of the general variables at byte `at` of the frame, or
 * (bytes 0) predicate `at`, or, counted behind the predicates, an element of the surfaces. */
typedef struct vsg_jit_access {
    uint32_t at, bytes;
    uint32_t element_bytes; /* 0: any */
    uint32_t stride_bytes;  /* between the elements of channels; 0: not one for each */
    bool is_read, is_written;
    bool is_merge; /* read for what is not written alone */
    bool is_whole; /* written: every byte, whatever the masks */
    bool is_all;   /* written: every element, whatever the masks; not bytes between them */
} vsg_jit_access;

typedef void (*vsg_jit_access_fn)(void *user, const vsg_jit_access *access);

/* Tells all that an instruction reads and writes, at least. */
void vsg_jit_accesses(const vsg_jit_emitter *e, uint32_t place, vsg_jit_access_fn fn,
                      void *user);

/* Calls fn for each part that an access touches. covers: it has every byte of the part, and
 * writes them whatever the masks. */
typedef void (*vsg_jit_part_fn)(void *user, const vsg_jit_access *access, uint32_t part,
                                bool covers);
void vsg_jit_each_part(const vsg_jit_emitter *e, const vsg_jit_access *access,
                       vsg_jit_part_fn fn, void *user);
/* The same for each access of an instruction. */
void vsg_jit_parts_at(const vsg_jit_emitter *e, uint32_t place, vsg_jit_part_fn fn, void *user);

/* Do an instruction's operands have elements that their regions do not tell? */
bool vsg_jit_has_own_shape(const vsg_exe_inst *inst);
/* Is it a message that loads, stores, or is an atomic? */
bool vsg_jit_is_transfer(const vsg_exe_inst *inst);
bool vsg_jit_is_atomic(const vsg_exe_inst *inst);

/* Where a request knows the channels, leaves those that are off out of the unit's text, as far
 * as execution sizes can. False: memory is out. (narrow.c) */
bool vsg_jit_leave_out(vsg_jit_emitter *e);

/* May channels of the dispatch be off from the beginning of a thread on? */
static inline bool vsg_jit_is_ragged(const vsg_jit_emitter *e)
{
    return e->request->is_partial || e->dispatch_mask != vsg_exe_first(e->simd_size);
}

/* The channels of an instruction that may be on, the first one as bit 0. */
static inline uint32_t vsg_jit_possible(const vsg_jit_emitter *e, const vsg_exe_inst *inst)
{
    uint32_t all = vsg_exe_first(inst->exec_size);

    return inst->no_mask ? all : e->dispatch_mask >> inst->mask_offset & all;
}

/* Parts of one channel, in a unit (loops.h). */
enum { VSG_JIT_MOST_LANES = 1024 };

/* Of an instruction; with more the unit is not compiled. */
enum { VSG_JIT_MOST_NEXT = 1024 };

/* Fills `notes`. False: the unit has what cannot be compiled, or memory is out. */
bool vsg_jit_survey(vsg_jit_emitter *e);
/* Does a branch or call from elsewhere lead to one of the places from `first` to `last`? */
bool vsg_jit_is_entered(const vsg_jit_emitter *e, uint32_t first, uint32_t last);
/* Places behind calls of subroutines. False: memory is out. */
bool vsg_jit_find_returns(vsg_jit_emitter *e);
/* Fills what notes say of %cr0, and where control comes at all. False: an instruction has too
 * many successors, or memory is out. (modes.c) */
bool vsg_jit_find_modes(vsg_jit_emitter *e);
/* Of an instruction behind which it is known what is in %cr0: the number that it puts there, or
 * changes it by. */
uint32_t vsg_jit_mode_number(const vsg_exe_inst *inst);
/* The places an instruction may be followed by, at most `most`; their number, or more than
 * `most`. */
uint32_t vsg_jit_successors(const vsg_jit_emitter *e, uint32_t place, uint32_t *out,
                            uint32_t most);

/* Does it call functions or subroutines? */
bool vsg_jit_has_calls(const vsg_exe_unit *unit);
/* Do threads wait for each other at it, to go on behind it or to execute it again? */
bool vsg_jit_is_meeting(const vsg_exe_inst *inst);

/* The bits of a predicate that an instruction of a channel each has. */
static inline uint32_t vsg_jit_bits_of(const vsg_exe_inst *inst)
{
    return vsg_exe_first(inst->exec_size) << inst->mask_offset;
}

/* The channels that a branch concerns: of a scalar one, all. */
static inline uint32_t vsg_jit_range(const vsg_exe_inst *inst)
{
    return inst->exec_size == 1 ? UINT32_MAX : vsg_jit_bits_of(inst);
}

/* Does its predicate leave out channels of what it writes? */
bool vsg_jit_is_masked(const vsg_exe_inst *inst);

/* Do all channels that are on take the branch or none, where all of the dispatch are on? */
bool vsg_jit_is_uniform(const vsg_jit_emitter *e, const vsg_exe_inst *inst);
/* May some of the dispatch's channels take the branch at a place and others not? */
bool vsg_jit_diverges(const vsg_jit_emitter *e, uint32_t place);

/* The bytes of the variable whose address an operand takes, in the frame. False: it takes none.
 */
bool vsg_jit_addressed(const vsg_jit_emitter *e, const vsg_obj_operand *operand, uint32_t *at,
                       uint32_t *end);
/* Finds the parts, and which of them are live where blocks begin. False: memory is out. */
bool vsg_jit_find_parts(vsg_jit_emitter *e);
bool vsg_jit_find_live(vsg_jit_emitter *e);

/* Fills e->flushes. (flush.c) */
void vsg_jit_choose_mode(vsg_jit_emitter *e);

/* Gives values of a part that are replaced as a whole parts of their own. False: memory is out.
 * (split.c) */
bool vsg_jit_split_parts(vsg_jit_emitter *e);

/* Finds what is live, and which parts stay in the frame so that compile time does not get out
 * of hand (slots.c). False: memory is out. */
bool vsg_jit_choose_slots(vsg_jit_emitter *e);

/* Finds which instructions may write channels that are off (lanes.c). False: memory is out. */
bool vsg_jit_find_lanes(vsg_jit_emitter *e);

/* Fills e->stats.clears; CLEAR_ALL, too, where all parts are in the frame. (clears.c) */
void vsg_jit_find_clears(vsg_jit_emitter *e);
/* Does it write to what it finds by address? */
bool vsg_jit_writes_by_address(const vsg_exe_inst *inst);

/* May threads begin in compiled code? Fills e->starts, begins_only, tells_late, mode_at,
 * writes_cr0 and writes_addresses, behind vsg_jit_find_clears(). (entry.c) */
void vsg_jit_find_start(vsg_jit_emitter *e);

/* Finds what is made again behind barriers (again.c). False: memory is out. */
bool vsg_jit_find_again(vsg_jit_emitter *e);
/* Is a part made again where a thread goes on at `place`, not kept in the frame? */
bool vsg_jit_is_again(const vsg_jit_emitter *e, uint32_t place, uint32_t part);
/* Finds the parts that a thread need not store where it stops: at barriers, and where it jumps
 * back. False: memory is out. (homes.c) */
bool vsg_jit_find_homes(vsg_jit_emitter *e);
/* Makes all of those. */
void vsg_jit_make_again(vsg_jit_emitter *e, uint32_t place);

/* The part of an element of the surface variables. */
vsg_jit_part *vsg_jit_surface_part(vsg_jit_emitter *e, uint32_t element);

/* ---- values (value.c) -------------------------------------------------------------------- */

/* An integer type of `bits`, or `count` of them if that is not 1. */
LLVMTypeRef vsg_jit_int(const vsg_jit_emitter *e, uint32_t bits, uint32_t count);
/* F, DF or HF, or a vector of `count` of them. */
LLVMTypeRef vsg_jit_float(const vsg_jit_emitter *e, visage_type type, uint32_t count);
LLVMValueRef vsg_jit_i32(const vsg_jit_emitter *e, uint32_t value);
LLVMValueRef vsg_jit_i64(const vsg_jit_emitter *e, uint64_t value);
/* `count` times the scalar, or the scalar itself if that is 1. */
LLVMValueRef vsg_jit_splat(vsg_jit_emitter *e, LLVMValueRef scalar, uint32_t count);
/* Where the module has a constant of a name, which gets `value` when it is first asked for. */
LLVMValueRef vsg_jit_stored(vsg_jit_emitter *e, const char *name, LLVMValueRef value);
/* 16 bytes of zeros, which channels that are off load from. */
LLVMValueRef vsg_jit_zeros(vsg_jit_emitter *e);
/* Says of a branch on a condition that it mostly holds. */
void vsg_jit_likely(vsg_jit_emitter *e, LLVMValueRef branch);
/* The same of a branch that chooses between two ways of which either may be right, and one
 * mostly is: no check of an access. */
void vsg_jit_mostly(vsg_jit_emitter *e, LLVMValueRef branch);
/* Tells LLVM what to do with the loop that a branch closes, if it can count its rounds. */
void vsg_jit_advise(vsg_jit_emitter *e, LLVMValueRef branch, const char *advice);
/* An intrinsic that is overloaded by these types, or by one. */
LLVMValueRef vsg_jit_overloaded(vsg_jit_emitter *e, const char *name, LLVMTypeRef *types,
                                size_t num_types, LLVMValueRef *args, uint32_t num_args);
LLVMValueRef vsg_jit_intrinsic(vsg_jit_emitter *e, const char *name, LLVMTypeRef type,
                               LLVMValueRef *args, uint32_t num_args);
/* All lanes of a vector in one, by one of LLVM's intrinsics. */
LLVMValueRef vsg_jit_reduce(vsg_jit_emitter *e, const char *name, LLVMValueRef lanes);
/* Is it a call of that? */
bool vsg_jit_is_intrinsic(LLVMValueRef v, const char *name);
/* Every instruction of LLVM's in the module; `visit` may put others before it, or at once
 * behind it, and take it away. */
void vsg_jit_each_instruction(vsg_jit_emitter *e,
                              void (*visit)(vsg_jit_emitter *e, LLVMValueRef v));
/* Works on numbers in vsg_jit_work() and nothing else (exec/rounded.h). */
#define VSG_JIT_ROUNDED "vsg_exe_operate_rounded"
/* Has a call nothing to do with memory that others look at? */
bool vsg_jit_is_pure(LLVMValueRef call);
/* Gives a function one of LLVM's own attributes; value: 0 where it has none. */
void vsg_jit_attribute(vsg_jit_emitter *e, LLVMValueRef function, const char *name,
                       uint64_t value);
/* A pointer `bytes` behind another one. */
LLVMValueRef vsg_jit_at(vsg_jit_emitter *e, LLVMValueRef base, uint64_t bytes);
LLVMValueRef vsg_jit_load(vsg_jit_emitter *e, LLVMTypeRef type, LLVMValueRef at,
                          uint32_t align);
/* Those lanes of a vector that are on, a vector of bits, else zeros. lanes: NULL: all. */
LLVMValueRef vsg_jit_load_lanes(vsg_jit_emitter *e, LLVMTypeRef type, LLVMValueRef at,
                                LLVMValueRef lanes);
/* Those of `count` lanes, 64 at most, that have one of what is left: i64, less than 2^33. */
LLVMValueRef vsg_jit_lanes_left(vsg_jit_emitter *e, LLVMValueRef left, uint32_t count);
/* A number of `bits` from each place of a vector of pointers, loaded one by one: hosts' gathers
 * take half as long again. */
LLVMValueRef vsg_jit_load_each(vsg_jit_emitter *e, uint32_t bits, LLVMValueRef places);
/* Says of a load that what it reads does not change while the function runs. */
LLVMValueRef vsg_jit_invariant(vsg_jit_emitter *e, LLVMValueRef load);
bool vsg_jit_is_invariant(const vsg_jit_emitter *e, LLVMValueRef v);
/* Is a load or store neither atomic nor volatile? */
bool vsg_jit_is_plain_access(LLVMValueRef v);
/* Declares a function that stands for something until LLVM's passes are done, and is called
 * for nothing but its result. memory: LLVM's number for what it touches. */
LLVMValueRef vsg_jit_declare_placeholder(vsg_jit_emitter *e, const char *name,
                                         LLVMTypeRef signature, uint64_t memory);
/* Says of the load of a pointer that there are bytes to be read behind it. */
LLVMValueRef vsg_jit_readable(vsg_jit_emitter *e, LLVMValueRef load, uint64_t bytes,
                              uint32_t align);
void vsg_jit_store(vsg_jit_emitter *e, LLVMValueRef value, LLVMValueRef at, uint32_t align);

/* The bits of `count` elements of an operand, without modifiers: integers of the element's
 * size. NULL: an operand that compiled code does not read. */
LLVMValueRef vsg_jit_read(vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count);
/* The same of elements that lie in memory, element 0 at `at`, however they are found. */
LLVMValueRef vsg_jit_read_at(vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count,
                             LLVMValueRef at);
/* A raw operand as a region of elements of `element_bytes`, `skip_bytes` behind its start. */
vsg_exe_operand vsg_jit_raw(const vsg_exe_operand *operand, uint32_t skip_bytes,
                            uint32_t element_bytes);
/* Can an operand be written by the next? */
bool vsg_jit_can_write(const vsg_exe_operand *operand);
/* Writes elements to the channels of `channels`, a number with a bit for each; NULL: all. */
void vsg_jit_write(vsg_jit_emitter *e, const vsg_exe_operand *operand, uint32_t count,
                   LLVMValueRef value, LLVMValueRef channels);

/* Channels that an instruction writes, or that its predicate or the execution mask alone has;
 * NULL: all of them. */
LLVMValueRef vsg_jit_channels(vsg_jit_emitter *e, const vsg_exe_inst *inst);
LLVMValueRef vsg_jit_predicate(vsg_jit_emitter *e, const vsg_exe_inst *inst);
/* As vsg_jit_channels() and vsg_jit_enabled(), for writing variables: channels that are off may
 * be among them where nothing is lost. */
LLVMValueRef vsg_jit_written(vsg_jit_emitter *e, const vsg_exe_inst *inst);
LLVMValueRef vsg_jit_overwritten(vsg_jit_emitter *e, const vsg_exe_inst *inst);
LLVMValueRef vsg_jit_enabled(vsg_jit_emitter *e, const vsg_exe_inst *inst);
/* Bits of a number as a vector of i1; NULL stays NULL. */
LLVMValueRef vsg_jit_lanes(vsg_jit_emitter *e, LLVMValueRef bits, uint32_t count);
/* The other way round. */
LLVMValueRef vsg_jit_bits(vsg_jit_emitter *e, LLVMValueRef lanes, uint32_t count);
/* A predicate's bits from the instruction's mask offset on; writing them for `channels`. */
LLVMValueRef vsg_jit_read_predicate(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                                    const vsg_exe_operand *operand);
void vsg_jit_write_predicate(vsg_jit_emitter *e, const vsg_exe_inst *inst,
                             const vsg_exe_operand *operand, LLVMValueRef bits,
                             LLVMValueRef channels);

/* Where a part is, and how it is aligned there; where the wait mask `index` is. (frame.c) */
LLVMValueRef vsg_jit_slot(vsg_jit_emitter *e, const vsg_jit_part *part);
uint32_t vsg_jit_slot_align(const vsg_jit_part *part);
LLVMValueRef vsg_jit_wait_slot(vsg_jit_emitter *e, uint32_t index);

/* ---- instructions ------------------------------------------------------------------------ */

/* Makes code for an operation (lower.def). False: nothing was made, its handler is to be
 * called. */
typedef bool (*vsg_jit_lower)(vsg_jit_emitter *e, const vsg_exe_inst *inst);

#define LOWER(op, lower, weight)                                                               \
    bool vsg_jit_lower_##lower(vsg_jit_emitter *e, const vsg_exe_inst *inst);
#include "jit/lower.def"
#undef LOWER

/* The same of an instruction with operands that are found through addresses. False: it has
 * none, or its handler is to be called. */
bool vsg_jit_lower_addressed(vsg_jit_emitter *e, const vsg_exe_inst *inst, vsg_jit_lower lower);
/* Calls the handler of the instruction in hand, with what it accesses in the frame. */
void vsg_jit_call_handler(vsg_jit_emitter *e);
/* The same where a test has failed that mostly holds (vsg_jit_call_rarely()). */
void vsg_jit_call_handler_rarely(vsg_jit_emitter *e);
/* Control flow; false: it is none. */
bool vsg_jit_flow(vsg_jit_emitter *e, const vsg_exe_inst *inst);
/* Does the search for waiting channels never go on behind a wait? (slots.c) */
bool vsg_jit_ends_search(const vsg_jit_emitter *e, uint32_t wait);
/* Fills e->searches[wait]: on where channels wait for it, else `behind`. */
void vsg_jit_emit_search(vsg_jit_emitter *e, uint32_t wait, LLVMBasicBlockRef behind);
/* Fills the search behind all others: no channel is left to go on with. */
void vsg_jit_emit_lost(vsg_jit_emitter *e);

/* A new block behind the current one; the builder is not moved. */
LLVMBasicBlockRef vsg_jit_block(vsg_jit_emitter *e);
void vsg_jit_go_on(vsg_jit_emitter *e, LLVMBasicBlockRef block);
/* Has the current block its branch? */
bool vsg_jit_is_ended(const vsg_jit_emitter *e);

/* What makes code for an instruction; NULL: its handler is called, or it is control flow. */
vsg_jit_lower vsg_jit_lower_of(const vsg_exe_inst *inst);
/* The predicate of a branch that all channels take or none; NULL: they take it. */
LLVMValueRef vsg_jit_condition(vsg_jit_emitter *e, const vsg_exe_inst *inst);

/* Is there nothing to be done for an instruction? */
bool vsg_jit_does_nothing(const vsg_exe_inst *inst);
/* Makes code for a copy of the instruction in hand, with other operands. */
void vsg_jit_emit_copy(vsg_jit_emitter *e, const vsg_exe_inst *inst);
/* Makes code for an instruction. */
void vsg_jit_emit_instruction(vsg_jit_emitter *e, uint32_t place);
/* Gives a general part, or a surface, what a new thread has there. (entry.c) */
void vsg_jit_begin_part(vsg_jit_emitter *e, uint32_t part);

/* Makes slots for parts, masks and the like, in the block in hand. False: memory is out. */
bool vsg_jit_make_slots(vsg_jit_emitter *e);
/* Makes the loop over the threads of a batch around the blocks of the text. */
void vsg_jit_emit_loop(vsg_jit_emitter *e, LLVMBasicBlockRef entry);
/* Makes the function `name`, which sets the host to flush denormals and calls e->function.
 * (flush.c) */
void vsg_jit_emit_around(vsg_jit_emitter *e, const char *name);
/* Makes the function of the unit; its name is that, with VSG_JIT_OF_GROUPS if it runs groups.
 * False: memory is out. */
bool vsg_jit_emit(vsg_jit_emitter *e, const char *unit);

#endif
