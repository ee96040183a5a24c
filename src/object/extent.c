/* SPDX-License-Identifier: MIT */
#include "object/extent.h"

#include <stdlib.h>
#include <string.h>

#include "isa/dpas.h"
#include "isa/lsc.h"
#include "isa/message.h"

enum { DWORD_BYTES = 4, QWORD_BYTES = 8, OWORD_BYTES = 16, RGBA = 4 };

/* What a kind of row computes from; 0 bytes: not known. */
typedef struct access {
    const vsg_obj_unit *unit;
    const vsg_obj_inst *inst;
    const vsg_obj_operand *operand;
    uint32_t number; /* of the operand */
    const char *by;  /* of the row */
    uint32_t channels;
    uint32_t grf_bytes;
} access;

typedef uint64_t (*extent_kind)(const access *a);

/* ---- parts ------------------------------------------------------------------------------- */

static uint64_t number_of(const vsg_obj_inst *inst, const char *name)
{
    int number = vsg_isa_operand(inst->op, name);

    if (number < 0 || (uint32_t)number >= inst->num_operands ||
        inst->operands[number].class_ != VSG_OBJ_CLASS_NUMBER)
        return 0;
    return inst->operands[number].value;
}

static uint64_t count_of(const access *a)
{
    return number_of(a->inst, a->by);
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static uint32_t power_of_two(uint64_t value)
{
    uint32_t power = 1;

    while (power < value && power < UINT32_MAX / 2)
        power *= 2;
    return power;
}

static uint32_t count_bits(uint32_t bits)
{
    uint32_t count = 0;

    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* `rows` elements of each channel, each row in GRFs of its own, to the end of the last. */
static uint64_t row_bytes(const access *a, uint64_t rows, uint64_t channels, uint64_t bytes)
{
    if (rows == 0)
        return 0;
    return (rows - 1) * round_up(channels * bytes, a->grf_bytes) + channels * bytes;
}

/* Bytes of an element of a general or raw operand's variable. */
static uint32_t type_bytes(const access *a)
{
    vsg_obj_variable_facts facts;

    if ((a->operand->class_ != VSG_OBJ_CLASS_RAW &&
         a->operand->class_ != VSG_OBJ_CLASS_GENERAL) ||
        !vsg_obj_variable_get(a->unit, a->operand->id, &facts))
        return 0;
    return vsg_isa_type(facts.type)->bytes;
}

/* ---- data ports -------------------------------------------------------------------------- */

static uint64_t bytes_DWORDS(const access *a)
{
    return (uint64_t)a->channels * DWORD_BYTES;
}

static uint64_t bytes_QWORDS(const access *a)
{
    return (uint64_t)a->channels * QWORD_BYTES;
}

static uint64_t bytes_EIGHT_DWORDS(const access *a)
{
    enum { VERTICES = 8 };

    (void)a;
    return VERTICES * DWORD_BYTES;
}

static uint64_t bytes_GRFS(const access *a)
{
    return count_of(a) * a->grf_bytes;
}

static uint64_t bytes_BYTES(const access *a)
{
    bool is_number = a->by[0] >= '0' && a->by[0] <= '9';

    return is_number ? strtoull(a->by, NULL, 10) : count_of(a);
}

static uint64_t bytes_OWORDS(const access *a)
{
    enum { CODE_BITS = 7, LAST_CODE = 4 };
    uint64_t code = count_of(a) & CODE_BITS;

    return code > LAST_CODE ? 0 : (uint64_t)OWORD_BYTES << code;
}

static uint64_t bytes_ELEMENTS(const access *a)
{
    return (uint64_t)vsg_isa_gather_elements(count_of(a)) * DWORD_BYTES;
}

/* Blocks of one byte share dwords or, eight of them, qwords. */
static uint64_t bytes_BLOCKS(const access *a)
{
    uint64_t bytes = vsg_isa_svm_block_bytes(number_of(a->inst, "block_size"));
    uint64_t count = 1u << (number_of(a->inst, "num_blocks") & 3);

    if (bytes > 1)
        return count * a->channels * bytes;
    return a->channels * (count < DWORD_BYTES ? DWORD_BYTES : count);
}

static uint64_t bytes_QWORD_BLOCKS(const access *a)
{
    return ((uint64_t)QWORD_BYTES << (count_of(a) & 3)) * a->channels;
}

/* MEDIA_LD, Notes: the register pitch of a row is a power of two. */
static uint64_t bytes_MEDIA(const access *a)
{
    uint64_t width = number_of(a->inst, "block_width");

    return number_of(a->inst, "block_height") *
           power_of_two(width < DWORD_BYTES ? DWORD_BYTES : width);
}

static uint64_t bytes_CHANNELS(const access *a)
{
    return row_bytes(a, count_bits(count_of(a) & 0xf), a->channels, DWORD_BYTES);
}

/* Elements of 16 bits have 32 in registers. */
static uint64_t bytes_ATOMIC(const access *a)
{
    enum { WIDE_BIT = 0x40 };

    return a->channels * (uint64_t)(count_of(a) & WIDE_BIT ? QWORD_BYTES : DWORD_BYTES);
}

/* ---- LSC --------------------------------------------------------------------------------- */

static uint64_t bytes_LSC_ADDRESS(const access *a)
{
    uint64_t code = count_of(a);

    return code >= VSG_ISA_LSC_A16 && code <= VSG_ISA_LSC_A64 ? 1u << code : 0;
}

static uint64_t bytes_LSC_ADDRESSES(const access *a)
{
    return a->channels * bytes_LSC_ADDRESS(a);
}

static uint64_t bytes_LSC_ELEMENTS(const access *a)
{
    const vsg_isa_lsc_data_size *size =
        vsg_isa_lsc_data_size_of(number_of(a->inst, "data_size"));

    return size ? (uint64_t)a->channels * size->register_bytes : 0;
}

static uint64_t bytes_LSC_DATA(const access *a)
{
    const vsg_isa_lsc_data_size *size =
        vsg_isa_lsc_data_size_of(number_of(a->inst, "data_size"));
    bool is_quad = (vsg_isa_op(a->inst->op)->flags & VSG_ISA_QUAD) != 0;
    uint32_t count = is_quad ? count_bits(number_of(a->inst, "channels") & 0xf)
                             : vsg_isa_lsc_vector(number_of(a->inst, "num_elements"));

    if (!size)
        return 0;
    if (number_of(a->inst, "data_order") == VSG_ISA_LSC_TRANSPOSED)
        return (uint64_t)a->channels * count * size->register_bytes;
    return row_bytes(a, count, a->channels, size->register_bytes);
}

void vsg_obj_block_place(vsg_obj_block *block, uint32_t grf_bytes)
{
    uint32_t row = block->transposed ? block->height : block->width;
    uint32_t rows = block->transposed ? block->width : block->height;
    uint32_t group = block->vnni && block->element_bytes < DWORD_BYTES
                         ? DWORD_BYTES / block->element_bytes
                         : 1;

    block->row_elements = power_of_two(row & UINT16_MAX);
    block->block_elements = (uint32_t)round_up(
        (uint64_t)block->row_elements * (uint32_t)round_up(rows & UINT16_MAX, group) &
            UINT32_MAX,
        grf_bytes / block->element_bytes);
}

bool vsg_obj_block_of(const vsg_obj_inst *inst, uint32_t grf_bytes, vsg_obj_block *out)
{
    const vsg_isa_lsc_data_size *size = vsg_isa_lsc_data_size_of(number_of(inst, "data_size"));

    *out = (vsg_obj_block){
        .num_blocks = (uint32_t)number_of(inst, "num_blocks"),
        .width = (uint32_t)number_of(inst, "block_width"),
        .height = (uint32_t)number_of(inst, "block_height"),
        .transposed = number_of(inst, "data_order") == VSG_ISA_LSC_TRANSPOSED,
        .vnni = number_of(inst, "vnni") != 0,
    };
    if (!size)
        return false;
    out->element_bytes = size->memory_bytes;
    vsg_obj_block_place(out, grf_bytes);
    return true;
}

static uint64_t bytes_LSC_BLOCK(const access *a)
{
    vsg_obj_block block;

    if (!vsg_obj_block_of(a->inst, a->grf_bytes, &block))
        return 0;
    return (uint64_t)(block.num_blocks & UINT8_MAX) * block.block_elements *
           block.element_bytes;
}

static uint64_t bytes_STATUS(const access *a)
{
    (void)a;
    return DWORD_BYTES;
}

/* ---- sampler ----------------------------------------------------------------------------- */

/* Where pages of memory may be missing a register with a bit a channel follows. */
static uint64_t result_bytes(const access *a, uint32_t mask, uint32_t channels)
{
    enum { FLAG_NULL_MASK = 1 << 8 };
    uint64_t count = count_bits(mask & 0xf), bytes = type_bytes(a);
    vsg_isa_form form = vsg_isa_op(a->inst->op)->form;
    bool has_flags = form == VSG_ISA_FORM_SAMPLE_3D || form == VSG_ISA_FORM_LOAD_3D;

    if (has_flags && a->inst->sub_flags & FLAG_NULL_MASK)
        return count * round_up(channels * bytes, a->grf_bytes) + a->grf_bytes;
    return row_bytes(a, count, channels, bytes);
}

/* Gathers of four texels have the number of a component in place of a mask. */
static uint64_t bytes_RESULTS(const access *a)
{
    bool gathers = vsg_isa_op(a->inst->op)->suffix == VSG_ISA_SUFFIX_SAMPLE4;

    return result_bytes(a, gathers ? 0xf : (uint32_t)count_of(a), a->channels);
}

static uint64_t bytes_PARAMETER(const access *a)
{
    return (uint64_t)a->channels * type_bytes(a);
}

/* Bits 4 and 5 of the mode. */
static uint32_t old_channels(const access *a)
{
    return 8u << (count_of(a) >> 4 & 3);
}

static uint64_t bytes_OLD_RESULTS(const access *a)
{
    return result_bytes(a, (uint32_t)count_of(a), old_channels(a));
}

static uint64_t bytes_OLD_PARAMETER(const access *a)
{
    return (uint64_t)old_channels(a) * type_bytes(a);
}

/* Bit 5: bytes, not words (SAMPLE_UNORM, Channel_mask). */
static uint64_t bytes_UNORM(const access *a)
{
    enum { PIXELS = 32, BYTES_BIT = 0x20 };
    uint64_t coded = count_of(a);

    return PIXELS * (uint64_t)count_bits(coded & 0xf) * (coded & BYTES_BIT ? 1 : 2);
}

/* ---- video ------------------------------------------------------------------------------- */

/* VME_IME, IMEInput and Output: a stream has records of its own, and more of them where the
 * search is of two references. */
static uint64_t motion_bytes(const access *a, uint64_t bytes)
{
    enum { RECORD_BYTES = 64, DUAL_REFERENCE = 3 };

    if (number_of(a->inst, "stream_mode") == 0)
        return bytes;
    bool is_dual = number_of(a->inst, "search_control") == DUAL_REFERENCE;
    return bytes + (is_dual ? 2 * RECORD_BYTES : RECORD_BYTES);
}

static uint64_t bytes_MOTION_INPUT(const access *a)
{
    enum { LEAST = 64 };

    return motion_bytes(a, LEAST);
}

static uint64_t bytes_MOTION_OUTPUT(const access *a)
{
    enum { LEAST = 224 };

    return motion_bytes(a, LEAST);
}

/* AVS, Dst: channels follow each other without a gap; half of R and B is left out where
 * chrominance is downsampled. */
static uint64_t bytes_AVS(const access *a)
{
    enum { LAST_MODE = 3, BYTE_BIT = 2, HALF_BIT = 1, LUMINANCE = 0xa, CHROMINANCE = 0x5 };
    static const uint32_t pixels[] = {64, 32, 128, 16};
    uint64_t mode = number_of(a->inst, "exec_mode"), control = number_of(a->inst, "control");
    uint32_t mask = (uint32_t)count_of(a);

    if (mode > LAST_MODE || control > LAST_MODE)
        return 0;
    /* In halves of a channel. */
    uint64_t halves = 2u * (uint64_t)count_bits(mask & LUMINANCE) +
                      (control & HALF_BIT ? 1u : 2u) * (uint64_t)count_bits(mask & CHROMINANCE);
    return halves * (pixels[mode] / 2) * (control & BYTE_BIT ? 1 : 2);
}

/* ---- render targets ---------------------------------------------------------------------- */

static uint64_t bytes_PIXEL_HEADER(const access *a)
{
    enum { HEADER_BYTES = 2 * 32 };

    (void)a;
    return HEADER_BYTES;
}

/* Which of the parameters that the mode asks for this operand is. */
static uint64_t bytes_PIXELS(const access *a)
{
    const vsg_isa_rt_parameter *parameter;
    uint64_t mode = count_of(a);
    int first = vsg_isa_operand(a->inst->op, "parameters");
    uint32_t place = a->number - (uint32_t)first;

    for (uint32_t i = 0; (parameter = vsg_isa_rt_parameter_of(i)); i++) {
        if (parameter->bit >= 0 && !(mode >> parameter->bit & 1))
            continue;
        if (place-- == 0)
            return (uint64_t)a->channels *
                   (parameter->bytes ? parameter->bytes : type_bytes(a));
    }
    return 0;
}

static uint64_t bytes_VERTICES(const access *a)
{
    return row_bytes(a, count_of(a), a->channels, DWORD_BYTES);
}

/* ---- dpas -------------------------------------------------------------------------------- */

static vsg_isa_dpas dpas_of(const access *a)
{
    return vsg_isa_dpas_unpack((uint32_t)count_of(a));
}

static uint64_t bytes_ACCUMULATOR(const access *a)
{
    return (uint64_t)a->channels * dpas_of(a).count * type_bytes(a);
}

static uint64_t bytes_WEIGHTS(const access *a)
{
    vsg_isa_dpas dpas = dpas_of(a);

    return (uint64_t)a->channels * vsg_isa_dpas_weight_bytes(&dpas);
}

/* Of DPASW each of two threads has half of them. */
static uint64_t bytes_ACTIVATIONS(const access *a)
{
    vsg_isa_dpas dpas = dpas_of(a);

    return a->inst->op == VISAGE_OP_DPASW ? vsg_isa_dpas_shared_bytes(&dpas)
                                          : vsg_isa_dpas_activation_bytes(&dpas);
}

/* ---- vector operands --------------------------------------------------------------------- */

static uint64_t bytes_REGION(const access *a)
{
    const vsg_obj_operand *operand = a->operand;
    uint64_t width = operand->width ? operand->width : a->channels; /* destinations have none */
    uint64_t rows = (a->channels + width - 1) / width;
    uint64_t in_row = a->channels < width ? a->channels : width;

    return ((rows - 1) * operand->v_stride + (in_row - 1) * operand->h_stride + 1) *
           type_bytes(a);
}

static uint64_t bytes_FOUR(const access *a)
{
    return RGBA * (uint64_t)type_bytes(a);
}

static uint64_t bytes_PAIRS(const access *a)
{
    return 2u * (uint64_t)a->channels * type_bytes(a);
}

static uint64_t bytes_ROW(const access *a)
{
    const vsg_obj_operand *operand = a->operand;
    bool is_scalar = operand->width == 1 && operand->v_stride == 0;

    return (is_scalar ? 1 : (uint64_t)a->channels) * type_bytes(a);
}

/* The low halves fill whole registers, the high halves follow with the same stride. */
static uint64_t bytes_HALVES(const access *a)
{
    return round_up((uint64_t)a->channels * DWORD_BYTES, a->grf_bytes) + bytes_REGION(a);
}

/* ---- the table --------------------------------------------------------------------------- */

typedef struct extent_row {
    const char *operand; /* NULL behind the last row */
    extent_kind kind;
    const char *by;
} extent_row;

enum { MOST_ROWS = 8 };

#define E(operand_, kind_, by_)                                                                \
    {                                                                                          \
        .operand = #operand_, .kind = bytes_##kind_, .by = #by_                                \
    }

static const extent_row by_form[VSG_ISA_FORM_COUNT][MOST_ROWS] = {
#define EXTENTS(form, ...) [VSG_ISA_FORM_##form] = {__VA_ARGS__},
#include "isa/extents.def"
};

static const struct {
    visage_op op;
    extent_row rows[MOST_ROWS];
} by_op[] = {
#define EXTENTS_OF(op_, ...) {.op = VISAGE_OP_##op_, .rows = {__VA_ARGS__}},
#include "isa/extents.def"
};

static const extent_row *rows_of(visage_op op)
{
    for (size_t i = 0; i < sizeof by_op / sizeof by_op[0]; i++)
        if (by_op[i].op == op)
            return by_op[i].rows;
    return by_form[vsg_isa_op(op)->form];
}

bool vsg_obj_extent(const vsg_obj_unit *unit, const vsg_obj_inst *inst, uint32_t number,
                    uint32_t grf_bytes, uint64_t *bytes)
{
    const extent_row *row = rows_of(inst->op);
    const vsg_isa_slot *slot = row->operand ? vsg_isa_operand_slot(inst->op, number) : NULL;

    *bytes = 0;
    if (!slot)
        return false;
    while (row->operand && strcmp(row->operand, slot->name) != 0)
        row++;
    if (!row->operand)
        return false;
    const access a = {.unit = unit,
                      .inst = inst,
                      .operand = &inst->operands[number],
                      .number = number,
                      .by = row->by,
                      .channels = inst->exec_size ? inst->exec_size : 1, /* V0303 */
                      .grf_bytes = grf_bytes};
    *bytes = row->kind(&a);
    return true;
}
