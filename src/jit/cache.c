/* SPDX-License-Identifier: MIT */
#include "jit/cache.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "jit/build_id.h" /* made of the sources: VSG_JIT_BUILD_ID */
#include "jit/llvm.h"
#include "jit/target.h"
#include "object/binary.h"

struct vsg_jit_cache {
    vsg_base_alloc alloc;
    vsg_base_store *store;
    const vsg_exe_program *program;
    struct cache_key *key; /* of a unit but for its number */
};

/* LLVM's libraries as they are installed, our own last. Asking LLVM itself would mean to load
 * it. */
typedef struct library_facts {
    int64_t modified_seconds, modified_nanoseconds, size_bytes;
} library_facts;

static const char *const libraries[] = {"/usr/lib/x86_64-linux-gnu/libLLVM.so.19.1",
                                        "/usr/lib/llvm-19/lib/libLLVM.so.19.1",
                                        "/usr/lib64/libLLVM.so.19.1"};
enum { OWN = sizeof libraries / sizeof *libraries, NUM_LIBRARIES };

/* Without padding, since all its bytes count. */
typedef struct cache_key {
    char what[8]; /* "jit" */
    char build[64];
    uint64_t module[2]; /* hashes of its binary */
    uint64_t module_bytes;
    library_facts libraries[NUM_LIBRARIES];
    uint32_t host[VSG_JIT_HOST_WORDS];      /* of VISAGE_CPU_NATIVE; else 0 */
    uint64_t request[2];                    /* hashes of its facts */
    uint32_t level, platform, unit, manner; /* lines, with little effort */
    uint32_t sizes[6]; /* of what code knows the insides of: hangs on compilers and options */
} cache_key;

_Static_assert(sizeof(cache_key) ==
                   8 + 64 + 5 * 8 + NUM_LIBRARIES * 24 + (VSG_JIT_HOST_WORDS + 10) * 4,
               "no padding");

/* ---- the key ----------------------------------------------------------------------------- */

static void note_library(library_facts *facts, const char *path)
{
    struct stat found;

    if (stat(path, &found) == 0)
        *facts = (library_facts){.modified_seconds = found.st_mtim.tv_sec,
                                 .modified_nanoseconds = found.st_mtim.tv_nsec,
                                 .size_bytes = found.st_size};
}

static void note_libraries(cache_key *key)
{
    char own[VSG_JIT_PATH_BYTES];

    for (size_t i = 0; i < OWN; i++)
        note_library(&key->libraries[i], libraries[i]);
    if (vsg_jit_llvm_own(own))
        note_library(&key->libraries[OWN], own);
}

/* The module as the compiler's layout, or the documents', has it: all that a unit's code may
 * depend on is in there. False: it has no such form, or memory is out. */
static bool note_module(const vsg_obj_module *module, const vsg_base_alloc *alloc,
                        cache_key *key)
{
    vsg_obj_bytes bytes = {0};

    if (vsg_obj_write_binary(module, VSG_OBJ_LAYOUT_NONE, NULL, &bytes) != VISAGE_OK)
        return false;
    key->module_bytes = bytes.size;
    key->module[0] = vsg_base_checksum(UINT64_C(0x243f6a8885a308d3), bytes.data, bytes.size);
    key->module[1] = vsg_base_checksum(UINT64_C(0x13198a2e03707344), bytes.data, bytes.size);
    vsg_obj_bytes_free(alloc, &bytes);
    return true;
}

static bool make_key(const vsg_jit_cache *cache, const vsg_jit_options *options)
{
    cache_key *key = cache->key;

    memcpy(key->what, "jit", 4);
    _Static_assert(sizeof VSG_JIT_BUILD_ID - 1 == sizeof key->build, "a SHA-256 in hex");
    memcpy(key->build, VSG_JIT_BUILD_ID, sizeof key->build);
    key->level = options->level;
    key->platform = cache->program->platform;
    key->manner = (uint32_t)options->tells_tools | (uint32_t)options->is_quick << 1;
    if (options->level == VISAGE_CPU_NATIVE)
        vsg_jit_host_words(key->host);
    const uint32_t sizes[] = {sizeof(vsg_exe_thread), sizeof(vsg_exe_inst),
                              sizeof(vsg_exe_launch), sizeof(vsg_exe_group),
                              sizeof(vsg_exe_frame),  sizeof(vsg_exe_surface)};
    memcpy(key->sizes, sizes, sizeof sizes);
    note_libraries(key);
    return note_module(cache->program->module, &cache->alloc, key);
}

vsg_jit_cache *vsg_jit_cache_open(const vsg_base_alloc *alloc, const vsg_exe_program *program,
                                  const vsg_jit_options *options)
{
    const char *wanted = getenv("VISAGE_CACHE");
    vsg_jit_cache *cache;

    if (options->no_cache || (wanted && strcmp(wanted, "0") == 0))
        return NULL;
    cache = vsg_base_new(alloc, 1, sizeof *cache);
    if (!cache)
        return NULL;
    cache->alloc = *alloc;
    cache->program = program;
    cache->key = vsg_base_new(alloc, 1, sizeof *cache->key);
    cache->store = vsg_base_store_open(alloc, NULL, 0);
    if (!cache->key || !cache->store || !make_key(cache, options))
        vsg_jit_cache_close(&cache);
    return cache;
}

void vsg_jit_cache_close(vsg_jit_cache **cache)
{
    vsg_jit_cache *old = *cache;

    if (!old)
        return;
    vsg_base_alloc alloc = old->alloc;
    vsg_base_store_close(&old->store);
    vsg_base_delete(&alloc, old->key, 1, sizeof *old->key);
    vsg_base_delete(&alloc, old, 1, sizeof *old);
    *cache = NULL;
}

/* ---- entries ----------------------------------------------------------------------------- */

static void add_hash(cache_key *key, const void *data, size_t size)
{
    for (size_t i = 0; i < 2; i++)
        key->request[i] = vsg_base_checksum(key->request[i], data, size);
}

static void note_request(cache_key *key, const vsg_jit_request *request)
{
    const uint32_t counts[] = {
        request->rows,        request->is_partial, request->num_pieces, request->num_states,
        request->slm_bytes,   request->local[0],   request->local[1],   request->local[2],
        request->num_threads, request->simd_size,  request->mode,       request->mask,
        request->begins,      request->turns,      request->resumes,    request->effort,
        request->order[0],    request->order[1],   request->order[2]};

    key->unit = request->unit;
    key->request[0] = UINT64_C(0xa4093822299f31d0);
    key->request[1] = UINT64_C(0x082efa98ec4e6c89);
    add_hash(key, counts, sizeof counts);
    for (uint32_t i = 0; i < request->num_pieces; i++) {
        const vsg_jit_piece *piece = &request->pieces[i];
        const uint32_t facts[] = {piece->per_thread,     (uint32_t)piece->axis, piece->channel,
                                  (uint32_t)piece->size, piece->from,           piece->place,
                                  piece->size_bytes};
        add_hash(key, facts, sizeof facts);
    }
    for (uint32_t i = 0; i < request->num_states; i++) {
        const uint32_t facts[] = {request->states[i].element, request->states[i].value};
        add_hash(key, facts, sizeof facts);
    }
}

/* Before the object file, which is empty where there can be none. */
typedef struct entry_head {
    uint32_t compiled, called;
    uint32_t reason; /* vsg_jit_reason */
    uint32_t starts, begins_only, resumes, runs_groups, has_sums, num_windows;
    vsg_exe_clears clears;
} entry_head;

static bool are_clears(const vsg_jit_cache *cache, uint32_t unit, const vsg_exe_clears *clears)
{
    uint32_t bytes = cache->program->units[unit].register_bytes;

    if (clears->num == VSG_EXE_CLEAR_ALL)
        return true;
    if (clears->num > VSG_EXE_MOST_CLEARS)
        return false;
    for (uint32_t i = 0; i < clears->num; i++)
        if (clears->ranges[i].at > bytes ||
            clears->ranges[i].bytes > bytes - clears->ranges[i].at)
            return false;
    return true;
}

static bool read_entry(const vsg_jit_cache *cache, uint32_t unit, const uint8_t *data,
                       size_t size, vsg_jit_stats *stats, vsg_jit_bytes *object)
{
    entry_head head;

    if (size < sizeof head)
        return false;
    memcpy(&head, data, sizeof head);
    if (head.reason >= VSG_JIT_REASON_COUNT || !are_clears(cache, unit, &head.clears))
        return false;
    size -= sizeof head;
    *stats = (vsg_jit_stats){.compiled = head.compiled,
                             .called = head.called,
                             .starts = head.starts != 0,
                             .begins_only = head.begins_only != 0,
                             .resumes = head.resumes != 0,
                             .runs_groups = head.runs_groups != 0,
                             .has_sums = head.has_sums != 0,
                             .num_windows = head.num_windows,
                             .clears = head.clears,
                             .is_cached = true,
                             .reason = (vsg_jit_reason)head.reason};
    if (stats->reason != VSG_JIT_REASON_NONE)
        return size == 0;
    object->data = vsg_base_new(&cache->alloc, size, 1);
    if (!object->data)
        return false;
    object->size = size;
    memcpy(object->data, data + sizeof head, size);
    return true;
}

bool vsg_jit_cache_find(vsg_jit_cache *cache, const vsg_jit_request *request,
                        vsg_jit_stats *stats, vsg_jit_bytes *object)
{
    void *data;
    size_t size;

    *object = (vsg_jit_bytes){0};
    if (!cache)
        return false;
    cache_key key = *cache->key;
    note_request(&key, request);
    if (!vsg_base_store_find(cache->store, &key, sizeof key, &data, &size))
        return false;
    bool good = read_entry(cache, request->unit, data, size, stats, object);
    vsg_base_delete(&cache->alloc, data, size, 1);
    return good;
}

void vsg_jit_cache_put(vsg_jit_cache *cache, const vsg_jit_request *request,
                       const vsg_jit_stats *stats, const vsg_jit_bytes *object)
{
    entry_head head = {.compiled = stats->compiled,
                       .called = stats->called,
                       .reason = (uint32_t)stats->reason,
                       .starts = stats->starts,
                       .begins_only = stats->begins_only,
                       .resumes = stats->resumes,
                       .runs_groups = stats->runs_groups,
                       .has_sums = stats->has_sums,
                       .num_windows = stats->num_windows,
                       .clears = stats->clears};
    size_t size = sizeof head + object->size;

    if (!cache || !(object->size ? stats->reason == VSG_JIT_REASON_NONE
                                 : vsg_jit_reason_lasts(stats->reason)))
        return;
    cache_key key = *cache->key;
    note_request(&key, request);
    uint8_t *data = vsg_base_new(&cache->alloc, size, 1);
    if (!data)
        return;
    memcpy(data, &head, sizeof head);
    if (object->size)
        memcpy(data + sizeof head, object->data, object->size);
    (void)vsg_base_store_put(cache->store, &key, sizeof key, data, size);
    vsg_base_delete(&cache->alloc, data, size, 1);
}
