/* SPDX-License-Identifier: MIT
 *
 * Graphs, whose edges are in compressed rows: those of node n are columns[rows[n]] up to
 * columns[rows[n + 1]]. */
#pragma OPENCL FP_CONTRACT OFF

/* Breadth-first search: nodes of a level put neighbours not yet seen into the next one's set. */
kernel void bfs_push(global const uint *rows, global const uint *columns,
                     global const int *levels, global uint *next, global uint *parents,
                     global uint *found, int level)
{
    uint node = get_global_id(0);

    if (levels[node] != level)
        return;
    uint end = rows[node + 1];
    for (uint k = rows[node]; k < end; k++) {
        uint other = columns[k];
        if (levels[other] >= 0)
            continue;
        uint bit = 1u << (other % 32);
        if ((atomic_or(&next[other / 32], bit) & bit) == 0)
            atomic_inc(found);
        atomic_max(&parents[other], node);
    }
}

/* Breadth-first search: nodes not yet seen look for a neighbour of the level. */
kernel void bfs_pull(global const uint *rows, global const uint *columns,
                     global const int *levels, global int *out, int level)
{
    uint node = get_global_id(0);
    int mine = levels[node];

    if (mine < 0) {
        uint end = rows[node + 1];
        for (uint k = rows[node]; k < end; k++) {
            if (levels[columns[k]] == level) {
                mine = level + 1;
                break;
            }
        }
    }
    out[node] = mine;
}

/* A round of page rank; nodes gather. */
kernel void page_rank(global const uint *rows, global const uint *columns,
                      global const float *ranks, global const uint *degrees, global float *out,
                      float damping, uint nodes)
{
    uint node = get_global_id(0);
    uint end = rows[node + 1];
    float sum = 0;

    for (uint k = rows[node]; k < end; k++) {
        uint other = columns[k];
        sum += ranks[other] / (float)degrees[other];
    }
    out[node] = (1 - damping) / (float)nodes + damping * sum;
}

/* Triangles of each node with later ones; neighbours are in order, as gaps between them. */
kernel void triangles(global const uint *rows, global const uchar *gaps, global uint *counts,
                      uint nodes)
{
    uint node = get_global_id(0);
    uint end = rows[node + 1], other = node, total = 0;

    for (uint k = rows[node]; k + 1 < end; k++) {
        other += gaps[k];
        if (other >= nodes)
            break;
        uint i = k + 1, j = rows[other], last = rows[other + 1];
        if (j == last)
            continue;
        uint a = other + gaps[i], b = other + gaps[j];
        while (max(a, b) < nodes) {
            bool next_a = a <= b, next_b = b <= a;
            if (next_a && next_b)
                total++;
            if (next_a) {
                if (++i == end)
                    break;
                a += gaps[i];
            }
            if (next_b) {
                if (++j == last)
                    break;
                b += gaps[j];
            }
        }
    }
    counts[node] = total;
}

/* Shortest paths, a round after Bellman and Ford over all edges of the active nodes. */
kernel void relax_edges(global const uint *rows, global const uint *columns,
                        global const ushort *weights, global const uchar *active,
                        global const uint *distances, global uint *out, global uint *changes)
{
    uint node = get_global_id(0);

    if (!active[node])
        return;
    uint here = distances[node], end = rows[node + 1];
    for (uint k = rows[node]; k < end; k++) {
        uint other = columns[k];
        uint far = here + weights[k];
        if (far < distances[other]) {
            atomic_min(&out[other], far);
            atomic_inc(changes);
        }
    }
}

static uint priority_of(uint node, uint seed)
{
    uint x = node ^ seed;

    x = (x ^ x >> 16) * 0x45d9f3bu;
    x = (x ^ x >> 16) * 0x45d9f3bu;
    return x ^ x >> 16;
}

/* A round of colouring after Jones and Plassmann: 0 is no colour. */
kernel void colour_nodes(global const uint *rows, global const uint *columns,
                         global const uchar *colours, global uchar *out, uint seed)
{
    uint node = get_global_id(0);
    uint end = rows[node + 1];
    uint own = priority_of(node, seed);
    uchar mine = colours[node];
    ulong used = 1;

    for (uint k = rows[node]; k < end && mine == 0; k++) {
        uint other = columns[k];
        uchar colour = colours[other];
        if (colour != 0)
            used |= 1ul << colour;
        else if (priority_of(other, seed) > own)
            break;
        if (k + 1 == end)
            mine = (uchar)(63 - clz(~used & (used + 1)));
    }
    out[node] = mine;
}

/* Connected components: edges hook the parents of their ends to each other. */
kernel void hook_parents(global const uint2 *edges, global const uint *parents, global uint *out)
{
    uint2 edge = edges[get_global_id(0)];
    uint a = parents[edge.x], b = parents[edge.y];

    if (a != b)
        atomic_min(&out[max(a, b)], min(a, b));
}

/* Connected components: nodes jump from parent to parent up to the root. */
kernel void jump_parents(global const uint *parents, global uint *roots, global uchar *depths)
{
    uint node = get_global_id(0);
    uint at = node;
    uchar depth = 0;

    while (parents[at] != at) {
        at = parents[at];
        depth++;
    }
    roots[node] = at;
    depths[node] = depth;
}
