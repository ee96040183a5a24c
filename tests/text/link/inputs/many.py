# SPDX-License-Identifier: MIT
"""Writes a program in many files: many.py FOLDER FILES KERNELS FUNCTIONS ADDRESSES.

Function n is in file n modulo FILES, adds n to that file's variable, calls the file's static
function, which is always called "own", and takes the addresses of others. Kernel n is in file
3n modulo FILES and calls the last function there."""
import os
import sys

folder = sys.argv[1]
files, kernels, functions, addresses = (int(word) for word in sys.argv[2:6])
SIZES = ".kernel_attr ArgSize=0\n.kernel_attr RetValSize=0\n"
OWN = "    fcall (M1_NM, 1) own 0 0\n"
texts = [f'.version 4.1\n.global_variable "total{i}" type=ud num_elts=1\n'
         f'.static_function "own"\n{SIZES}    fret (M1_NM, 1)\n' for i in range(files)]
for i in range(functions):
    others = (f"    faddr f{(i * 31 + n * 17) % functions} A(0,0)<1>\n" for n in range(addresses))
    texts[i % files] += (
        f'.global_function "f{i}"\n.decl A v_type=G type=uq num_elts=1 align=GRF\n'
        f'.decl N v_type=G type=ud num_elts=1 alias=<"total{i % files}", 0>\n{SIZES}'
        f"    add (M1_NM, 1) N(0,0)<1> N(0,0)<0;1,0> 0x{i:x}:ud\n"
        f"{''.join(others)}{OWN}    fret (M1_NM, 1)\n")
for i in range(kernels):
    home = i * 3 % files
    last = functions - 1 - (functions - 1 - home) % files
    texts[home] += (
        f'.kernel "k{i}"\n.decl N v_type=G type=ud num_elts=4 align=GRF\n'
        f'.decl T v_type=G type=ud num_elts=1 alias=<"total{home}", 0>\n'
        f".decl T6 v_type=T num_elts=1\n.input T6 offset=64 size=4\n.kernel_attr SimdSize=8\n"
        f"{OWN}    fcall (M1_NM, 1) f{last} 0 0\n"
        f"    mov (M1_NM, 1) N(0,0)<1> T(0,0)<0;1,0>\n    oword_st (1) T6 0x0:ud N.0\n"
        f"    ret (M1_NM, 1)\n")
os.makedirs(folder, exist_ok=True)
for i, text in enumerate(texts):
    with open(f"{folder}/{i:04}.visaasm", "w", encoding="ascii") as file:
        file.write(text)
