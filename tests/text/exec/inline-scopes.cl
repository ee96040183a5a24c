// Variables of inline vISA in braces that stand there several times: the compiler leaves out the braces.
// REQUIRES: ocloc
// RUN: mkdir -p %t
// RUN: cd %t && ocloc compile -q -file %s -device pvc --format zebin -output k.zebin -output_no_suffix -internal_options "-ze-emit-zebin-visa-sections"
// RUN: %visage run %t/k.zebin k -g 16 -l 16 -a buf:i32:16:zero:out=- | tr "\n" " " | FileCheck %s
// RUN: cd %t && ocloc compile -q -file %s -device pvc --format zebin -output other.zebin -output_no_suffix -options -DOTHER -internal_options "-ze-emit-zebin-visa-sections"
// RUN: not %visage run %t/other.zebin k -g 16 -l 16 -a buf:i32:16:zero 2>&1 | FileCheck %s --check-prefix=OTHER
// CHECK: {{^}}11 14 17 20 23 26 29 32 35 38 41 44 47 50 53 56
// OTHER: error: 'tmp' is already declared [P0009]
int thrice_and_more(int v, int w)
{
    __asm__ volatile("{\n"
                     ".decl tmp v_type=G type=d num_elts=16 align=GRF\n"
                     ".decl low v_type=G type=uw num_elts=32 alias=<tmp, 0>\n"
                     ".decl on v_type=P num_elts=16\n"
                     "mul (M1, 16) tmp(0,0)<1> %0(0,0)<1;1,0> 0x3:d\n"
                     "cmp.ne (M1, 16) on %1(0,0)<1;1,0> 0x0:d\n"
                     "(on) add (M1, 16) tmp(0,0)<1> tmp(0,0)<1;1,0> %1(0,0)<1;1,0>\n"
                     "mov (M1, 16) %0(0,0)<1> low(0,0)<2;1,0>\n"
                     "}\n"
                     : "+rw"(v)
                     : "rw"(w));
    return v;
}

#ifndef OTHER
__attribute__((intel_reqd_sub_group_size(16))) kernel void k(global int *out)
{
    int i = get_global_id(0);

    out[i] = thrice_and_more(i, 5) + thrice_and_more(1, i + 3) - i;
}

#else
__attribute__((intel_reqd_sub_group_size(16))) kernel void k(global int *out)
{
    int v = get_global_id(0);

    __asm__ volatile("{\n.decl tmp v_type=G type=d num_elts=16 align=GRF\n"
                     "mov (M1, 16) tmp(0,0)<1> %0(0,0)<1;1,0>\n"
                     "mov (M1, 16) %0(0,0)<1> tmp(0,0)<1;1,0>\n}\n"
                     : "+rw"(v));
    __asm__ volatile("{\n.decl tmp v_type=G type=w num_elts=16 align=GRF\n"
                     "mov (M1, 16) tmp(0,0)<1> %0(0,0)<1;1,0>\n"
                     "mov (M1, 16) %0(0,0)<1> tmp(0,0)<1;1,0>\n}\n"
                     : "+rw"(v));
    out[get_global_id(0)] = v;
}
#endif
