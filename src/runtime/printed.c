/* SPDX-License-Identifier: MIT
 *
 * Records of printf. The buffer's first dword counts the bytes in use, itself included; each
 * printf of each channel adds the size of its record and fills it in:
 *
 *     qword            address of the format string; a dword of ones: there was no room
 *     of an argument   dword type, then the value, padded to dwords
 *     of a vector      dword type, dword count, then the elements, and for elements below a
 *                      dword as much padding as dwords would have taken
 *
 * Source: intel/intel-graphics-compiler, OpenCLPrintfResolution.cpp; intel/compute-runtime,
 * shared/source/program/print_formatter. Conversions: OpenCL C, printf. */
#include "runtime/printed.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "runtime/implicit.h"

enum { FIRST_RECORD = 4, NO_ROOM = -1 };
/* Of a field: C demands 4095 characters for one conversion and leaves the rest open. */
enum { MOST_WIDTH = 4095, PIECE_BYTES = 8192, TEXT_BYTES = 4096 };

typedef enum value_class { CLASS_NONE, CLASS_INTEGER, CLASS_FLOAT, CLASS_STRING } value_class;

/* By the number of the type (PrintfDataType of compute-runtime). */
static const struct type_row {
    uint8_t class_, bytes;
    bool is_vector;
} types[] = {
    [1] = {CLASS_INTEGER, 1, false}, [2] = {CLASS_INTEGER, 2, false},
    [3] = {CLASS_INTEGER, 4, false}, [4] = {CLASS_FLOAT, 4, false},
    [5] = {CLASS_STRING, 8, false},  [6] = {CLASS_INTEGER, 8, false},
    [7] = {CLASS_INTEGER, 8, false}, [8] = {CLASS_FLOAT, 8, false},
    [9] = {CLASS_INTEGER, 1, true},  [10] = {CLASS_INTEGER, 2, true},
    [11] = {CLASS_INTEGER, 4, true}, [12] = {CLASS_INTEGER, 8, true},
    [13] = {CLASS_FLOAT, 4, true},   [14] = {CLASS_FLOAT, 8, true},
};

typedef struct printer {
    const vsg_exe_space *space;
    const uint8_t *records;
    uint32_t at, end;
    visage_write_fn write;
    void *user;
    bool refused; /* by write */
    size_t length;
    char text[TEXT_BYTES];
} printer;

/* A string of device memory, which may end where the memory does. */
typedef struct string {
    const char *text;
    size_t length;
} string;

typedef struct conversion {
    char flags[6];
    int width, precision; /* precision -1: none */
    uint32_t bits;        /* of an integer; 0: those of its type */
    char letter;
} conversion;

/* ---- output ----------------------------------------------------------------------------- */

static void flush(printer *p)
{
    if (p->length && !p->refused)
        p->refused = !p->write(p->user, p->text, p->length);
    p->length = 0;
}

static void put(printer *p, const char *text, size_t length)
{
    while (length > 0) {
        size_t part = sizeof p->text - p->length;
        part = part < length ? part : length;
        memcpy(p->text + p->length, text, part);
        p->length += part;
        text += part;
        length -= part;
        if (p->length == sizeof p->text)
            flush(p);
    }
}

/* ---- input ------------------------------------------------------------------------------ */

static bool take(printer *p, void *out, uint32_t bytes)
{
    if (p->end - p->at < bytes)
        return false;
    memcpy(out, p->records + p->at, bytes);
    p->at += bytes;
    return true;
}

static bool find_string(const printer *p, uint64_t address, string *out)
{
    out->text = vsg_exe_space_at(p->space, address, 1);
    out->length = 0;
    if (!out->text)
        return false;
    while (vsg_exe_space_at(p->space, address + out->length, 1) && out->text[out->length])
        out->length++;
    return true;
}

/* ---- conversions ------------------------------------------------------------------------ */

static size_t read_number(const char *text, size_t length, int *out)
{
    size_t i = 0;

    for (*out = 0; i < length && text[i] >= '0' && text[i] <= '9'; i++)
        *out = *out > MOST_WIDTH ? MOST_WIDTH : *out * 10 + (text[i] - '0');
    if (*out > MOST_WIDTH)
        *out = MOST_WIDTH;
    return i;
}

/* Length modifiers, longer ones first. */
static size_t read_modifier(const char *text, size_t length, conversion *out)
{
    static const struct {
        char word[3];
        uint8_t bits;
    } modifiers[] = {{"hh", 8}, {"hl", 32}, {"ll", 64}, {"h", 16},
                     {"l", 64}, {"j", 64},  {"z", 64},  {"t", 64}};

    for (size_t i = 0; i < sizeof modifiers / sizeof modifiers[0]; i++) {
        size_t size = strlen(modifiers[i].word);
        if (size > length || memcmp(text, modifiers[i].word, size) != 0)
            continue;
        out->bits = modifiers[i].bits;
        return size;
    }
    return 0;
}

/* Reads what stands behind a %. Returns its length, 0: it is no conversion. */
static size_t read_conversion(const char *text, size_t length, conversion *out)
{
    size_t i = 0, flags = 0;
    int elements;

    *out = (conversion){.precision = -1};
    for (; i < length && text[i] && strchr("-+ #0", text[i]); i++)
        if (!strchr(out->flags, text[i]))
            out->flags[flags++] = text[i];
    i += read_number(text + i, length - i, &out->width);
    if (i < length && text[i] == '.')
        i += 1 + read_number(text + i + 1, length - i - 1, &out->precision);
    if (i < length && text[i] == 'v') /* the record says how many there are */
        i += 1 + read_number(text + i + 1, length - i - 1, &elements);
    i += read_modifier(text + i, length - i, out);
    if (i == length || !strchr("diouxXcspaAeEfFgG", text[i]))
        return 0;
    out->letter = text[i];
    return i + 1;
}

/* ---- values ----------------------------------------------------------------------------- */

static uint64_t cut(uint64_t value, uint32_t bits)
{
    return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

static int64_t extend(uint64_t value, uint32_t bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);

    return (int64_t)((cut(value, bits) ^ sign) - sign);
}

static double as_double(const struct type_row *type, uint64_t value)
{
    double number;
    float narrow;

    if (type->class_ != CLASS_FLOAT)
        return (double)extend(value, type->bytes * 8u);
    if (type->bytes == 8) {
        memcpy(&number, &value, sizeof number);
        return number;
    }
    memcpy(&narrow, &value, sizeof narrow); /* little-endian, as the host is */
    return narrow;
}

static void put_string(printer *p, const conversion *how, const struct type_row *type,
                       uint64_t value)
{
    string argument = {.text = "(null)", .length = 6};
    char spaces[MOST_WIDTH];
    size_t width = (size_t)how->width;

    if (type->class_ == CLASS_STRING || type->bytes == 8)
        (void)find_string(p, value, &argument);
    if (!argument.text)
        argument = (string){.text = "(null)", .length = 6};
    if (how->precision >= 0 && argument.length > (size_t)how->precision)
        argument.length = (size_t)how->precision;
    size_t padding = width > argument.length ? width - argument.length : 0;
    memset(spaces, ' ', padding);
    if (!strchr(how->flags, '-'))
        put(p, spaces, padding);
    put(p, argument.text, argument.length);
    if (strchr(how->flags, '-'))
        put(p, spaces, padding);
}

/* A value of another class than the conversion's is undefined in OpenCL C: an integer is
 * converted, a float shows its bits. */
static void put_value(printer *p, const conversion *how, const struct type_row *type,
                      uint64_t value)
{
    uint32_t bits = how->bits ? how->bits : type->is_vector ? type->bytes * 8u : 32;
    char piece[PIECE_BYTES], format[16];
    const char *modifier = strchr("diouxX", how->letter) ? "ll" : "";
    int length;

    (void)snprintf(format, sizeof format, "%%%s*.*%s%c", how->flags, modifier, how->letter);
    switch (how->letter) {
    case 's':
        put_string(p, how, type, value);
        return;
    case 'd':
    case 'i':
        length = snprintf(piece, sizeof piece, format, how->width, how->precision,
                          (long long)extend(value, bits));
        break;
    case 'o':
    case 'u':
    case 'x':
    case 'X':
        length = snprintf(piece, sizeof piece, format, how->width, how->precision,
                          (unsigned long long)cut(value, bits));
        break;
    case 'c':
        length = snprintf(piece, sizeof piece, format, how->width, how->precision, (int)value);
        break;
    case 'p':
        length = snprintf(piece, sizeof piece, format, how->width, how->precision,
                          (void *)(uintptr_t)value);
        break;
    default:
        length = snprintf(piece, sizeof piece, format, how->width, how->precision,
                          as_double(type, value));
        break;
    }
    if (length > 0)
        put(p, piece, (size_t)length < sizeof piece ? (size_t)length : sizeof piece - 1);
}

/* One argument of the record; how NULL: only goes past it. False: the record has no more, or
 * nothing that makes sense. */
static bool put_argument(printer *p, const conversion *how)
{
    uint32_t number, count = 1;

    if (!take(p, &number, sizeof number) || number >= sizeof types / sizeof types[0] ||
        types[number].class_ == CLASS_NONE)
        return false;
    const struct type_row *type = &types[number];
    if (type->is_vector && (!take(p, &count, sizeof count) || count > 16))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t value = 0;
        if (!take(p, &value, type->bytes))
            return false;
        if (!how)
            continue;
        if (i)
            put(p, ",", 1);
        put_value(p, how, type, value);
    }
    uint32_t padding = type->bytes < 4 ? (4u - type->bytes) * count : 0;
    p->at += padding < p->end - p->at ? padding : p->end - p->at;
    return true;
}

/* Goes past arguments that the format has no conversions for. Nothing says how many a record
 * has: what follows it is another record if it begins with the address of a string, for an
 * argument's type as the lower half of an address and its value as the upper half give none. */
static void skip_arguments(printer *p)
{
    uint64_t address;
    uint32_t before;
    string format;

    do {
        before = p->at;
        if (!take(p, &address, sizeof address))
            return;
        p->at = before;
    } while (!find_string(p, address, &format) && put_argument(p, NULL));
    p->at = before;
}

static bool put_record(printer *p, const string *format)
{
    const char *text = format->text, *end = text + format->length;

    while (text < end) {
        const char *sign = memchr(text, '%', (size_t)(end - text));
        conversion how;
        put(p, text, (size_t)((sign ? sign : end) - text));
        if (!sign)
            break;
        text = sign + 1;
        size_t length = read_conversion(text, (size_t)(end - text), &how);
        if (length == 0) {
            put(p, "%", 1);
            text += text < end && *text == '%';
            continue;
        }
        text += length;
        if (!put_argument(p, &how))
            return false;
    }
    skip_arguments(p);
    return true;
}

/* ---- the buffer ------------------------------------------------------------------------- */

/* Returns what is wrong with a record, NULL: nothing. */
static const char *put_records(printer *p, bool overflows)
{
    while (p->end - p->at >= sizeof(uint64_t)) {
        int32_t mark;
        uint64_t address;
        string format;
        memcpy(&mark, p->records + p->at, sizeof mark);
        if (overflows && mark == NO_ROOM)
            break;
        if (!take(p, &address, sizeof address) || !find_string(p, address, &format) ||
            !put_record(p, &format))
            return "a record is not complete; what follows it is not shown";
    }
    return overflows ? "it printed more than the 4 MiB that its buffer holds" : NULL;
}

bool vsg_run_prints(const visage_launch *launch)
{
    return vsg_run_kernel_has(launch->kernel, VSG_CON_PAYLOAD_PRINTF_BUFFER) ||
           vsg_run_implicit_wanted(launch);
}

bool vsg_run_printed_open(visage_launch *launch)
{
    vsg_run_memory *memory = launch->program->device->memory;
    const uint32_t used = FIRST_RECORD;

    if (!vsg_run_area_fit(&launch->printf_buffer, memory, 0, VSG_RUN_PRINTF_BYTES))
        return false;
    memcpy(vsg_run_memory_at(memory, launch->printf_buffer.address), &used, sizeof used);
    return true;
}

static const char *print_all(const visage_launch *launch, const visage_run_options *options,
                             const uint8_t *records, uint32_t used, bool *refused)
{
    printer p = {.space = &launch->program->device->memory->space,
                 .records = records,
                 .at = FIRST_RECORD,
                 .end = used < VSG_RUN_PRINTF_BYTES ? used : VSG_RUN_PRINTF_BYTES,
                 .write = options->print,
                 .user = options->print_user};
    /* The host program's decimal point is not the kernel's. */
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t before = plain ? uselocale(plain) : (locale_t)0;
    const char *wrong = put_records(&p, used > VSG_RUN_PRINTF_BYTES);

    flush(&p);
    if (plain) {
        (void)uselocale(before);
        freelocale(plain);
    }
    *refused = p.refused;
    return wrong;
}

visage_status vsg_run_printed_close(visage_launch *launch, const visage_run_options *options,
                                    visage_diagnostics *diagnostics)
{
    vsg_base_location where = vsg_run_here(launch->kernel);
    const char *wrong = "it printed, and nothing takes the text";
    bool refused = false;
    uint32_t used;

    if (!launch->printf_buffer.address)
        return VISAGE_OK;
    uint8_t *records =
        vsg_run_memory_at(launch->program->device->memory, launch->printf_buffer.address);
    memcpy(&used, records, sizeof used);
    if (used <= FIRST_RECORD)
        return VISAGE_OK;
    if (options && options->print)
        wrong = print_all(launch, options, records, used, &refused);
    if (wrong)
        vsg_base_report(diagnostics, VSG_DIAG_PRINTF_LOST, &where, launch->kernel->unit->name,
                        wrong);
    /* The records of a later run that is stopped early must not end in these. */
    memset(records, 0, used < VSG_RUN_PRINTF_BYTES ? used : VSG_RUN_PRINTF_BYTES);
    return refused ? VISAGE_IO : VISAGE_OK;
}
