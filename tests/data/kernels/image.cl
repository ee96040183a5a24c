// SPDX-License-Identifier: MIT
// Images: every shape, read with and without a sampler, written, asked for their size. Coordinates
// come from a buffer, four numbers a work-item.

#define ITEM get_global_id(0)
#define FLOATS(c) vload4(ITEM, c)
#define INTS(c) vload4(ITEM, c)

// ---- floats by float coordinates

kernel void sample_1d(read_only image1d_t a, sampler_t s, global const float *c, global float *o)
{
    vstore4(read_imagef(a, s, FLOATS(c).x), ITEM, o);
}

kernel void sample_1d_array(read_only image1d_array_t a, sampler_t s, global const float *c, global float *o)
{
    vstore4(read_imagef(a, s, FLOATS(c).xy), ITEM, o);
}

kernel void sample_2d(read_only image2d_t a, sampler_t s, global const float *c, global float *o)
{
    vstore4(read_imagef(a, s, FLOATS(c).xy), ITEM, o);
}

kernel void sample_2d_array(read_only image2d_array_t a, sampler_t s, global const float *c, global float *o)
{
    vstore4(read_imagef(a, s, FLOATS(c)), ITEM, o);
}

kernel void sample_3d(read_only image3d_t a, sampler_t s, global const float *c, global float *o)
{
    vstore4(read_imagef(a, s, FLOATS(c)), ITEM, o);
}

// ---- the same texel by whole coordinates

kernel void whole_1d(read_only image1d_t a, sampler_t s, global const int *c, global float *o)
{
    vstore4(read_imagef(a, s, INTS(c).x), ITEM, o);
}

kernel void whole_1d_array(read_only image1d_array_t a, sampler_t s, global const int *c, global float *o)
{
    vstore4(read_imagef(a, s, INTS(c).xy), ITEM, o);
}

kernel void whole_2d(read_only image2d_t a, sampler_t s, global const int *c, global float *o)
{
    vstore4(read_imagef(a, s, INTS(c).xy), ITEM, o);
}

kernel void whole_2d_array(read_only image2d_array_t a, sampler_t s, global const int *c, global float *o)
{
    vstore4(read_imagef(a, s, INTS(c)), ITEM, o);
}

kernel void whole_3d(read_only image3d_t a, sampler_t s, global const int *c, global float *o)
{
    vstore4(read_imagef(a, s, INTS(c)), ITEM, o);
}

kernel void whole_2d_int(read_only image2d_t a, sampler_t s, global const int *c, global int *o)
{
    vstore4(read_imagei(a, s, INTS(c).xy), ITEM, o);
}

kernel void whole_2d_uint(read_only image2d_t a, sampler_t s, global const int *c, global uint *o)
{
    vstore4(read_imageui(a, s, INTS(c).xy), ITEM, o);
}

kernel void sample_2d_int(read_only image2d_t a, sampler_t s, global const float *c, global int *o)
{
    vstore4(read_imagei(a, s, FLOATS(c).xy), ITEM, o);
}

kernel void sample_3d_uint(read_only image3d_t a, sampler_t s, global const float *c, global uint *o)
{
    vstore4(read_imageui(a, s, FLOATS(c)), ITEM, o);
}

// ---- without a sampler; coordinates are inside

kernel void load_1d(read_only image1d_t a, global const int *c, global float *o)
{
    vstore4(read_imagef(a, INTS(c).x), ITEM, o);
}

kernel void load_1d_array(read_only image1d_array_t a, global const int *c, global float *o)
{
    vstore4(read_imagef(a, INTS(c).xy), ITEM, o);
}

kernel void load_1d_buffer(read_only image1d_buffer_t a, global const int *c, global float *o)
{
    vstore4(read_imagef(a, INTS(c).x), ITEM, o);
}

kernel void load_2d(read_only image2d_t a, global const int *c, global float *o)
{
    vstore4(read_imagef(a, INTS(c).xy), ITEM, o);
}

kernel void load_2d_array(read_only image2d_array_t a, global const int *c, global float *o)
{
    vstore4(read_imagef(a, INTS(c)), ITEM, o);
}

kernel void load_3d(read_only image3d_t a, global const int *c, global float *o)
{
    vstore4(read_imagef(a, INTS(c)), ITEM, o);
}

kernel void load_2d_int(read_only image2d_t a, global const int *c, global int *o)
{
    vstore4(read_imagei(a, INTS(c).xy), ITEM, o);
}

kernel void load_2d_uint(read_only image2d_t a, global const int *c, global uint *o)
{
    vstore4(read_imageui(a, INTS(c).xy), ITEM, o);
}

// In a branch that channels take alone.
kernel void load_some(read_only image2d_t a, sampler_t s, global const int *c, global float *o)
{
    int4 p = INTS(c);
    float4 v = (float4)(-1.0f);

    if (p.x % 3 == 0)
        v = read_imagef(a, p.xy);
    else if (p.y % 2 == 0)
        v = read_imagef(a, s, p.xy) + 1.0f;
    vstore4(v, ITEM, o);
}

// ---- writes

kernel void store_1d(write_only image1d_t a, global const float *v)
{
    write_imagef(a, ITEM, vload4(ITEM, v));
}

kernel void store_1d_array(write_only image1d_array_t a, global const float *v)
{
    write_imagef(a, (int2)(ITEM % 16, ITEM / 16), vload4(ITEM, v));
}

kernel void store_1d_buffer(write_only image1d_buffer_t a, global const float *v)
{
    write_imagef(a, ITEM, vload4(ITEM, v));
}

kernel void store_2d(write_only image2d_t a, global const float *v)
{
    write_imagef(a, (int2)(ITEM % 16, ITEM / 16), vload4(ITEM, v));
}

kernel void store_2d_array(write_only image2d_array_t a, global const float *v)
{
    write_imagef(a, (int4)(ITEM % 4, ITEM / 4 % 4, ITEM / 16, 0), vload4(ITEM, v));
}

kernel void store_2d_int(write_only image2d_t a, global const int *v)
{
    write_imagei(a, (int2)(ITEM % 16, ITEM / 16), vload4(ITEM, v));
}

kernel void store_2d_uint(write_only image2d_t a, global const uint *v)
{
    write_imageui(a, (int2)(ITEM % 16, ITEM / 16), vload4(ITEM, v));
}

// ---- samplers of the source

constant sampler_t none_nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
constant sampler_t clamp_nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t edge_linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant sampler_t repeat_nearest = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;
constant sampler_t mirror_linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;

kernel void declared(read_only image2d_t a, global const float *c, global float *o)
{
    float4 p = FLOATS(c);
    float2 q = fmod(fabs(p.xy), 8.0f);

    vstore4(read_imagef(a, none_nearest, q), ITEM * 5, o);
    vstore4(read_imagef(a, clamp_nearest, p.xy), ITEM * 5 + 1, o);
    vstore4(read_imagef(a, edge_linear, p.xy), ITEM * 5 + 2, o);
    vstore4(read_imagef(a, repeat_nearest, p.xy), ITEM * 5 + 3, o);
    vstore4(read_imagef(a, mirror_linear, p.xy), ITEM * 5 + 4, o);
}

// ---- what an image is

kernel void queries(read_only image1d_t a, read_only image1d_array_t b, read_only image2d_t c, read_only image2d_array_t d, read_only image3d_t e, read_only image1d_buffer_t f, sampler_t s, global int *o)
{
    int2 flat = get_image_dim(c), layered = get_image_dim(d);
    int4 deep = get_image_dim(e);

    o[0] = get_image_width(a);
    o[1] = get_image_width(b);
    o[2] = get_image_array_size(b);
    o[3] = flat.x;
    o[4] = flat.y;
    o[5] = layered.x;
    o[6] = layered.y;
    o[7] = get_image_array_size(d);
    o[8] = deep.x;
    o[9] = deep.y;
    o[10] = deep.z;
    o[11] = deep.w;
    o[12] = get_image_width(f);
    o[13] = get_image_channel_data_type(a);
    o[14] = get_image_channel_order(a);
    o[15] = get_image_channel_data_type(c);
    o[16] = get_image_channel_order(c);
    o[17] = get_image_height(e);
    o[18] = get_image_depth(e);
    o[19] = get_image_channel_data_type(d);
    o[20] = get_image_channel_order(d);
}

// A small filter, as programs have it: 3 x 3 sums around each texel.
kernel void blur(read_only image2d_t a, write_only image2d_t b, sampler_t s)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0.0f;

    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            sum += read_imagef(a, s, p + (int2)(x, y)) * ((x ? 1 : 2) * (y ? 1 : 2) * 0.0625f);
    write_imagef(b, p, sum);
}

kernel void transpose(read_only image2d_t a, write_only image2d_t b)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));

    write_imageui(b, p.yx, read_imageui(a, p));
}
