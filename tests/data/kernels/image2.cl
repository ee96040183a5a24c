// SPDX-License-Identifier: MIT
// Images: what needs OpenCL C 2.0 or an extension.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable
#pragma OPENCL EXTENSION cl_khr_mipmap_image_writes : enable
#pragma OPENCL EXTENSION cl_khr_gl_msaa_sharing : enable

#define ITEM get_global_id(0)

// Read, changed and written in place.
kernel void in_place(read_write image2d_t a, read_write image3d_t b, read_write image2d_array_t c, read_write image1d_buffer_t d)
{
    int i = ITEM;
    int4 p = (int4)(i % 4, i / 4 % 4, i / 16, 0);

    write_imageui(a, (int2)(i % 16, i / 16), read_imageui(a, (int2)(i % 16, i / 16)) + 1u);
    write_imagei(b, p, read_imagei(b, p) - 1);
    write_imagef(c, p, read_imagef(c, p) * 2.0f);
    write_imagef(d, i, read_imagef(d, i) + 0.25f);
}

kernel void halves(read_only image2d_t a, sampler_t s, global const float *c, global float *o)
{
    vstore4(convert_float4(read_imageh(a, s, vload4(ITEM, c).xy)), ITEM, o);
}

kernel void store_halves(write_only image2d_t a, global const float *v)
{
    write_imageh(a, (int2)(ITEM % 16, ITEM / 16), convert_half4(vload4(ITEM, v)));
}

// By level and by gradients.
kernel void level_2d(read_only image2d_t a, sampler_t s, global const float *c, global float *o)
{
    float4 p = vload4(ITEM, c);
    vstore4(read_imagef(a, s, p.xy, p.z), ITEM, o);
}

kernel void level_3d(read_only image3d_t a, sampler_t s, global const float *c, global float *o)
{
    float4 p = vload4(ITEM, c);
    vstore4(read_imagef(a, s, p, p.w), ITEM, o);
}

kernel void level_array(read_only image2d_array_t a, sampler_t s, global const float *c, global float *o)
{
    float4 p = vload4(ITEM, c);
    vstore4(read_imagef(a, s, p, p.w), ITEM, o);
}

kernel void gradient_2d(read_only image2d_t a, sampler_t s, global const float *c, global float *o)
{
    float4 p = vload4(ITEM, c);
    vstore4(read_imagef(a, s, p.xy, (float2)(p.z, 0.0f), (float2)(0.0f, p.w)), ITEM, o);
}

kernel void level_count(read_only image2d_t a, read_only image3d_t b, global int *o)
{
    o[0] = get_image_num_mip_levels(a);
    o[1] = get_image_num_mip_levels(b);
}

kernel void store_level(write_only image2d_t a, global const float *v)
{
    write_imagef(a, (int2)(ITEM % 8, ITEM / 8), 1, vload4(ITEM, v));
}

kernel void depth_texels(read_only image2d_depth_t a, read_only image2d_array_depth_t b, sampler_t s, global const float *c, global float *o)
{
    float4 p = vload4(ITEM, c);

    o[ITEM * 3] = read_imagef(a, s, p.xy);
    o[ITEM * 3 + 1] = read_imagef(b, s, p);
    o[ITEM * 3 + 2] = read_imagef(a, convert_int2(p.xy));
}

kernel void store_depth(write_only image2d_depth_t a, global const float *v)
{
    write_imagef(a, (int2)(ITEM % 16, ITEM / 16), v[ITEM]);
}

kernel void multisample(read_only image2d_msaa_t a, read_only image2d_array_msaa_t b, global float *o)
{
    int i = ITEM;

    vstore4(read_imagef(a, (int2)(i % 4, i / 4 % 4), i / 16), i * 2, o);
    vstore4(read_imagef(b, (int4)(i % 4, i / 4 % 4, i / 16 % 2, 0), i / 32), i * 2 + 1, o);
    o[512] = get_image_num_samples(a);
}
