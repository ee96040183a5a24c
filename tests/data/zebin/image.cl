// Images, a sampler argument, a sampler of the source.
constant sampler_t edge = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;

kernel void image(read_only image2d_t in, write_only image3d_t out, sampler_t s)
{
    int2 at = (int2)(get_global_id(0), get_image_width(in));
    write_imagef(out, (int4)(at, 0, 0), read_imagef(in, s, at) + read_imagef(in, edge, (float2)(at.x)));
}
