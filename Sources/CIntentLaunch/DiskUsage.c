#define _GNU_SOURCE
#include "CIntentLaunch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_MAX = 128, BLOCK = 512 /* of st_blocks, whatever the file system's are: stat(2) */ };

static int add(int directory, int depth, size_t *budget, int64_t *byte_count) {
    DIR *stream = fdopendir(directory); /* owns the descriptor from here on */
    if (!stream) {
        close(directory);
        return -1;
    }
    int result = 0;
    struct dirent *entry;
    while (result == 0 && (entry = readdir(stream))) {
        const char *name = entry->d_name;
        struct stat status;
        if (!strcmp(name, ".") || !strcmp(name, "..")) continue;
        if (*budget == 0) {
            result = -1;
            break;
        }
        *budget -= 1;
        /* One that went in this moment takes no space. */
        if (fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW)) continue;
        *byte_count += (int64_t)status.st_blocks * BLOCK;
        if (!S_ISDIR(status.st_mode)) continue;
        int inner = openat(dirfd(stream), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner < 0 && errno == ENOENT) continue;
        if (inner < 0 || depth >= DEPTH_MAX) {
            if (inner >= 0) close(inner);
            result = -1;
        } else {
            result = add(inner, depth + 1, budget, byte_count);
        }
    }
    closedir(stream);
    return result;
}

int intentd_disk_usage(const char *path, size_t budget, int64_t *byte_count) {
    *byte_count = 0;
    int top = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return top < 0 ? -1 : add(top, 0, &budget, byte_count);
}

int64_t intentd_unlinked_usage(int process, uint64_t device) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd", process);
    DIR *stream = opendir(path);
    if (!stream) return 0; /* it has ended */
    int64_t byte_count = 0;
    struct dirent *entry;
    while ((entry = readdir(stream))) {
        struct stat status;
        /* Through the link to the file itself, which has no name any more. */
        if (fstatat(dirfd(stream), entry->d_name, &status, 0)) continue;
        if (S_ISREG(status.st_mode) && status.st_nlink == 0 && (uint64_t)status.st_dev == device)
            byte_count += (int64_t)status.st_blocks * BLOCK;
    }
    closedir(stream);
    return byte_count;
}
