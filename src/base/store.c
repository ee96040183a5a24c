/* SPDX-License-Identifier: MIT
 *
 * An entry is a file named by the hash of its key: a header, the key, the data. It is written
 * under another name and renamed, so that readers see all of it or nothing; the checksum finds
 * what the disk or somebody else did to it. Its time of modification is when it was last used.
 */
#include "base/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"

enum {
    ENTRY_MAGIC = 0x31657376, /* "vse1", also the format's version */
    NAME_DIGITS = 32,
    LONGEST_FOLDER = 3800, /* a name of ours behind it stays below PATH_MAX */
    STALE_SECONDS = 3600,  /* a file that a process left half-written */
    SCANS_ONE_IN = 16
};

#define DEFAULT_BYTES (UINT64_C(1) << 30)
#define ENTRY_SUFFIX  ".entry"
#define OTHER_SUFFIX  ".part"

struct vsg_base_store {
    vsg_base_alloc alloc;
    char *folder; /* NULL: nothing is kept */
    size_t folder_size;
    uint64_t most_bytes;
    atomic_uint_least64_t written; /* bytes since sizes were last looked at */
    atomic_uint_least64_t serial;  /* of names of files that are being written */
};

typedef struct entry_header {
    uint32_t magic, reserved;
    uint64_t key_bytes, data_bytes;
    uint64_t checksum; /* of key and data */
} entry_header;

/* ---- names ------------------------------------------------------------------------------ */

uint64_t vsg_base_checksum(uint64_t seed, const void *data, size_t size_bytes)
{
    return size_bytes ? vsg_base_hash(seed, data, size_bytes) : seed;
}

/* `<folder>/<hash of the key>.entry`; keys with one hash share a file, the last one has it. */
static void name_entry(const vsg_base_store *store, const void *key, size_t key_bytes,
                       char path[LONGEST_FOLDER + 128])
{
    uint64_t high = vsg_base_checksum(UINT64_C(0x6a09e667f3bcc908), key, key_bytes);
    uint64_t low = vsg_base_checksum(UINT64_C(0xbb67ae8584caa73b), key, key_bytes);

    (void)snprintf(path, LONGEST_FOLDER + 128, "%s/%016llx%016llx" ENTRY_SUFFIX, store->folder,
                   (unsigned long long)high, (unsigned long long)low);
}

static bool ends_with(const char *text, const char *suffix)
{
    size_t length = strlen(text);
    size_t wanted = strlen(suffix);

    return length >= wanted && strcmp(text + length - wanted, suffix) == 0;
}

/* Writes the folder's name; "" where there is none. */
static void find_folder(const char *given, char path[LONGEST_FOLDER])
{
    const char *wanted = getenv("VISAGE_CACHE");
    const char *own = getenv("VISAGE_CACHE_DIR");
    const char *shared = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    int length = 0;

    path[0] = '\0';
    if (!given && wanted && strcmp(wanted, "0") == 0)
        return;
    if (given)
        length = snprintf(path, LONGEST_FOLDER, "%s", given);
    else if (own)
        length = snprintf(path, LONGEST_FOLDER, "%s", own);
    else if (shared && shared[0] == '/') /* the base directory specification: else ignored */
        length = snprintf(path, LONGEST_FOLDER, "%s/visage", shared);
    else if (home && home[0] == '/')
        length = snprintf(path, LONGEST_FOLDER, "%s/.cache/visage", home);
    if (length < 0 || length >= LONGEST_FOLDER)
        path[0] = '\0';
}

static bool make_folders(const char *path)
{
    char part[LONGEST_FOLDER];
    size_t length = strlen(path);

    memcpy(part, path, length + 1);
    for (size_t i = 1; i < length; i++) {
        if (part[i] != '/')
            continue;
        part[i] = '\0';
        (void)mkdir(part, 0700); /* what is wrong shows at the last one */
        part[i] = '/';
    }
    return mkdir(part, 0700) == 0 || errno == EEXIST;
}

vsg_base_store *vsg_base_store_open(const vsg_base_alloc *alloc, const char *folder,
                                    uint64_t most_bytes)
{
    char path[LONGEST_FOLDER];
    vsg_base_store *store = vsg_base_new(alloc, 1, sizeof *store);

    if (!store)
        return NULL;
    store->alloc = *alloc;
    store->most_bytes = most_bytes ? most_bytes : DEFAULT_BYTES;
    atomic_init(&store->written, 0);
    atomic_init(&store->serial, 0);
    find_folder(folder, path);
    if (path[0] == '\0')
        return store;
    store->folder_size = strlen(path) + 1;
    store->folder = vsg_base_new(alloc, store->folder_size, 1);
    if (!store->folder) {
        vsg_base_store_close(&store);
        return NULL;
    }
    memcpy(store->folder, path, store->folder_size);
    return store;
}

void vsg_base_store_close(vsg_base_store **store)
{
    if (!store || !*store)
        return;
    vsg_base_alloc alloc = (*store)->alloc;
    vsg_base_delete(&alloc, (*store)->folder, (*store)->folder_size, 1);
    vsg_base_delete(&alloc, *store, 1, sizeof **store);
    *store = NULL;
}

bool vsg_base_store_keeps(const vsg_base_store *store)
{
    return store && store->folder;
}

/* ---- finding ---------------------------------------------------------------------------- */

static bool read_all(int file, void *to, size_t size_bytes)
{
    char *at = to;

    while (size_bytes) {
        ssize_t got = read(file, at, size_bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        size_bytes -= (size_t)got;
    }
    return true;
}

/* Is it a file that this user, and nobody else, could have written? Entries may be code. */
static bool is_trusted(const struct stat *facts)
{
    return S_ISREG(facts->st_mode) && facts->st_uid == geteuid() &&
           (facts->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Reads header, key and data of the open entry. *data is owned, even where false is returned.
 */
static bool read_entry(const vsg_base_store *store, int file, const void *key, size_t key_bytes,
                       void **data, size_t *size_bytes)
{
    entry_header header;
    struct stat facts;
    bool good = false;

    if (fstat(file, &facts) != 0 || !is_trusted(&facts) ||
        !read_all(file, &header, sizeof header) || header.magic != ENTRY_MAGIC ||
        header.key_bytes != key_bytes || facts.st_size < 0)
        return false;
    uint64_t rest = (uint64_t)facts.st_size - sizeof header;
    if (rest < key_bytes || rest - key_bytes != header.data_bytes ||
        header.data_bytes > SIZE_MAX)
        return false;
    char *found = vsg_base_new(&store->alloc, key_bytes ? key_bytes : 1, 1);
    if (!found)
        return false;
    *size_bytes = (size_t)header.data_bytes;
    if (*size_bytes)
        *data = store->alloc.resize(store->alloc.user, NULL, 0, *size_bytes);
    if ((*data || !*size_bytes) && read_all(file, found, key_bytes) &&
        (!key_bytes || memcmp(found, key, key_bytes) == 0) &&
        read_all(file, *data, *size_bytes)) {
        uint64_t sum = vsg_base_checksum(vsg_base_checksum(ENTRY_MAGIC, key, key_bytes), *data,
                                         *size_bytes);
        good = sum == header.checksum;
    }
    vsg_base_delete(&store->alloc, found, key_bytes ? key_bytes : 1, 1);
    return good;
}

bool vsg_base_store_find(vsg_base_store *store, const void *key, size_t key_bytes, void **data,
                         size_t *size_bytes)
{
    char path[LONGEST_FOLDER + 128];

    *data = NULL;
    *size_bytes = 0;
    if (!store || !store->folder)
        return false;
    name_entry(store, key, key_bytes, path);
    /* Nonblocking: whatever lies there under this name, opening it is not to wait. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return false;
    bool good = read_entry(store, file, key, key_bytes, data, size_bytes);
    if (good) {
        (void)futimens(file, NULL);
    } else {
        vsg_base_delete(&store->alloc, *data, *size_bytes, 1);
        *data = NULL;
        *size_bytes = 0;
    }
    (void)close(file);
    return good;
}

/* ---- room ------------------------------------------------------------------------------- */

typedef struct old_entry {
    char name[NAME_DIGITS + sizeof ENTRY_SUFFIX];
    struct timespec used;
    uint64_t size_bytes;
} old_entry;

typedef struct old_entries {
    old_entry *list;
    size_t count, capacity;
    uint64_t size_bytes;
} old_entries;

static int compare_used(const void *a, const void *b)
{
    const struct timespec *x = &((const old_entry *)a)->used;
    const struct timespec *y = &((const old_entry *)b)->used;

    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return x->tv_nsec < y->tv_nsec ? -1 : x->tv_nsec > y->tv_nsec;
}

/* Lists the entries of a folder; throws away what writers left behind that were killed. */
static void list_entries(const vsg_base_store *store, DIR *folder, old_entries *out)
{
    struct dirent *found;
    struct stat facts;
    time_t now = time(NULL);

    while ((found = readdir(folder)) != NULL) {
        bool is_entry = ends_with(found->d_name, ENTRY_SUFFIX) &&
                        strlen(found->d_name) < sizeof out->list->name;
        if (!is_entry && !ends_with(found->d_name, OTHER_SUFFIX))
            continue;
        if (fstatat(dirfd(folder), found->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(facts.st_mode))
            continue;
        if (!is_entry) {
            if (now - facts.st_mtime > STALE_SECONDS)
                (void)unlinkat(dirfd(folder), found->d_name, 0);
            continue;
        }
        if (!vsg_base_grow(&store->alloc, (void **)&out->list, out->count, &out->capacity,
                           sizeof *out->list))
            return;
        old_entry *entry = &out->list[out->count++];
        (void)snprintf(entry->name, sizeof entry->name, "%s", found->d_name);
        entry->used = facts.st_mtim;
        entry->size_bytes = (uint64_t)facts.st_size;
        out->size_bytes += entry->size_bytes;
    }
}

/* Where the entries take more than they may, removes the ones longest unused until they take
 * three quarters of it, so that this is not done for every entry. Several processes may be at
 * it at once: each removes a little too much then. */
static void make_room(vsg_base_store *store)
{
    old_entries old = {0};
    DIR *folder = opendir(store->folder);

    atomic_store_explicit(&store->written, 0, memory_order_relaxed);
    if (!folder)
        return;
    list_entries(store, folder, &old);
    if (old.size_bytes > store->most_bytes) {
        uint64_t goal = store->most_bytes / 4 * 3;
        qsort(old.list, old.count, sizeof *old.list, compare_used);
        for (size_t i = 0; i < old.count && old.size_bytes > goal; i++) {
            (void)unlinkat(dirfd(folder), old.list[i].name, 0);
            old.size_bytes -= old.list[i].size_bytes;
        }
    }
    vsg_base_delete(&store->alloc, old.list, old.capacity, sizeof *old.list);
    (void)closedir(folder);
}

/* Looking at all entries costs some milliseconds: done when this process has written a good
 * part of what there may be, and now and then for the sake of processes that write little. */
static void note_written(vsg_base_store *store, uint64_t bytes, uint64_t checksum)
{
    uint64_t written =
        atomic_fetch_add_explicit(&store->written, bytes, memory_order_relaxed) + bytes;

    if (written >= store->most_bytes / SCANS_ONE_IN || checksum % SCANS_ONE_IN == 0)
        make_room(store);
}

/* ---- keeping ---------------------------------------------------------------------------- */

static bool write_all(int file, const void *from, size_t size_bytes)
{
    const char *at = from;

    while (size_bytes) {
        ssize_t put = write(file, at, size_bytes);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        size_bytes -= (size_t)put;
    }
    return true;
}

/* A file to write, under a name that no other thread or process uses. -1: none. */
static int open_part(vsg_base_store *store, char path[LONGEST_FOLDER + 128])
{
    uint64_t serial = atomic_fetch_add_explicit(&store->serial, 1, memory_order_relaxed);
    struct timespec now = {0};

    (void)clock_gettime(CLOCK_REALTIME, &now);
    /* Processes in containers have the same numbers: hence the time, and O_EXCL. */
    (void)snprintf(path, LONGEST_FOLDER + 128, "%s/%ld-%p-%llu-%lld-%ld" OTHER_SUFFIX,
                   store->folder, (long)getpid(), (void *)store, (unsigned long long)serial,
                   (long long)now.tv_sec, now.tv_nsec);
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    int file = open(path, flags, 0600);
    if (file < 0 && errno == ENOENT && make_folders(store->folder))
        file = open(path, flags, 0600);
    return file;
}

bool vsg_base_store_put(vsg_base_store *store, const void *key, size_t key_bytes,
                        const void *data, size_t size_bytes)
{
    char path[LONGEST_FOLDER + 128], part[LONGEST_FOLDER + 128];
    entry_header header = {
        .magic = ENTRY_MAGIC, .key_bytes = key_bytes, .data_bytes = size_bytes};

    if (!store || !store->folder)
        return false;
    uint64_t entry_bytes = sizeof header + (uint64_t)key_bytes + size_bytes;
    if (entry_bytes > store->most_bytes / 4 * 3)
        return false; /* it would be removed at once, and everything else with it */
    header.checksum =
        vsg_base_checksum(vsg_base_checksum(ENTRY_MAGIC, key, key_bytes), data, size_bytes);
    int file = open_part(store, part);
    if (file < 0)
        return false;
    bool good = write_all(file, &header, sizeof header) && write_all(file, key, key_bytes) &&
                write_all(file, data, size_bytes);
    good = close(file) == 0 && good;
    name_entry(store, key, key_bytes, path);
    if (good && rename(part, path) == 0) {
        note_written(store, entry_bytes, header.checksum);
        return true;
    }
    (void)unlink(part);
    return false;
}
