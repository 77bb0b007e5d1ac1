#define _GNU_SOURCE
#include "CIntentLaunch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_MAX = 128 };

static int give(int directory, unsigned user, int depth, size_t *budget) {
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
        if (fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW)) {
            result = -1;
            break;
        }
        if (*budget == 0 || depth >= DEPTH_MAX) {
            errno = E2BIG;
            result = -1;
            break;
        }
        *budget -= 1;
        if (S_ISDIR(status.st_mode)) {
            int inner = openat(dirfd(stream), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            result = inner < 0 ? -1 : give(inner, user, depth + 1, budget);
        }
        if (result == 0) result = fchownat(dirfd(stream), name, user, user, AT_SYMLINK_NOFOLLOW);
    }
    int error = errno;
    closedir(stream);
    errno = error;
    return result;
}

int intentd_give_tree(const char *path, unsigned user, size_t budget) {
    int top = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (top < 0 || give(top, user, 0, &budget)) return -1;
    return chown(path, user, user);
}
