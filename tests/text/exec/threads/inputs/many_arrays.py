# SPDX-License-Identifier: MIT
"""A kernel with inputs between more arrays than are cleared one by one, and so much that is live where
text diverges that variables stay in the frame: many_arrays.py FILE.

Thread n writes n + 1 to an element of each array. Each of its channels stores the sum of the inputs, the
first ones times 1, 10, 100 ..., and of three times the element 0 of each array: the other arrays have 0."""

import sys

ARRAYS, WIDE, BRANCHES = 7, 31, 100

head = ['.version 4.1', '.kernel "many_arrays"', '.decl OUT v_type=G type=uq num_elts=1 align=qword']
for k in range(ARRAYS):
    head.append(f'.decl ARRAY{k} v_type=G type=ud num_elts=16 align=GRF')
    head.append(f'.decl X{k} v_type=G type=ud num_elts=1 align=GRF')
for k in range(WIDE):
    head.append(f'.decl W{k} v_type=G type=ud num_elts=16 align=GRF')
head += ['.decl L v_type=G type=ud num_elts=16 align=GRF',
         '.decl S v_type=G type=ud num_elts=16 align=GRF',
         '.decl T v_type=G type=ud num_elts=1 align=dword',
         '.decl AT v_type=G type=uq num_elts=1 align=qword',
         '.decl O v_type=G type=uw num_elts=1 align=dword',
         '.decl A0 v_type=A num_elts=1',
         '.decl P1 v_type=P num_elts=16', '.decl P2 v_type=P num_elts=16',
         '.decl P3 v_type=P num_elts=16', '.input OUT offset=64 size=8']
head += [f'.input X{k} offset={72 + 4 * k} size=4' for k in range(ARRAYS)]


def find(array, byte):
    return [f'mov (M1_NM, 1) O(0,0)<1> {byte}:uw',
            f'addr_add (M1_NM, 1) A0(0)<1> &ARRAY{array} O(0,0)<0;1,0>']


body = ['.function "main"', 'main:',
        'and (M1_NM, 1) T(0,0)<1> %r0(0,2)<0;1,0> 0xff:ud',
        'mad (M1_NM, 1) T(0,0)<1> %r0(0,1)<0;1,0> 4:ud T(0,0)<0;1,0>',
        'mad (M1_NM, 1) AT(0,0)<1> T(0,0)<0;1,0> 64:ud OUT(0,0)<0;1,0>',
        'mov (M1_NM, 8) L(0,0)<1> 0x76543210:v', 'add (M1_NM, 8) L(0,8)<1> 0x76543210:v 8:d']
body += [f'add (M1_NM, 16) W{k}(0,0)<1> L(0,0)<1;1,0> {k}:ud' for k in range(WIDE)]
for k in range(ARRAYS):
    body += find(k, 4 * k) + ['add (M1_NM, 1) r[A0(0),0]<1>:ud T(0,0)<0;1,0> 1:ud']
body += ['cmp.lt (M1, 16) P1 L(0,0)<1;1,0> 3:ud', '(P1) goto (M1, 16) end']
for k in range(BRANCHES):
    v, w = k % WIDE, (k + 7) % WIDE
    body += [f'and (M1_NM, 16) S(0,0)<1> W{v}(0,0)<1;1,0> {7 if k % 3 else 3}:ud',
             f'cmp.lt (M1, 16) P2 S(0,0)<1;1,0> {k % 4 + 1}:ud', f'(P2) goto (M1, 16) l{k}',
             f'add (M1, 16) W{v}(0,0)<1> W{v}(0,0)<1;1,0> W{w}(0,0)<1;1,0>', f'l{k}:']
body += ['cmp.gt (M1, 16) P3 L(0,0)<1;1,0> 13:ud', '(P3) ret (M1, 16)', 'end:',
         'mov (M1_NM, 16) S(0,0)<1> 0:ud']
# Of no effect, so that all is live.
body += [f'mad (M1, 16) S(0,0)<1> W{k}(0,0)<1;1,0> ZERO(0,0)<0;1,0> S(0,0)<1;1,0>' for k in range(WIDE)]
body += [f'mad (M1, 16) S(0,0)<1> X{k}(0,0)<0;1,0> {10 ** k}:ud S(0,0)<1;1,0>' for k in range(ARRAYS)]
for k in range(ARRAYS):
    body += find(k, 0) + ['mad (M1_NM, 16) S(0,0)<1> r[A0(0),0]<0;1,0>:ud 3:ud S(0,0)<1;1,0>']
body += ['lsc_store.ugm (M1_NM, 1) flat[AT]:a64 S:d32x16t', 'ret (M1, 1)']
head.insert(3, '.decl ZERO v_type=G type=ud num_elts=1 align=dword')
head.append(f'.input ZERO offset={72 + 4 * ARRAYS} size=4')

with open(sys.argv[1], 'w', encoding='ascii') as file:
    file.write('\n'.join(head + [x if x.endswith(':') or x[0] == '.' else '    ' + x for x in body]) + '\n')
