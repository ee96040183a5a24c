/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* MADV_HUGEPAGE */
#include "jit/llvm_heap.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

/* Addresses are reserved at once, and divided into chunks of a huge page each, which belong to
 * one thread's part. Chunks are cut into blocks of some hundred sizes; a block keeps its size,
 * and waits in a list of that size when it is free. */
enum {
    CHUNK_BITS = 21,
    CHUNK_BYTES = 1 << CHUNK_BITS,
    CHUNKS = 2048,
    PARTS = 64,
    ROW = 16, /* block sizes up to SMALL are multiples of it, all of them aligned to it */
    SMALL_BITS = 10,
    SMALL = 1 << SMALL_BITS,
    LARGE_BITS = 19, /* larger blocks are the C library's, which maps them one by one */
    STEP_BITS = 2,   /* four sizes between a power of two and the next */
    SMALL_SIZES = SMALL / ROW,
    SIZES = SMALL_SIZES + ((LARGE_BITS - SMALL_BITS) << STEP_BITS),
    KEPT = 8, /* chunks without a block in use that keep their memory: a usual compilation's */
    NONE = CHUNKS
};

#define SPACE ((size_t)CHUNKS << CHUNK_BITS)

/* In front of what a block is given out as. */
typedef struct head {
    uint32_t size; /* which of SIZES */
    uint32_t
        ahead; /* bytes from the block's start, behind a head, to where it was aligned to */
    uint64_t unused;
} head;

typedef struct free_block {
    struct free_block *next;
} free_block;

typedef struct part {
    free_block *free[SIZES];
    char *at;        /* what is not cut yet of the chunk that is being cut, */
    char *end;       /* which is the one that ends here */
    unsigned chunks; /* those with blocks, linked by chunk.next; NONE ends them */
    unsigned spare;  /* those without, and without memory */
    unsigned empty;  /* how many of CHUNKS have no block in use */
    _Atomic(free_block *) returned; /* by other threads */
    atomic_bool is_taken;
} part;

typedef struct chunk {
    part *owner;
    unsigned used; /* blocks */
    unsigned next;
} chunk;

/* No address is as close above it as SPACE. */
#define NOWHERE ((uintptr_t)1 << 63)

static atomic_uintptr_t start = NOWHERE;
static atomic_uint made; /* chunks that ever had an owner */
static chunk chunks[CHUNKS];
static part parts[PARTS];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static _Thread_local part *mine;

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

static void keep(part *own, free_block *block)
{
    unsigned size = head_of(block)->size;

    block->next = own->free[size];
    own->free[size] = block;
}

/* Gives the system back the memory of chunks that have no block in use. */
static void sweep(part *own)
{
    chunk *cut = own->at ? chunk_of(own->end - 1) : NULL;

    for (unsigned i = 0; i < SIZES; i++)
        for (free_block **link = &own->free[i]; *link;) {
            const chunk *of = chunk_of(*link);
            if (!of->used && of != cut)
                *link = (*link)->next;
            else
                link = &(*link)->next;
        }
    for (unsigned *link = &own->chunks; *link != NONE;) {
        unsigned index = *link;
        chunk *one = &chunks[index];
        if (one->used || one == cut) {
            link = &one->next;
            continue;
        }
        (void)madvise(memory_of(index), CHUNK_BYTES, MADV_DONTNEED);
        *link = one->next;
        one->next = own->spare;
        own->spare = index;
    }
    own->empty = cut && !cut->used;
}

static void end_use(part *own, free_block *block)
{
    chunk *of = chunk_of(block);

    keep(own, block);
    if (--of->used == 0 && ++own->empty > KEPT)
        sweep(own);
}

static void collect(part *own)
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
    part *own = p;

    mine = NULL;
    collect(own);
    sweep(own);
    atomic_store_explicit(&own->is_taken, false, memory_order_release);
}

static void reserve(void)
{
    char *all = mmap(NULL, SPACE + CHUNK_BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    for (unsigned i = 0; i < PARTS; i++)
        parts[i].chunks = parts[i].spare = NONE;
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

/* The calling thread's part, or NULL: there are no addresses, or more threads than parts. */
static part *own_part(void)
{
    if (mine)
        return mine;
    (void)pthread_once(&once, reserve);
    if (atomic_load_explicit(&start, memory_order_relaxed) == NOWHERE)
        return NULL;
    for (unsigned i = 0; i < PARTS; i++)
        if (!atomic_exchange_explicit(&parts[i].is_taken, true, memory_order_acquire)) {
            if (pthread_setspecific(key, &parts[i]) != 0) {
                atomic_store_explicit(&parts[i].is_taken, false, memory_order_release);
                return NULL;
            }
            mine = &parts[i];
            break;
        }
    return mine;
}

static free_block *cut(part *own, unsigned size)
{
    head *front = (head *)own->at;

    front->size = size;
    front->ahead = 0;
    own->at += sizeof(head) + bytes_of(size);
    return (free_block *)(front + 1);
}

static bool begin_chunk(part *own)
{
    unsigned index = own->spare;

    if (index != NONE)
        own->spare = chunks[index].next;
    else if (atomic_load_explicit(&made, memory_order_relaxed) >= CHUNKS ||
             (index = atomic_fetch_add_explicit(&made, 1, memory_order_relaxed)) >= CHUNKS)
        return false;
    chunks[index] = (chunk){.owner = own, .next = own->chunks};
    own->chunks = index;
    own->empty++;
    own->at = memory_of(index);
    own->end = own->at + CHUNK_BYTES;
    return true;
}

static free_block *find_block(part *own, unsigned size)
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
    return cut(own, size);
}

void *vsg_llvm_heap_take(size_t bytes, size_t alignment)
{
    size_t more = alignment > ROW ? alignment - ROW : 0;

    if (bytes > (size_t)1 << LARGE_BITS || more > ((size_t)1 << LARGE_BITS) - bytes)
        return NULL;
    part *own = own_part();
    free_block *block = own ? find_block(own, size_for(bytes + more)) : NULL;
    if (!block)
        return NULL;
    if (chunk_of(block)->used++ == 0)
        own->empty--;
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
    part *owner = chunk_of(block)->owner;

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
