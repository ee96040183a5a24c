/* SPDX-License-Identifier: MIT
 *
 * Simulations: particles, flows, waves, light. */
#pragma OPENCL FP_CONTRACT OFF

/* Lennard-Jones forces and energy from lists of up to 64 neighbours, within a cutoff. */
kernel void lj_forces(global const float4 *atoms, global const uint *neighbours,
                      global const uchar *counts, global float4 *forces, uint n, float cutoff)
{
    uint i = get_global_id(0), count = counts[i];
    float4 me = atoms[i], out = 0;

    for (uint k = 0; k < count; k++) {
        uint j = neighbours[k * n + i];
        float4 other = atoms[j];
        float dx = me.x - other.x, dy = me.y - other.y, dz = me.z - other.z;
        float square = dx * dx + dy * dy + dz * dz;
        if (j == i || square >= cutoff * cutoff)
            continue;
        float inverse = 1.0f / fmax(square, 0.8f);
        float sixth = inverse * inverse * inverse;
        float force = 24.0f * inverse * sixth * (2.0f * sixth - 1.0f);
        out += (float4)(force * dx, force * dy, force * dz, 2.0f * sixth * (sixth - 1.0f));
    }
    forces[i] = out;
}

constant int step_x[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
constant int step_y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
constant int opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
constant float weights[9] = {4.0f / 9,  1.0f / 9,  1.0f / 9,  1.0f / 9, 1.0f / 9,
                             1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

/* Lattice Boltzmann, D2Q9: streams from neighbours around a torus, collides; walls bounce. */
kernel void lbm_d2q9(global const float *in, global const uchar *kinds, global float *out,
                     int width, int height, float omega)
{
    int x = get_global_id(0), y = get_global_id(1), at = y * width + x, cells = width * height;
    float f[9], density = 0, vx = 0, vy = 0;

    for (int k = 0; k < 9; k++) {
        int from_x = x - step_x[k], from_y = y - step_y[k];
        from_x += from_x < 0 ? width : from_x >= width ? -width : 0;
        from_y += from_y < 0 ? height : from_y >= height ? -height : 0;
        f[k] = in[k * cells + from_y * width + from_x];
        density += f[k];
        vx += f[k] * step_x[k];
        vy += f[k] * step_y[k];
    }
    if (kinds[at] == 0) {
        for (int k = 0; k < 9; k++)
            out[opposite[k] * cells + at] = f[k];
        return;
    }
    vx /= density;
    vy /= density;
    float square = 1.5f * (vx * vx + vy * vy);
    for (int k = 0; k < 9; k++) {
        float along = 3.0f * (step_x[k] * vx + step_y[k] * vy);
        float even = weights[k] * density * (1.0f + along + 0.5f * along * along - square);
        out[k * cells + at] = f[k] + omega * (even - f[k]);
    }
}

/* Heat spreads for 4 steps through a tile of 24x24 in local memory, of which 16x16 stay right. */
kernel void heat_tile(global const float *in, global const float *conduct, global float *out,
                      int width, int height)
{
    local float heat[2][24][24], rate[24][24];
    int lx = get_local_id(0), ly = get_local_id(1);
    int left = (int)get_group_id(0) * 16 - 4, top = (int)get_group_id(1) * 16 - 4;

    for (int y = ly; y < 24; y += 16) {
        for (int x = lx; x < 24; x += 16) {
            int at = clamp(top + y, 0, height - 1) * width + clamp(left + x, 0, width - 1);
            heat[0][y][x] = in[at];
            rate[y][x] = conduct[at];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 0; step < 4; step++) {
        int now = step & 1, edge = step + 1;
        for (int y = ly; y < 24; y += 16) {
            for (int x = lx; x < 24; x += 16) {
                if (x < edge || x >= 24 - edge || y < edge || y >= 24 - edge)
                    continue;
                float old = heat[now][y][x];
                heat[1 - now][y][x] =
                    old + rate[y][x] * (heat[now][y][x - 1] + heat[now][y][x + 1]
                                        + heat[now][y - 1][x] + heat[now][y + 1][x] - 4.0f * old);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(1) * width + get_global_id(0)] = heat[0][ly + 4][lx + 4];
}

/* How many particles are in each of 32x32 cells, and their mass; 16 a work-item. */
kernel void cells_bin(global const float2 *places, global const uint *masses,
                      global uint *counts, global uint *sums)
{
    local uint count[1024], sum[1024];
    uint l = get_local_id(0), n = get_local_size(0);
    uint first = get_group_id(0) * n * 16 + l;

    for (uint i = l; i < 1024; i += n)
        count[i] = sum[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 16; k++) {
        float2 place = places[first + k * n] * 32.0f;
        uint cell = (uint)clamp((int)place.y, 0, 31) * 32 + (uint)clamp((int)place.x, 0, 31);
        atomic_inc(&count[cell]);
        atomic_add(&sum[cell], masses[first + k * n]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = l; i < 1024; i += n) {
        if (count[i] > 0) {
            atomic_add(&counts[i], count[i]);
            atomic_add(&sums[i], sum[i]);
        }
    }
}

/* A step of a wave through a volume: 4th order; a work-item goes along a column of it. */
kernel void wave_march(global const float *now, global const float *before, global float *out,
                       int width, int height, int depth, float speed)
{
    int x = get_global_id(0), y = get_global_id(1), plane = width * height;
    int near_x[4] = {max(x - 1, 0), min(x + 1, width - 1), max(x - 2, 0), min(x + 2, width - 1)};
    int near_y[4] = {max(y - 1, 0), min(y + 1, height - 1), max(y - 2, 0), min(y + 2, height - 1)};
    int mine = y * width + x;
    float column[5];

    column[1] = column[2] = column[3] = now[mine];
    column[4] = now[min(1, depth - 1) * plane + mine];
    for (int z = 0; z < depth; z++) {
        for (int k = 0; k < 4; k++)
            column[k] = column[k + 1];
        column[4] = now[min(z + 2, depth - 1) * plane + mine];
        global const float *slice = now + z * plane;
        float close = column[1] + column[3], far = column[0] + column[4];
        for (int k = 0; k < 2; k++) {
            close += slice[y * width + near_x[k]] + slice[near_y[k] * width + x];
            far += slice[y * width + near_x[k + 2]] + slice[near_y[k + 2] * width + x];
        }
        float laplace = (16.0f * close - far - 90.0f * column[2]) * (1.0f / 12);
        int at = z * plane + mine;
        out[at] = 2.0f * column[2] - before[at] + speed * laplace;
    }
}

/* Nearest of the spheres that the ray of each pixel meets, its shade. */
kernel void ray_spheres(global const float4 *spheres, global float2 *out, int count, int width,
                        int height)
{
    int px = get_global_id(0), py = get_global_id(1), hit = -1;
    float dx = (px + 0.5f - 0.5f * width) / width, dy = (py + 0.5f - 0.5f * height) / width;
    float square = dx * dx + dy * dy + 1.0f, nearest = 1e6f, shade = 0;

    for (int i = 0; i < count; i++) {
        float4 s = spheres[i];
        float z = s.z + 12.0f, size = 0.2f + 0.1f * fabs(s.w);
        float b = dx * s.x + dy * s.y + z, c = s.x * s.x + s.y * s.y + z * z - size * size;
        float inside = b * b - square * c;
        if (inside < 0)
            continue;
        float t = (b - sqrt(inside)) / square;
        if (t > 0 && t < nearest) {
            nearest = t;
            hit = i;
        }
    }
    if (hit >= 0) {
        float4 s = spheres[hit];
        float along_x = nearest * dx - s.x, along_y = nearest * dy - s.y;
        float along = 0.48f * along_x - 0.6f * along_y - 0.64f * (nearest - s.z - 12.0f);
        shade = fmax(0.0f, along / (0.2f + 0.1f * fabs(s.w)));
    }
    out[py * width + px] = (float2)(shade, hit >= 0 ? nearest : 0.0f);
}
