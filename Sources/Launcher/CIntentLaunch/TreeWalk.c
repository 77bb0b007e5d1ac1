#define _GNU_SOURCE
#include "TreeWalk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { DEPTH_MAX = 128 };

static int walk_directory(struct intentd_tree_walk *walk, int directory, int depth);

static int walk_entry(struct intentd_tree_walk *walk, int directory, const char *name, int depth) {
    struct stat status;
    if (walk->budget == 0) {
        errno = E2BIG;
        return -1;
    }
    walk->budget--;
    if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW)) return walk->skips_missing ? 0 : -1;
    if (S_ISDIR(status.st_mode)) {
        if (depth >= DEPTH_MAX) {
            errno = E2BIG;
            return -1;
        }
        int inner = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner < 0 && !(walk->skips_missing && errno == ENOENT)) return -1;
        if (inner >= 0 && walk_directory(walk, inner, depth + 1)) return -1;
    }
    return walk->visit(walk, directory, name, &status);
}

static int walk_directory(struct intentd_tree_walk *walk, int directory, int depth) {
    DIR *stream = fdopendir(directory); /* owns the descriptor from here on */
    if (!stream) {
        close(directory);
        return -1;
    }
    int result = 0;
    struct dirent *entry;
    while (result == 0 && (entry = readdir(stream)))
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            result = walk_entry(walk, dirfd(stream), entry->d_name, depth);
    int error = errno;
    closedir(stream);
    errno = error;
    return result;
}

int intentd_walk_tree(struct intentd_tree_walk *walk, const char *path) {
    int top = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return top < 0 ? -1 : walk_directory(walk, top, 0);
}
