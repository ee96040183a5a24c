/* SPDX-License-Identifier: MIT
 *
 * Rows of orders.def and formats.def as constants, for the files that make tables of them or
 * functions for them. */
#ifndef VISAGE_EXEC_FORMAT_FACTS_H
#define VISAGE_EXEC_FORMAT_FACTS_H

#include "exec/format.h"

enum { NO = -1 };

/* For tables of formats, whose initialisers can read no other table. */
enum {
#define ORDER(id, number, channels, ...) CHANNELS_##id = channels,
#include "exec/orders.def"
#undef ORDER
};

#define ORDER(id, number_, channels, r, g, b, a)                                               \
    static const vsg_exe_order_info __attribute__((unused))                                    \
    order_of_##id = {.number = number_, .place = {r, g, b, a}};
#include "exec/orders.def"
#undef ORDER

/* Initialises a vsg_exe_format_info; the arguments of FORMAT, the name as text. */
#define FACTS(name_, order_, bits_, kind_)                                                     \
    {                                                                                          \
        .name = (name_), .channels = CHANNELS_##order_, .bits = (bits_),                       \
        .texel_bytes = CHANNELS_##order_ * (bits_) / 8, .kind = VSG_EXE_FORMAT_KIND_##kind_,   \
        .order = &order_of_##order_                                                            \
    }

#endif
