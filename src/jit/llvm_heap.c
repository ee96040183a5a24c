/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* MADV_HUGEPAGE */
#include "jit/llvm_heap.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* Addresses are reserved at once, and divided into chunks of a huge page each, which get memory
 * one after the other and belong to one thread's pool each. Chunks are cut into blocks of some
 * hundred sizes; a block keeps its size, and waits in a list of that size when it is free.
 *
 * The state is the process's, as malloc()'s is. */
enum {
    CHUNK_BITS = 21,
    CHUNK_BYTES = 1 << CHUNK_BITS,
    CHUNKS = 2048,
    POOLS = 64,
    /* Blocks begin at multiples of it, and sizes up to SMALL are. */
    ROW = 16,
    SMALL_BITS = 10,
    SMALL = 1 << SMALL_BITS,
    /* Larger blocks are the C library's, which maps them one by one. */
    LARGE_BITS = 19,
    /* Sizes between a power of two and the next, as bits. */
    STEP_BITS = 2,
    SMALL_SIZES = SMALL / ROW,
    SIZES = SMALL_SIZES + ((LARGE_BITS - SMALL_BITS) << STEP_BITS),
    /* Chunks without a block in use that all pools together keep, but for one each: what a
     * usual compilation takes. */
    MOST_EMPTY = 8,
    NONE = CHUNKS
};

#define SPACE ((size_t)CHUNKS << CHUNK_BITS)

/* In front of what a block is given out as: which of SIZES, and how many bytes it is behind the
 * block's own start, to be aligned. */
typedef struct head {
    _Alignas(ROW) uint32_t size;
    uint32_t ahead;
} head;

typedef struct free_block {
    struct free_block *next;
} free_block;

typedef struct pool {
    free_block *free[SIZES];
    /* What is not cut yet of the chunk that is being cut, which ends there too. */
    char *at, *end;
    /* Chunks with blocks, and those without, and without memory: linked by chunk.next. */
    unsigned chunks, spare;
    /* How many of the first have no block in use. */
    unsigned empty;
    /* By other threads. */
    _Atomic(free_block *) returned;
    atomic_bool is_taken;
} pool;

typedef struct chunk {
    pool *owner;
    unsigned used; /* blocks */
    unsigned next;
} chunk;

/* No address is as close above it as SPACE. */
#define NOWHERE ((uintptr_t)1 << 63)

static atomic_uintptr_t start = NOWHERE;
static atomic_uint made; /* chunks that ever had an owner */
static atomic_uint all_empty;
static chunk chunks[CHUNKS];
static pool pools[POOLS];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static _Thread_local pool *mine;
static _Thread_local bool is_without;

static unsigned size_for(size_t bytes)
{
    if (bytes <= SMALL)
        return bytes ? (unsigned)((bytes - 1) / ROW) : 0;
    unsigned bits = 63 - (unsigned)__builtin_clzll(bytes - 1);
    size_t above = bytes - 1 - ((size_t)1 << bits);
    return SMALL_SIZES + ((bits - SMALL_BITS) << STEP_BITS) +
           (unsigned)(above >> (bits - STEP_BITS));
}

static size_t bytes_of(unsigned size)
{
    if (size < SMALL_SIZES)
        return (size_t)(size + 1) * ROW;
    unsigned step = size - SMALL_SIZES;
    unsigned bits = SMALL_BITS + (step >> STEP_BITS);
    return ((size_t)1 << bits) + ((size_t)(step % (1 << STEP_BITS) + 1) << (bits - STEP_BITS));
}

static chunk *chunk_of(const void *p)
{
    uintptr_t from = atomic_load_explicit(&start, memory_order_relaxed);

    return &chunks[((uintptr_t)p - from) >> CHUNK_BITS];
}

static char *memory_of(unsigned index)
{
    return (char *)atomic_load_explicit(&start, memory_order_relaxed) +
           ((size_t)index << CHUNK_BITS);
}

static head *head_of(const void *p)
{
    return (head *)((uintptr_t)p - sizeof(head));
}

/* The block that P was aligned in. */
static free_block *block_of(void *p)
{
    return (free_block *)((char *)p - head_of(p)->ahead);
}

static void put_back(pool *own, free_block *block)
{
    unsigned size = head_of(block)->size;

    block->next = own->free[size];
    own->free[size] = block;
}

/* Is there no block in use in a chunk, and none to be cut? */
static bool is_idle(const pool *own, const chunk *one)
{
    return one->used == 0 && !(own->at && one == chunk_of(own->end - 1));
}

/* Gives the system back the memory of idle chunks. */
static void sweep(pool *own)
{
    for (unsigned i = 0; i < SIZES; i++)
        for (free_block **link = &own->free[i]; *link;) {
            if (is_idle(own, chunk_of(*link)))
                *link = (*link)->next;
            else
                link = &(*link)->next;
        }
    for (unsigned *link = &own->chunks; *link != NONE;) {
        unsigned index = *link;
        chunk *one = &chunks[index];
        if (!is_idle(own, one)) {
            link = &one->next;
            continue;
        }
        (void)madvise(memory_of(index), CHUNK_BYTES, MADV_DONTNEED);
        *link = one->next;
        one->next = own->spare;
        own->spare = index;
        own->empty--;
        atomic_fetch_sub_explicit(&all_empty, 1, memory_order_relaxed);
    }
}

static void count_empty(pool *own)
{
    own->empty++;
    if (atomic_fetch_add_explicit(&all_empty, 1, memory_order_relaxed) >= MOST_EMPTY &&
        own->empty > 1)
        sweep(own);
}

static void end_use(pool *own, free_block *block)
{
    put_back(own, block);
    if (--chunk_of(block)->used == 0)
        count_empty(own);
}

static void collect(pool *own)
{
    free_block *block = atomic_exchange_explicit(&own->returned, NULL, memory_order_acquire);

    while (block) {
        free_block *next = block->next;
        end_use(own, block);
        block = next;
    }
}

static void leave(void *p)
{
    pool *own = p;

    mine = NULL;
    collect(own);
    if (own->at && chunk_of(own->end - 1)->used == 0)
        own->at = own->end = NULL;
    sweep(own);
    atomic_store_explicit(&own->is_taken, false, memory_order_release);
}

static void reserve(void)
{
    struct rlimit limit;

    for (unsigned i = 0; i < POOLS; i++)
        pools[i].chunks = pools[i].spare = NONE;
    /* Where addresses are counted, they are left to others. */
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY)
        return;
    char *all = mmap(NULL, SPACE + CHUNK_BYTES, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return;
    char *aligned = all + (-(uintptr_t)all & (CHUNK_BYTES - 1));
    (void)munmap(aligned + SPACE, (size_t)(all + CHUNK_BYTES - aligned));
    if (aligned != all)
        (void)munmap(all, (size_t)(aligned - all));
    if (pthread_key_create(&key, leave) != 0) {
        (void)munmap(aligned, SPACE);
        return;
    }
    (void)madvise(aligned, SPACE, MADV_HUGEPAGE);
    atomic_store_explicit(&start, (uintptr_t)aligned, memory_order_relaxed);
}

static pool *find_pool(void)
{
    (void)pthread_once(&once, reserve);
    if (atomic_load_explicit(&start, memory_order_relaxed) == NOWHERE)
        return NULL;
    for (unsigned i = 0; i < POOLS; i++) {
        if (atomic_exchange_explicit(&pools[i].is_taken, true, memory_order_acquire))
            continue;
        if (pthread_setspecific(key, &pools[i]) == 0)
            return &pools[i];
        atomic_store_explicit(&pools[i].is_taken, false, memory_order_release);
        return NULL;
    }
    return NULL;
}

/* The calling thread's pool. NULL: there are no addresses, or were more threads than pools when
 * it first asked. */
static pool *own_pool(void)
{
    if (!mine && !is_without) {
        mine = find_pool();
        is_without = !mine;
    }
    return mine;
}

static free_block *cut_block(pool *own, unsigned size)
{
    head *front = (head *)own->at;

    front->size = size;
    front->ahead = 0;
    own->at += sizeof(head) + bytes_of(size);
    return (free_block *)(front + 1);
}

/* A chunk that was never anybody's; NONE: there is no more, or no more memory. */
static unsigned make_chunk(void)
{
    unsigned index = atomic_load_explicit(&made, memory_order_relaxed);

    if (index < CHUNKS)
        index = atomic_fetch_add_explicit(&made, 1, memory_order_relaxed);
    if (index >= CHUNKS || mprotect(memory_of(index), CHUNK_BYTES, PROT_READ | PROT_WRITE) != 0)
        return NONE;
    return index;
}

static bool begin_chunk(pool *own)
{
    unsigned index = own->spare;

    if (index != NONE)
        own->spare = chunks[index].next;
    else if ((index = make_chunk()) == NONE)
        return false;
    chunks[index] = (chunk){.owner = own, .next = own->chunks};
    own->chunks = index;
    own->at = memory_of(index);
    own->end = own->at + CHUNK_BYTES;
    count_empty(own);
    return true;
}

static free_block *find_block(pool *own, unsigned size)
{
    free_block *found = own->free[size];

    if (!found && atomic_load_explicit(&own->returned, memory_order_relaxed)) {
        collect(own);
        found = own->free[size];
    }
    if (found) {
        own->free[size] = found->next;
        return found;
    }
    if ((size_t)(own->end - own->at) < sizeof(head) + bytes_of(size) && !begin_chunk(own))
        return NULL;
    return cut_block(own, size);
}

void *vsg_llvm_heap_take(size_t bytes, size_t alignment)
{
    size_t more = alignment > ROW ? alignment - ROW : 0;

    if (bytes > (size_t)1 << LARGE_BITS || more > ((size_t)1 << LARGE_BITS) - bytes)
        return NULL;
    pool *own = own_pool();
    free_block *block = own ? find_block(own, size_for(bytes + more)) : NULL;
    if (!block)
        return NULL;
    if (chunk_of(block)->used++ == 0) {
        own->empty--;
        atomic_fetch_sub_explicit(&all_empty, 1, memory_order_relaxed);
    }
    size_t ahead = -(uintptr_t)block & (alignment - 1);
    char *p = (char *)block + ahead;
    if (ahead > 0) {
        head_of(p)->size = head_of(block)->size;
        head_of(p)->ahead = (uint32_t)ahead;
    }
    return p;
}

bool vsg_llvm_heap_has(const void *p)
{
    return (uintptr_t)p - atomic_load_explicit(&start, memory_order_relaxed) < SPACE;
}

size_t vsg_llvm_heap_size(const void *p)
{
    const head *front = head_of(p);

    return bytes_of(front->size) - front->ahead;
}

void vsg_llvm_heap_give(void *p)
{
    free_block *block = block_of(p);
    pool *owner = chunk_of(block)->owner;

    if (owner == mine) {
        end_use(owner, block);
        return;
    }
    free_block *first = atomic_load_explicit(&owner->returned, memory_order_relaxed);
    do
        block->next = first;
    while (!atomic_compare_exchange_weak_explicit(&owner->returned, &first, block,
                                                  memory_order_release, memory_order_relaxed));
}
