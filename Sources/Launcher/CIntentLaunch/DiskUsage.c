#define _GNU_SOURCE
#include "CIntentLaunch.h"
#include "Steps.h"
#include "TreeWalk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BLOCK = 512 /* the unit of st_blocks, regardless of the file system's block size (stat(2)) */ };

struct measurement {
    struct intentd_tree_walk walk; /* the first member, so that a pointer to it is also a pointer to the structure */
    int64_t byte_count;
};

static int add(struct intentd_tree_walk *walk, int directory, const char *name, const struct stat *status) {
    (void)directory;
    (void)name;
    ((struct measurement *)walk)->byte_count += (int64_t)status->st_blocks * BLOCK;
    return 0;
}

int intentd_disk_usage(const char *path, size_t budget, int64_t *byte_count) {
    /* Skip entries that are removed during the walk. */
    struct measurement measurement = {.walk = {.visit = add, .skips_missing = 1, .budget = budget}};
    int result = intentd_walk_tree(&measurement.walk, path);
    *byte_count = measurement.byte_count;
    return result;
}

uint64_t intentd_mount_of(const char *path) {
    struct statx status;
    int flags = AT_SYMLINK_NOFOLLOW | AT_STATX_DONT_SYNC;
    if (statx(AT_FDCWD, path, flags, STATX_MNT_ID, &status) || !(status.stx_mask & STATX_MNT_ID)) return 0;
    return status.stx_mnt_id;
}

size_t intentd_mounts_below(int process, const char *point, uint64_t *mounts, size_t room) {
    char path[64], *line = NULL;
    size_t size = 0, count = 0, length = strlen(point);
    snprintf(path, sizeof path, "/proc/%d/mountinfo", process);
    FILE *file = fopen(path, "re");
    if (!file) return 0; /* the process has exited */
    while (count < room && getline(&line, &size, file) > 0) {
        unsigned long long mount;
        int start = -1;
        /* The fields are the mount's id, the parent's id, the device, the root and the mount point
         * (proc_pid_mountinfo(5)). */
        if (sscanf(line, "%llu %*s %*s %*s %n", &mount, &start) < 1 || start < 0) continue;
        const char *where = line + start;
        if (!strncmp(where, point, length) && (where[length] == ' ' || where[length] == '/')) mounts[count++] = mount;
    }
    free(line);
    fclose(file);
    return count;
}

/* Returns the mount id of an open file without accessing its file system. Returns 0, which is not a mount id, if the
 * descriptor was closed. */
static uint64_t mount_of_descriptor(int folder, const char *name) {
    char text[256];
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC);
    ssize_t count = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    if (count < 0) return 0;
    text[count] = 0;
    const char *field = strstr(text, "mnt_id:");
    return field ? strtoull(field + strlen("mnt_id:"), NULL, 10) : 0;
}

static int is_one_of(uint64_t mount, const uint64_t *mounts, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (mounts[i] == mount) return 1;
    return 0;
}

int64_t intentd_unlinked_usage(int process, const uint64_t *mounts, size_t mount_count) {
    char path[64 + sizeof((struct dirent *)0)->d_name];
    snprintf(path, sizeof path, "/proc/%d/fdinfo", process);
    DIR *stream = opendir(path);
    if (!stream) return 0; /* the process has exited */
    int64_t byte_count = 0;
    struct dirent *entry;
    while ((entry = readdir(stream))) {
        /* Access only files in the run's own mounts, because a file passed by a client may be on a file system that
         * never responds. */
        if (!is_one_of(mount_of_descriptor(dirfd(stream), entry->d_name), mounts, mount_count)) continue;
        struct statx status;
        unsigned wanted = STATX_TYPE | STATX_NLINK | STATX_BLOCKS | STATX_MNT_ID;
        /* The link in /proc refers to the file even if the file has no name. The mount is checked again below, because
         * the descriptor may have been closed and reused for another file. */
        snprintf(path, sizeof path, "/proc/%d/fd/%s", process, entry->d_name);
        if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, wanted, &status)) continue;
        if (S_ISREG(status.stx_mode) && status.stx_nlink == 0 && is_one_of(status.stx_mnt_id, mounts, mount_count))
            byte_count += (int64_t)status.stx_blocks * BLOCK;
    }
    closedir(stream);
    return byte_count;
}

int intentd_start_helper(int descriptor) {
    pid_t launcher = getpid();
    pid_t child = fork();
    if (child != 0) return (int)child;
    intentd_reset_signals();
    /* The helper must exit together with the launcher, and must not keep the launcher's descriptors open. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != launcher) _exit(0);
    if (descriptor >= 0 && descriptor != 3 && dup2(descriptor, 3) < 0) _exit(1);
    syscall(SYS_close_range, descriptor >= 0 ? 4 : 3, ~0U, 0);
    return 0;
}
