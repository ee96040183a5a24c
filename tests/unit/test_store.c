/* SPDX-License-Identifier: MIT
 *
 * The store of results on disk: what is found again, and what damage, crowds and other
 * processes do to it. */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/store.h"

typedef struct folder {
    char path[256];
    vsg_base_alloc alloc;
} folder;

static int make_folder(void **state)
{
    folder *f = calloc(1, sizeof *f);

    if (!f)
        return -1;
    (void)snprintf(f->path, sizeof f->path, "%s", "/tmp/visage-store-XXXXXX");
    f->alloc = vsg_base_alloc_default();
    *state = f;
    return mkdtemp(f->path) ? 0 : -1;
}

/* Calls `act`, or unlinks, for each file; returns how many there are. */
static size_t each_file(const folder *f, void (*act)(const char *path))
{
    char path[512];
    size_t count = 0;
    DIR *list = opendir(f->path);
    struct dirent *entry;

    while (list && (entry = readdir(list)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", f->path, entry->d_name);
        act(path);
        count++;
    }
    if (list)
        (void)closedir(list);
    return count;
}

static void drop(const char *path)
{
    assert_int_equal(unlink(path), 0);
}

static void keep(const char *path)
{
    (void)path;
}

static int remove_folder(void **state)
{
    folder *f = *state;

    (void)each_file(f, drop);
    int status = rmdir(f->path);
    free(f);
    return status;
}

static bool put(vsg_base_store *store, const char *key, const char *data)
{
    return vsg_base_store_put(store, key, strlen(key), data, strlen(data));
}

static bool has(const folder *f, vsg_base_store *store, const char *key, const char *data)
{
    void *found;
    size_t size;
    bool good = vsg_base_store_find(store, key, strlen(key), &found, &size);

    if (good) {
        assert_int_equal(size, strlen(data));
        assert_memory_equal(found, data, size);
    } else {
        assert_null(found);
        assert_int_equal(size, 0);
    }
    vsg_base_delete(&f->alloc, found, size, 1);
    return good;
}

static void what_was_put_is_found(void **state)
{
    folder *f = *state;
    vsg_base_store *store = vsg_base_store_open(&f->alloc, f->path, 0);
    vsg_base_store *other = vsg_base_store_open(&f->alloc, f->path, 0);

    assert_false(has(f, store, "key", "data"));
    assert_true(put(store, "key", "data"));
    assert_true(put(store, "key2", "other data"));
    assert_true(has(f, store, "key", "data"));
    assert_true(has(f, other, "key", "data"));
    assert_true(has(f, other, "key2", "other data"));
    assert_false(has(f, store, "ke", ""));
    assert_true(put(other, "key", "newer"));
    assert_true(has(f, store, "key", "newer"));
    vsg_base_store_close(&store);
    vsg_base_store_close(&other);
    assert_null(store);
}

static void keys_and_data_are_any_bytes(void **state)
{
    folder *f = *state;
    vsg_base_store *store = vsg_base_store_open(&f->alloc, f->path, 0);
    const char key[] = "a\0b", data[] = "\0\0\377";
    void *found;
    size_t size;

    assert_true(vsg_base_store_put(store, key, sizeof key, data, sizeof data));
    assert_true(vsg_base_store_put(store, key, sizeof key - 1, NULL, 0));
    assert_true(vsg_base_store_find(store, key, sizeof key, &found, &size));
    assert_int_equal(size, sizeof data);
    assert_memory_equal(found, data, size);
    vsg_base_delete(&f->alloc, found, size, 1);
    assert_true(vsg_base_store_find(store, key, sizeof key - 1, &found, &size));
    assert_null(found);
    assert_int_equal(size, 0);
    assert_false(vsg_base_store_find(store, "a", 1, &found, &size));
    vsg_base_store_close(&store);
}

static char *only_file(const folder *f)
{
    static const char suffix[] = ".entry";
    char *path = NULL;
    DIR *list = opendir(f->path);
    struct dirent *entry;

    assert_non_null(list);
    while ((entry = readdir(list)) != NULL) {
        size_t length = strlen(entry->d_name);
        if (length < sizeof suffix || strcmp(entry->d_name + length - 6, suffix) != 0)
            continue;
        assert_null(path);
        path = malloc(512);
        assert_non_null(path);
        (void)snprintf(path, 512, "%s/%s", f->path, entry->d_name);
    }
    (void)closedir(list);
    assert_non_null(path);
    return path;
}

static void a_flipped_bit_is_a_miss(void **state)
{
    folder *f = *state;
    vsg_base_store *store = vsg_base_store_open(&f->alloc, f->path, 0);
    unsigned char byte;
    struct stat facts;

    assert_true(put(store, "some key", "some data, not a multiple of eight"));
    char *path = only_file(f);
    int file = open(path, O_RDWR);
    assert_int_equal(fstat(file, &facts), 0);
    for (off_t at = 0; at < facts.st_size; at++) {
        if (at >= 4 && at < 8)
            continue; /* reserved */
        for (unsigned bit = 0; bit < 8; bit++) {
            assert_int_equal(pread(file, &byte, 1, at), 1);
            byte = (unsigned char)(byte ^ 1u << bit);
            assert_int_equal(pwrite(file, &byte, 1, at), 1);
            assert_false(has(f, store, "some key", ""));
            byte = (unsigned char)(byte ^ 1u << bit);
            assert_int_equal(pwrite(file, &byte, 1, at), 1);
        }
    }
    assert_true(has(f, store, "some key", "some data, not a multiple of eight"));
    (void)close(file);
    free(path);
    vsg_base_store_close(&store);
}

static void a_cut_or_longer_entry_is_a_miss(void **state)
{
    folder *f = *state;
    vsg_base_store *store = vsg_base_store_open(&f->alloc, f->path, 0);
    struct stat facts;

    assert_true(put(store, "key", "data"));
    char *path = only_file(f);
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(truncate(path, facts.st_size + 1), 0);
    assert_false(has(f, store, "key", ""));
    for (off_t size = facts.st_size - 1; size >= 0; size--) {
        assert_int_equal(truncate(path, size), 0);
        assert_false(has(f, store, "key", ""));
    }
    assert_true(put(store, "key", "data"));
    assert_true(has(f, store, "key", "data"));
    free(path);
    vsg_base_store_close(&store);
}

static void entries_that_others_could_write_are_not_trusted(void **state)
{
    folder *f = *state;
    vsg_base_store *store = vsg_base_store_open(&f->alloc, f->path, 0);
    char moved[512];

    assert_true(put(store, "key", "data"));
    char *path = only_file(f);
    assert_int_equal(chmod(path, 0620), 0);
    assert_false(has(f, store, "key", ""));
    assert_int_equal(chmod(path, 0602), 0);
    assert_false(has(f, store, "key", ""));
    assert_int_equal(chmod(path, 0644), 0);
    assert_true(has(f, store, "key", "data"));
    (void)snprintf(moved, sizeof moved, "%s/moved", f->path);
    assert_int_equal(rename(path, moved), 0);
    assert_int_equal(symlink(moved, path), 0);
    assert_false(has(f, store, "key", ""));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(has(f, store, "key", ""));
    free(path);
    vsg_base_store_close(&store);
}

static void the_longest_unused_go_first(void **state)
{
    folder *f = *state;
    enum { ENTRIES = 40, DATA = 1000, MOST = 20 * 1100 };
    vsg_base_store *store = vsg_base_store_open(&f->alloc, f->path, MOST);
    char data[DATA + 1], key[16];
    size_t kept = 0;

    memset(data, 'x', DATA);
    data[DATA] = '\0';
    for (int i = 0; i < ENTRIES; i++) {
        (void)snprintf(key, sizeof key, "key %d", i);
        assert_true(put(store, key, data));
        assert_true(has(f, store, "key 0", data)); /* used all the time */
        (void)usleep(2000);                        /* the clock of files ticks that slowly */
    }
    for (int i = 0; i < ENTRIES; i++) {
        (void)snprintf(key, sizeof key, "key %d", i);
        bool found = has(f, store, key, data);
        kept += found;
        assert_true(i != 0 || found);
        assert_true(i < ENTRIES - 10 || found);
        assert_false(i > 0 && i < 10 && found);
    }
    assert_true(kept * DATA <= MOST + MOST / 16 + DATA);
    /* What could only be kept alone is not kept at all. */
    char *large = calloc(1, MOST);
    assert_non_null(large);
    assert_false(vsg_base_store_put(store, "large", 5, large, MOST));
    free(large);
    vsg_base_store_close(&store);
}

static void what_cannot_be_written_is_not_kept(void **state)
{
    folder *f = *state;
    char path[300];

    (void)snprintf(path, sizeof path, "%s/file", f->path);
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    assert_true(file >= 0);
    (void)close(file);
    vsg_base_store *store = vsg_base_store_open(&f->alloc, path, 0);
    assert_non_null(store);
    assert_false(put(store, "key", "data"));
    assert_false(has(f, store, "key", ""));
    vsg_base_store_close(&store);
    assert_false(put(NULL, "key", "data"));
    assert_false(has(f, NULL, "key", ""));
}

static void the_environment_says_where(void **state)
{
    folder *f = *state;
    char path[200];

    (void)snprintf(path, sizeof path, "%.150s/deep", f->path);
    assert_int_equal(setenv("VISAGE_CACHE_DIR", path, 1), 0);
    vsg_base_store *store = vsg_base_store_open(&f->alloc, NULL, 0);
    assert_true(vsg_base_store_keeps(store));
    assert_true(put(store, "key", "data"));
    assert_true(has(f, store, "key", "data"));
    vsg_base_store_close(&store);
    assert_false(vsg_base_store_keeps(store));
    assert_int_equal(setenv("VISAGE_CACHE", "0", 1), 0);
    store = vsg_base_store_open(&f->alloc, NULL, 0);
    assert_false(vsg_base_store_keeps(store));
    assert_false(put(store, "key", "data"));
    vsg_base_store_close(&store);
    assert_int_equal(unsetenv("VISAGE_CACHE"), 0);
    assert_int_equal(setenv("VISAGE_CACHE_DIR", "", 1), 0);
    store = vsg_base_store_open(&f->alloc, NULL, 0);
    assert_false(put(store, "key", "data"));
    vsg_base_store_close(&store);
    assert_int_equal(unsetenv("VISAGE_CACHE_DIR"), 0);
    assert_int_equal(setenv("XDG_CACHE_HOME", path, 1), 0);
    store = vsg_base_store_open(&f->alloc, NULL, 0);
    assert_true(put(store, "key", "data"));
    vsg_base_store_close(&store);
    folder made = {.alloc = f->alloc};
    (void)snprintf(made.path, sizeof made.path, "%s/visage", path);
    assert_int_equal(each_file(&made, drop), 1);
    assert_int_equal(rmdir(made.path), 0);
    (void)snprintf(made.path, sizeof made.path, "%s", path);
    assert_int_equal(each_file(&made, drop), 1);
    assert_int_equal(rmdir(made.path), 0);
}

/* Writes and reads a few keys in turn; every find must give a whole value of its key. */
static int hammer(const folder *f, int process)
{
    enum { ROUNDS = 400, KEYS = 5, DATA = 3000 };
    vsg_base_store *store = vsg_base_store_open(&f->alloc, f->path, 6 * DATA);
    char key[16], data[DATA];
    int bad = 0;

    for (int i = 0; store && i < ROUNDS; i++) {
        int number = i * 7 % KEYS;
        void *found;
        size_t size;
        int length = snprintf(key, sizeof key, "key %d", number);
        memset(data, 'a' + number, DATA);
        data[0] = (char)('0' + process);
        (void)vsg_base_store_put(store, key, (size_t)length, data,
                                 DATA - (size_t)(i % 3) * 100);
        if (vsg_base_store_find(store, key, (size_t)length, &found, &size)) {
            const char *text = found;
            for (size_t at = 1; at < size; at++)
                bad += text[at] != 'a' + number;
            bad += size != DATA && size != DATA - 100 && size != DATA - 200;
        }
        vsg_base_delete(&f->alloc, found, size, 1);
    }
    vsg_base_store_close(&store);
    return bad ? 1 : 0;
}

static void several_processes_share_it(void **state)
{
    folder *f = *state;
    pid_t children[3];

    for (int i = 0; i < 3; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0)
            _exit(hammer(f, i));
    }
    for (int i = 0; i < 3; i++) {
        int status = -1;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    /* Nothing half-written is left behind. */
    assert_true(each_file(f, keep) <= 5);
}

static void the_checksum_sees_each_byte(void **state)
{
    unsigned char data[40] = {0};

    (void)state;
    for (size_t size = 1; size <= sizeof data; size++) {
        uint64_t sum = vsg_base_checksum(1, data, size);
        for (size_t at = 0; at < size; at++) {
            data[at] = 1;
            assert_true(vsg_base_checksum(1, data, size) != sum);
            data[at] = 0;
        }
        assert_true(vsg_base_checksum(1, data, size - 1) != sum);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_put_is_found, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(keys_and_data_are_any_bytes, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_flipped_bit_is_a_miss, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_cut_or_longer_entry_is_a_miss, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(entries_that_others_could_write_are_not_trusted,
                                        make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_longest_unused_go_first, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(what_cannot_be_written_is_not_kept, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(the_environment_says_where, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(several_processes_share_it, make_folder, remove_folder),
        cmocka_unit_test(the_checksum_sees_each_byte),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
