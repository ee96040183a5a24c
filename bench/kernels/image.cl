// Eight samples a work-item beside each other, with coordinates between texels or at them; texels by number; one texel
// read and written. A kernel for each format, since tables know kernels by their names.
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

#define BETWEEN (float2)(x + i * 1.25f - 3, y + i * 0.75f - 2)
#define SUM(name, ...)                                                                                                    \
    kernel void name(read_only image2d_t in, global float4 *out)                                                          \
    {                                                                                                                     \
        int x = get_global_id(0), y = get_global_id(1);                                                                   \
        float4 sum = 0;                                                                                                   \
                                                                                                                          \
        for (int i = 0; i < 8; i++)                                                                                       \
            sum += read_imagef(in, __VA_ARGS__);                                                                          \
        out[y * get_global_size(0) + x] = sum;                                                                            \
    }

#define KERNELS(format)                                                                                                   \
    SUM(nearest_##format, nearest, BETWEEN)                                                                               \
    SUM(linear_##format, linear, BETWEEN)                                                                                 \
    SUM(number_##format, (int2)(x + i & 1023, y + i & 1023))                                                              \
    kernel void copy_##format(read_only image2d_t in, write_only image2d_t out)                                           \
    {                                                                                                                     \
        int2 at = (int2)(get_global_id(0), get_global_id(1));                                                             \
                                                                                                                          \
        write_imagef(out, at, read_imagef(in, nearest, at));                                                              \
    }

KERNELS(rgba8)
KERNELS(rgbah)
KERNELS(rgbaf)
KERNELS(rf)
