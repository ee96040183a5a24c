# SPDX-License-Identifier: MIT
"""Writes kernels that divide by shifting and subtracting, or nearly so, and what they store.

    division.py FOLDER

FOLDER/NAME.visaasm, NAME.want, and numbers.bin, which all of them read: dividends, divisors and
other numbers, the same as divisors but for some. FOLDER/whole has the names of those that are
divisions, FOLDER/others the others."""

import os
import random
import struct
import sys

WORD, THREADS, CHANNELS = (1 << 64) - 1, 40, 16
COUNT = THREADS * CHANNELS
QUOTIENT, REMAINDER = 7, 9  # of channels that do not divide

HEAD = """.version 4.1
.kernel "divide"
.decl IN v_type=G type=uq num_elts=1 align=qword
.decl OUT v_type=G type=uq num_elts=1 align=qword
.decl ONE v_type=G type=uq num_elts=1 align=qword
.decl I v_type=G type=ud num_elts=16 align=GRF
.decl J v_type=G type=ud num_elts=16 align=GRF
.decl AT v_type=G type=uq num_elts=16 align=wordx32
.decl A v_type=G type=uq num_elts=16 align=wordx32
.decl B v_type=G type=uq num_elts=16 align=wordx32
.decl C v_type=G type=uq num_elts=16 align=wordx32
.decl Q v_type=G type=uq num_elts=16 align=wordx32
.decl R v_type=G type=uq num_elts=16 align=wordx32
.decl S v_type=G type=uq num_elts=16 align=wordx32
.decl R2 v_type=G type=uq num_elts=16 align=wordx32
.decl SUM v_type=G type=uq num_elts=16 align=wordx32
.decl AQ v_type=G type=q num_elts=16 align=wordx32 alias=<A, 0>
.decl BQ v_type=G type=q num_elts=16 align=wordx32 alias=<B, 0>
.decl RQ v_type=G type=q num_elts=16 align=wordx32 alias=<R, 0>
.decl AD v_type=G type=ud num_elts=32 align=wordx32 alias=<A, 0>
.decl BD v_type=G type=ud num_elts=32 align=wordx32 alias=<B, 0>
.decl QD v_type=G type=ud num_elts=32 align=wordx32 alias=<Q, 0>
.decl RD v_type=G type=ud num_elts=32 align=wordx32 alias=<R, 0>
.decl SD v_type=G type=ud num_elts=32 align=wordx32 alias=<S, 0>
.decl BL v_type=G type=ud num_elts=16 align=GRF
.decl BH v_type=G type=ud num_elts=16 align=GRF
.decl TL v_type=G type=ud num_elts=16 align=GRF
.decl TH v_type=G type=ud num_elts=16 align=GRF
.decl XL v_type=G type=ud num_elts=16 align=GRF
.decl XH v_type=G type=ud num_elts=16 align=GRF
.decl CY v_type=G type=ud num_elts=16 align=GRF
.decl K v_type=G type=d num_elts=1 align=dword
.decl KU v_type=G type=ud num_elts=1 align=dword alias=<K, 0>
.decl KQ v_type=G type=uq num_elts=1 align=qword
.decl BIT v_type=G type=uq num_elts=1 align=qword
.decl BITD v_type=G type=ud num_elts=2 align=qword alias=<BIT, 0>
.decl P5 v_type=P num_elts=16
.decl P1 v_type=P num_elts=16
.decl P2 v_type=P num_elts=16
.decl P3 v_type=P num_elts=16
.decl P4 v_type=P num_elts=16
.input IN offset=64 size=8
.input OUT offset=72 size=8
.input ONE offset=80 size=8
.kernel_attr SimdSize=16
.function "main"
main:
    mov (M1_NM, 8) I(0,0)<1> 0x76543210:uv
    mov (M1_NM, 8) I(0,8)<1> 0xfedcba98:uv
    mad (M1, 16) I(0,0)<1> %r0(0,1)<0;1,0> 0x10:ud I(0,0)<1;1,0>
    mov (M1, 16) AT(0,0)<1> I(0,0)<1;1,0>
    shl (M1, 16) AT(0,0)<1> AT(0,0)<1;1,0> 0x3:uq
    add (M1, 16) S(0,0)<1> AT(0,0)<1;1,0> IN(0,0)<0;1,0>
    lsc_load.ugm (M1, 16) A:d64 flat[S]:a64
    add (M1, 16) S(0,0)<1> S(0,0)<1;1,0> 0x1400:uq
    lsc_load.ugm (M1, 16) B:d64 flat[S]:a64
    add (M1, 16) S(0,0)<1> S(0,0)<1;1,0> 0x1400:uq
    lsc_load.ugm (M1, 16) C:d64 flat[S]:a64
    add (M1, 16) AT(0,0)<1> AT(0,0)<1;1,0> OUT(0,0)<0;1,0>
    mov (M1, 16) BL(0,0)<1> BD(0,0)<2;1,0>
    mov (M1, 16) BH(0,0)<1> BD(0,1)<2;1,0>
    mov (M1, 16) Q(0,0)<1> 0x7:uq
    mov (M1, 16) R(0,0)<1> 0x9:uq
    mov (M1, 16) SUM(0,0)<1> 0x0:uq
    mov (M1_NM, 1) BIT(0,0)<1> 0x0:uq
    and (M1, 16) J(0,0)<1> I(0,0)<1;1,0> 0x3:ud
    cmp.eq (M1, 16) P5 J(0,0)<1;1,0> 0x3:ud
    cmp.eq (M1, 16) P4 J(0,0)<1;1,0> 0x2:ud
    (P5) goto (M1, 16) over
"""

BEGIN = """begin:
    mov (M1_NM, 1) K(0,0)<1> 0x3f:d
    mov (M1, 16) R(0,0)<1> 0x0:uq
    mov (M1, 16) Q(0,0)<1> 0x0:uq
again:
"""

SHIFT = """    shl (M1, 16) R2(0,0)<1> R(0,0)<1;1,0> 0x1:uq
    mov (M1_NM, 1) KQ(0,0)<1> KU(0,0)<0;1,0>
    shr (M1, 16) S(0,0)<1> A(0,0)<1;1,0> KQ(0,0)<0;1,0>
    and (M1, 16) S(0,0)<1> S(0,0)<1;1,0> 0x1:uq
    or (M1, 16) R(0,0)<1> S(0,0)<1;1,0> R2(0,0)<1;1,0>
"""

SET = """    shl (M1_NM, 1) BIT(0,0)<1> 0x1:uq KQ(0,0)<0;1,0>
    or (M1, 16) Q(0,0)<1> BIT(0,0)<0;1,0> Q(0,0)<1;1,0>
"""

TAKE = "    add (M1, 16) R(0,0)<1> R(0,0)<1;1,0> (-)B(0,0)<1;1,0>\n"
LESS = "    cmp.lt (M1, 16) P1 R(0,0)<1;1,0> B(0,0)<1;1,0>\n"
GO = "    (P1) goto (M1, 16) below\n"
SPLIT = """    mov (M1, 16) TL(0,0)<1> RD(0,0)<2;1,0>
    mov (M1, 16) TH(0,0)<1> RD(0,1)<2;1,0>
"""
LESS_BY_HALVES = """    cmp.lt (M1, 16) P1 TL(0,0)<1;1,0> BL(0,0)<1;1,0>
    cmp.eq (M1, 16) P3 TH(0,0)<1;1,0> BH(0,0)<1;1,0>
    and (M1, 16) P3 P3 P1
    cmp.lt (M1, 16) P1 TH(0,0)<1;1,0> BH(0,0)<1;1,0>
    or (M1, 16) P1 P1 P3
"""
BORROW = """    subb (M1, 16) XL(0,0)<1> CY(0,0)<1> TL(0,0)<1;1,0> BL(0,0)<1;1,0>
    add3 (M1, 16) XH(0,0)<1> (-)CY(0,0)<1;1,0> TH(0,0)<1;1,0> (-)BH(0,0)<1;1,0>
    mov (M1, 16) RD(0,0)<2> XL(0,0)<1;1,0>
    mov (M1, 16) RD(0,1)<2> XH(0,0)<1;1,0>
"""
CHOOSE = """    (P1) sel (M1, 16) S(0,0)<1> 0x0:uq B(0,0)<1;1,0>
    add (M1, 16) R(0,0)<1> R(0,0)<1;1,0> (-)S(0,0)<1;1,0>
"""
CHOOSE_BY_HALVES = """    (P1) sel (M1, 16) XL(0,0)<1> 0x0:ud BL(0,0)<1;1,0>
    (P1) sel (M1, 16) XH(0,0)<1> 0x0:ud BH(0,0)<1;1,0>
    subb (M1, 16) TL(0,0)<1> CY(0,0)<1> TL(0,0)<1;1,0> XL(0,0)<1;1,0>
    add3 (M1, 16) TH(0,0)<1> (-)CY(0,0)<1;1,0> TH(0,0)<1;1,0> (-)XH(0,0)<1;1,0>
    mov (M1, 16) RD(0,0)<2> TL(0,0)<1;1,0>
    mov (M1, 16) RD(0,1)<2> TH(0,0)<1;1,0>
"""

# Of a divisor whose high dword is known to be 0.
LESS_SHORT = """    cmp.lt (M1, 16) P1 TL(0,0)<1;1,0> BL(0,0)<1;1,0>
    cmp.eq (M1, 16) P3 TH(0,0)<1;1,0> 0x0:ud
    and (M1, 16) P1 P3 P1
"""
CHOOSE_SHORT = """    (P1) sel (M1, 16) XL(0,0)<1> 0x0:ud BL(0,0)<1;1,0>
    mov (M1, 16) SD(0,0)<2> XL(0,0)<1;1,0>
    mov (M1, 16) SD(0,1)<2> 0x0:ud
    add (M1, 16) R(0,0)<1> R(0,0)<1;1,0> (-)S(0,0)<1;1,0>
"""
BORROW_SHORT = """    subb (M1, 16) XL(0,0)<1> CY(0,0)<1> TL(0,0)<1;1,0> BL(0,0)<1;1,0>
    add3 (M1, 16) XH(0,0)<1> (-)CY(0,0)<1;1,0> TH(0,0)<1;1,0> 0x0:ud
    mov (M1, 16) RD(0,0)<2> XL(0,0)<1;1,0>
    mov (M1, 16) RD(0,1)<2> XH(0,0)<1;1,0>
"""

SET_CHOSEN = """    shl (M1_NM, 1) BIT(0,0)<1> 0x1:uq KQ(0,0)<0;1,0>
    (P1) sel (M1, 16) S(0,0)<1> 0x0:uq BIT(0,0)<0;1,0>
    or (M1, 16) Q(0,0)<1> S(0,0)<1;1,0> Q(0,0)<1;1,0>
"""
SET_CHOSEN_HALVES = """    shl (M1_NM, 1) BIT(0,0)<1> 0x1:uq KQ(0,0)<0;1,0>
    (P1) sel (M1, 16) XL(0,0)<1> 0x0:ud BITD(0,0)<0;1,0>
    (P1) sel (M1, 16) XH(0,0)<1> 0x0:ud BITD(0,1)<0;1,0>
    or (M1, 16) QD(0,0)<2> XL(0,0)<1;1,0> QD(0,0)<2;1,0>
    or (M1, 16) QD(0,1)<2> XH(0,0)<1;1,0> QD(0,1)<2;1,0>
"""

BELOW = """below:
"""

ENDS = """    cmp.eq (M1_NM, 16) P2 K(0,0)<0;1,0> 0x0:d
    (P2) goto (M1, 1) done
more:
    add (M1_NM, 1) K(0,0)<1> K(0,0)<0;1,0> 0xffffffff:w
    goto (M1, 1) again
done:
"""

TAIL = """over:
    lsc_store.ugm (M1, 16) flat[AT]:a64 Q:d64
    add (M1, 16) AT(0,0)<1> AT(0,0)<1;1,0> 0x1400:uq
    lsc_store.ugm (M1, 16) flat[AT]:a64 R:d64
    ret (M1, 1)
"""

WHOLE = HEAD + BEGIN + SHIFT + LESS + GO + TAKE + SET + BELOW + ENDS + TAIL
REMAINS = BEGIN.replace("    mov (M1, 16) Q(0,0)<1> 0x0:uq\n", "")
CHOSEN = HEAD + REMAINS + SHIFT + LESS + CHOOSE + ENDS + TAIL
HALVES = HEAD + BEGIN + SHIFT + SPLIT + LESS_BY_HALVES + GO + TAKE + SET + BELOW + ENDS + TAIL
BORROWED = HEAD + BEGIN + SHIFT + SPLIT + LESS_BY_HALVES + GO + BORROW + SET + BELOW + ENDS + TAIL
CHOSEN_HALVES = HEAD + REMAINS + SHIFT + SPLIT + LESS_BY_HALVES + CHOOSE_BY_HALVES + ENDS + TAIL
# Bits of the quotient are chosen, too.
BIT_CHOSEN = HEAD + BEGIN + SHIFT + LESS + SET_CHOSEN + CHOOSE + ENDS + TAIL
BIT_CHOSEN_SHORT = HEAD + BEGIN + SHIFT + SPLIT + LESS_SHORT + SET_CHOSEN_HALVES + CHOOSE_SHORT + ENDS + TAIL
SHORT = HEAD + REMAINS + SHIFT + SPLIT + LESS_SHORT + CHOOSE_SHORT + ENDS + TAIL
BORROWED_SHORT = HEAD + BEGIN + SHIFT + SPLIT + LESS_SHORT + GO + BORROW_SHORT + SET + BELOW + ENDS + TAIL
COPIED_SHORT = (HEAD + BEGIN.replace("begin:\n", "begin:\n    mov (M1, 16) C(0,0)<1> BL(0,0)<1;1,0>\n") +
                SHIFT + SPLIT + LESS_SHORT + GO + TAKE.replace("B(", "C(") + SET + BELOW + ENDS + TAIL)


def counted(text):
    """Each channel counts rounds for itself."""
    for name in ("K", "KU", "KQ", "BIT"):
        text = text.replace(f"(M1_NM, 1) {name}(", f"(M1, 16) {name}(")
        text = text.replace(f"{name}(0,0)<0;1,0>", f"{name}(0,0)<1;1,0>")
    return text.replace("num_elts=1 align=dword", "num_elts=16 align=GRF").replace(
        ".decl KQ v_type=G type=uq num_elts=1 ", ".decl KQ v_type=G type=uq num_elts=16 ").replace(
        ".decl BIT v_type=G type=uq num_elts=1 ", ".decl BIT v_type=G type=uq num_elts=16 ").replace(
        "(P2) goto (M1, 1)", "(P2) goto (M1, 16)").replace("(M1_NM, 16) P2", "(M1, 16) P2")


def signed(x):
    return x - (WORD + 1) if x >> 63 else x


class Loop:
    """What a channel does, in numbers."""

    first, last, start, one = 63, 0, 0, 1  # rounds from first to last
    quotient, bit = 0, 1
    has_quotient = True
    absolute = False
    entered = ()  # channels that come in behind the first round
    other = False  # takes off the other number
    is_short = False  # knows the divisor's low dword alone
    off = REMAINDER  # of channels that do not divide

    def less(self, t, b):
        return t < b

    def change(self, n):
        """Of a, b, q, r, s, behind a round."""

    def run(self, index, a, b, c):
        n = {"a": a, "b": b, "q": self.quotient, "r": self.start, "sum": 0}
        k = self.first
        if index % 4 == 3:
            return QUOTIENT, self.off
        if index % 4 in self.entered:
            n["q"], n["r"] = QUOTIENT, REMAINDER
            k -= 1
        while True:
            t = (n["r"] << 1 | n["a"] >> (k & 63) & self.one) & WORD
            fits = not self.less(t, n["b"])
            n["r"] = t
            if fits:
                n["r"] = self.taken(t, n["b"], c)
                n["q"] |= self.bit << (k & 63) & WORD if self.has_quotient else 0
            n["fits"] = fits
            self.change(n)
            if k == self.last:
                return self.result(n)
            k -= 1

    def taken(self, t, b, c):
        return t - (c if self.other else b) & WORD

    def result(self, n):
        return n["q"], n["r"]


def loop(**members):
    return type("Own", (Loop,), members)()


def change_to(name, by):
    def change(self, n):
        n[name] = by(n) & WORD
    return change


# By name: the text, what of it is replaced, what it does, and whether it is a division.
R_OF = "R(0,0)<1;1,0>"
KERNELS = {
    "whole": (WHOLE, [], loop(), True),
    "chosen": (CHOSEN, [], loop(has_quotient=False), True),
    "halves": (HALVES, [], loop(), True),
    "borrowed": (BORROWED, [], loop(), True),
    "chosen-halves": (CHOSEN_HALVES, [], loop(has_quotient=False), True),
    "other": (WHOLE, [("(-)B(", "(-)C(")], loop(other=True), True),
    "constant": (WHOLE, [("begin:", "    mov (M1_NM, 1) ONE(0,0)<1> 0x1:uq\nbegin:"),
                         ("S(0,0)<1;1,0> 0x1:uq", "S(0,0)<1;1,0> ONE(0,0)<0;1,0>")],
                 loop(), True),
    "short": (SHORT, [], loop(has_quotient=False, is_short=True), True),
    "whole-short": (SHORT, [("    (P1) sel (M1, 16) XL(0,0)<1> 0x0:ud BL(0,0)<1;1,0>\n    mov (M1, 16) SD(0,0)<2> XL(0,0)<1;1,0>\n    mov (M1, 16) SD(0,1)<2> 0x0:ud\n",
                            "    mov (M1, 16) C(0,0)<1> BL(0,0)<1;1,0>\n    (P1) sel (M1, 16) S(0,0)<1> 0x0:uq C(0,0)<1;1,0>\n")],
                    loop(has_quotient=False, is_short=True), True),
    "borrowed-short": (BORROWED_SHORT, [], loop(is_short=True), True),
    "copied-short": (COPIED_SHORT, [], loop(is_short=True), True),
    "absolute-short": (SHORT, [("    (P5) goto", """    mov (M1, 16) BLD(0,0)<1> (abs)BLD(0,0)<1;1,0>
    mov (M1, 16) CL(0,0)<1> CD(0,0)<2;1,0>
    (P5) goto"""), ("0x0:ud BL(", "0x0:d (abs)CL("), (".decl P5", """.decl BLD v_type=G type=d num_elts=16 align=GRF alias=<BL, 0>
.decl CL v_type=G type=d num_elts=16 align=GRF
.decl CD v_type=G type=d num_elts=32 align=wordx32 alias=<C, 0>
.decl P5""")], loop(has_quotient=False, absolute=True, other=True, is_short=True), True),
    "bit-chosen": (BIT_CHOSEN, [], loop(), True),
    "bit-chosen-short": (BIT_CHOSEN_SHORT, [], loop(is_short=True), True),
    "counted": (counted(WHOLE), [], loop(), True),
    "counted-short": (counted(SHORT), [], loop(has_quotient=False, is_short=True), True),
    # The number is what was assumed of it in threads alone that do not leave it out.
    "assumed": (WHOLE, [("    (P5) goto (M1, 16) over", """    and (M1_NM, 1) BL(0,0)<1> %r0(0,1)<0;1,0> 0x1:ud
    cmp.eq (M1_NM, 16) P3 BL(0,0)<0;1,0> 0x1:ud
    (P3) goto (M1, 1) kept
    mov (M1_NM, 1) ONE(0,0)<1> 0x1:uq
kept:
    (P5) goto (M1, 16) over"""),
                        ("S(0,0)<1;1,0> 0x1:uq", "S(0,0)<1;1,0> ONE(0,0)<0;1,0>")],
                None, True),
    "absolute": (WHOLE, [("    (P5) goto", """    mov (M1, 16) BQ(0,0)<1> (abs)BQ(0,0)<1;1,0>
    (P5) goto"""), ("(-)B(", "(-abs)CQ("), (".decl P5", """.decl CQ v_type=G type=q num_elts=16 align=wordx32 alias=<C, 0>
.decl P5""")], loop(absolute=True, other=True), True),
    # What is left of the last round alone.
    "shifted": (WHOLE, [("over:", "over:\n    mov (M1, 16) Q(0,0)<1> R2(0,0)<1;1,0>"),
                        ("begin:", "begin:\n    mov (M1, 16) R2(0,0)<1> 0x0:uq"),
                        ("    mov (M1, 16) SUM", "    mov (M1, 16) R2(0,0)<1> 0x7:uq\n    mov (M1, 16) SUM")],
                loop(), True),
    # Channels that are off have what is written for all of them, too.
    "bare": (WHOLE, [("(M1, 16) R(0,0)<1> 0x0:uq", "(M1_NM, 16) R(0,0)<1> 0x0:uq")], loop(off=0), False),
    "bare-short": (SHORT, [("(M1, 16) R(0,0)<1> 0x0:uq", "(M1_NM, 16) R(0,0)<1> 0x0:uq")],
                   loop(has_quotient=False, is_short=True, off=0), False),
    "fewer": (WHOLE, [("0x3f:d", "0x3e:d")], loop(first=62), False),
    "more": (WHOLE, [("0x3f:d", "0x40:d")], loop(first=64), False),
    "to-one": (WHOLE, [("K(0,0)<0;1,0> 0x0:d", "K(0,0)<0;1,0> 0x1:d")], loop(last=1), False),
    "beyond": (WHOLE, [("K(0,0)<0;1,0> 0x0:d", "K(0,0)<0;1,0> 0xffffffff:d")],
               loop(last=-1), False),
    "less-or-equal": (WHOLE, [("cmp.lt", "cmp.le")],
                      loop(less=lambda self, t, b: t <= b), False),
    "signed": (WHOLE, [("P1 R(0,0)<1;1,0> B(", "P1 RQ(0,0)<1;1,0> BQ(")],
               loop(less=lambda self, t, b: signed(t) < signed(b)), False),
    "begun": (WHOLE, [("R(0,0)<1> 0x0:uq", "R(0,0)<1> 0x1:uq")], loop(start=1), False),
    "set": (WHOLE, [("Q(0,0)<1> 0x0:uq", "Q(0,0)<1> 0x2:uq")], loop(quotient=2), False),
    "two-bits": (WHOLE, [("BIT(0,0)<1> 0x1:uq", "BIT(0,0)<1> 0x3:uq")], loop(bit=3), False),
    "two-bits-chosen": (BIT_CHOSEN, [("BIT(0,0)<1> 0x1:uq", "BIT(0,0)<1> 0x3:uq")], loop(bit=3), False),
    "other-bits-chosen": (BIT_CHOSEN, [("(P1) sel (M1, 16) S(0,0)<1> 0x0:uq BIT", "(!P1) sel (M1, 16) S(0,0)<1> 0x0:uq BIT")],
                          loop(result=lambda self, n: (n["q"] ^ WORD, n["r"])), False),
    "halves-exchanged": (BIT_CHOSEN_SHORT, [("BITD(0,0)<0;1,0>", "BITD(0,2)<0;1,0>"), ("BITD(0,1)", "BITD(0,0)"), ("BITD(0,2)", "BITD(0,1)")],
                         loop(is_short=True, result=lambda self, n: (n["q"] >> 32 | n["q"] << 32 & WORD, n["r"])), True),
    "dividend": (WHOLE, [("more:", "more:\n    xor (M1, 16) A(0,0)<1> A(0,0)<1;1,0> Q(0,0)<1;1,0>")],
                 loop(change=change_to("a", lambda n: n["a"] ^ n["q"])), False),
    "divisor": (WHOLE, [("below:", "    add (M1, 16) B(0,0)<1> B(0,0)<1;1,0> 0x1:uq\nbelow:")],
                loop(change=change_to("b", lambda n: n["b"] + n["fits"])), False),
    "summed": (WHOLE, [("more:", "more:\n    add (M1, 16) SUM(0,0)<1> SUM(0,0)<1;1,0> " + R_OF),
                       ("done:", "done:\n    add (M1, 16) Q(0,0)<1> Q(0,0)<1;1,0> SUM(0,0)<1;1,0>")],
               loop(change=change_to("sum", lambda n: n["sum"] + n["r"]),
                    result=lambda self, n: (n["q"] + n["sum"] - n["r"] & WORD, n["r"])), False),
    "entered": (WHOLE, [("begin:", "    (P4) goto (M1, 16) below\nbegin:")],
                loop(entered=(2,)), False),
    "no-borrow": (BORROWED, [("(-)CY(0,0)<1;1,0> TH", "0x0:ud TH")],
                  loop(taken=lambda self, t, b, c: (t - b & 0xffffffff) |
                       ((t >> 32) - (b >> 32) & 0xffffffff) << 32), False),
    "low-alone": (SHORT, [("    and (M1, 16) P1 P3 P1\n", "")],
                  loop(has_quotient=False, is_short=True,
                       less=lambda self, t, b: t & 0xffffffff < b), False),
    "short-by-one": (SHORT, [("P3 TH(0,0)<1;1,0> 0x0:ud", "P3 TH(0,0)<1;1,0> 0x1:ud")],
                     loop(has_quotient=False, is_short=True,
                          less=lambda self, t, b: t >> 32 == 1 and t & 0xffffffff < b), False),
    "counted-fewer": (counted(WHOLE), [("0x3f:d", "0x3e:d")], loop(first=62), False),
    "high-or-equal": (HALVES, [("cmp.lt (M1, 16) P1 TH", "cmp.le (M1, 16) P1 TH")],
                      loop(less=lambda self, t, b: t >> 32 <= b >> 32), False),
}


def numbers():
    rng = random.Random(64)
    edges = [1, 2, 3, 10, (1 << 32) - 1, 1 << 32, (1 << 53) + 1, (1 << 63) - 1, 1 << 63, WORD - 1,
             WORD]
    for a in [0] + edges:
        for b in edges:
            yield a, b
    yield from [(0, 0), (1, 0), (WORD, 0), (1 << 63, 0)]
    while True:
        b = rng.getrandbits(rng.randint(1, 64)) or 1
        q = rng.getrandbits(rng.randint(1, 64))
        yield rng.getrandbits(64), b
        yield q * b + rng.choice([0, -1, 1, b - 1]) & WORD, b


def main(folder):
    os.makedirs(folder, exist_ok=True)
    pairs = [pair for pair, _ in zip(numbers(), range(COUNT))]
    # One channel of some threads has another one.
    others = [b + (i % 48 == 17) & WORD for i, (_, b) in enumerate(pairs)]
    flat = [a for a, _ in pairs] + [b for _, b in pairs] + others
    with open(os.path.join(folder, "numbers.bin"), "wb") as file:
        file.write(struct.pack(f"<{len(flat)}Q", *flat))
    names = {True: [], False: []}
    for name, (text, changes, does, is_whole) in KERNELS.items():
        names[is_whole].append(name)
        for old, new in changes:
            assert old in text, (name, old)
            text = text.replace(old, new, 1)
        with open(os.path.join(folder, name + ".visaasm"), "w", encoding="utf-8") as file:
            file.write(text)
        want = []
        for i, (a, b) in enumerate(pairs):
            c, own = others[i], does
            if name == "assumed":
                own = loop(one=3 if i // CHANNELS % 2 else 1)
            if name == "shifted":
                r = Loop().run(i, a >> 1, b, c)[1] if i % 4 != 3 else 0
                q = (r << 1) & WORD if i % 4 != 3 else QUOTIENT
                want.append((q, Loop().run(i, a, b, c)[1]))
                continue
            if own.is_short:
                b, c = b & 0xffffffff, c & 0xffffffff
            if own.is_short and own.absolute:
                b, c = min(b, (1 << 32) - b), min(c, (1 << 32) - c)
            elif own.absolute:
                b, c = abs(signed(b)), abs(signed(c))
            q, r = own.run(i, a, b, c)
            want.append((q if own.has_quotient else QUOTIENT, r))
        flat = [q for q, _ in want] + [r for _, r in want]
        with open(os.path.join(folder, name + ".want"), "wb") as file:
            file.write(struct.pack(f"<{len(flat)}Q", *flat))
    for is_whole, file_name in ((True, "whole"), (False, "others")):
        with open(os.path.join(folder, file_name), "w", encoding="utf-8") as file:
            file.writelines(n + "\n" for n in names[is_whole])


main(sys.argv[1])
