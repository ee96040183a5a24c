/* Kernels without loops over lines of pixels. `lead` lies behind the first place of `in` that
 * they read. */

/* Few accesses. */
kernel void cross(global uint *out, global const uint *in, int pitch, int lead)
{
    int x = get_global_id(0), y = get_global_id(1);
    int at = lead + y * pitch + x;

    out[y * get_global_size(0) + x] =
        in[at] + 3 * in[at - 1] + 5 * in[at + 1] + 7 * in[at - pitch] + 11 * in[at + pitch];
}

/* Many. */
kernel void square(global uint *out, global const uint *in, int pitch, int lead)
{
    int x = get_global_id(0), y = get_global_id(1);
    int b = lead + y * pitch + x, a = b - pitch, c = b + pitch;

    out[y * get_global_size(0) + x] = in[a - 1] + 2 * in[a] + 3 * in[a + 1] + 4 * in[b - 1] +
                                      5 * in[b] + 6 * in[b + 1] + 7 * in[c - 1] + 8 * in[c] +
                                      9 * in[c + 1];
}

/* Many bytes, one to one. */
kernel void bytes(global uchar *out, global const uchar *in, int pitch, int lead)
{
    int x = get_global_id(0), y = get_global_id(1);
    int b = lead + y * pitch + x, a = b - pitch, c = b + pitch;

    out[y * get_global_size(0) + x] = in[a - 1] ^ in[a] ^ in[a + 1] ^ in[b - 1] ^ in[b] * 3 ^
                                      in[b + 1] ^ in[c - 1] ^ in[c] ^ in[c + 1];
}

/* Backwards, every second one, and not all of them. */
kernel void backwards(global uint *out, global const uint *in, int pitch, int lead)
{
    int x = get_global_id(0), y = get_global_id(1);
    uint sum = in[lead + y * pitch - x] + 3 * in[lead + y * pitch + 2 * x];

    if (x % 3)
        out[y * get_global_size(0) + x] = sum;
}
