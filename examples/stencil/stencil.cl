/* SPDX-License-Identifier: MIT
 *
 * Blurs a picture of one byte a pixel: each pixel becomes the mean of its 3 x 3 neighbours
 * with the weights 1 2 1, 2 4 2, 1 2 1 (sum 16), rounded to nearest. Beyond the border the
 * border's own pixels count again.
 */
kernel void stencil(global const uchar *in, global uchar *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    int width = get_global_size(0), height = get_global_size(1);
    int left = max(x - 1, 0), right = min(x + 1, width - 1);
    uint sum = 8;

    for (int dy = -1; dy <= 1; dy++) {
        int row = clamp(y + dy, 0, height - 1) * width;
        uint line = in[row + left] + 2 * in[row + x] + in[row + right];

        sum += dy == 0 ? 2 * line : line;
    }
    out[y * width + x] = (uchar)(sum / 16);
}
