#ifndef CINTENTLAUNCH_H
#define CINTENTLAUNCH_H
/* The code between clone3 and execve in the launcher's child, and the functions with which the launcher reaps children.
 *
 * The launcher is single-threaded. After the clone only async-signal-safe calls, no allocation. */
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* The steps of a launch, in order. A failure names the failed step. */
enum intentd_launch_step {
    INTENTD_LAUNCH_CLONE = 1,
    INTENTD_LAUNCH_SESSION = 2,
    INTENTD_LAUNCH_DESCRIPTORS = 3,
    INTENTD_LAUNCH_LIMITS = 4,
    INTENTD_LAUNCH_USER = 5,
    INTENTD_LAUNCH_PRIVILEGES = 6,
    INTENTD_LAUNCH_DIRECTORY = 7,
    INTENTD_LAUNCH_EXECUTE = 8,
};

struct intentd_resource_limit {
    int resource; /* RLIMIT_… of setrlimit(2) */
    uint64_t value; /* soft and hard */
};

struct intentd_launch_plan {
    const char *executable; /* absolute */
    int executable_descriptor; /* the same file, open with O_PATH: for a user who may not walk to it; or -1 */
    const char *_Nullable const *_Nonnull arguments; /* ends with NULL, as in execve(2) */
    const char *_Nullable const *_Nonnull environment; /* likewise */
    const char *directory; /* the working directory */
    int descriptors[4]; /* become 0, 1, 2 and 3; all others are closed */
    int cgroup; /* a cgroup2 directory to be born in, or -1 */
    int64_t user; /* user and group to become, or -1 to stay */
    const struct intentd_resource_limit *limits;
    size_t limit_count;
};

struct intentd_launch_failure {
    int step; /* intentd_launch_step; 0 when there was none */
    int error; /* errno */
    int index; /* which one, where the step has several */
};

/* Starts the executable. Returns its process number, or -1 with the failure filled in; then nothing is left. */
int intentd_launch(const struct intentd_launch_plan *plan, struct intentd_launch_failure *failure);

/* The resources that a process and the children it waited for have used (getrusage(2)). */
struct intentd_usage {
    int64_t user_us;
    int64_t system_us;
    int64_t peak_kib;
};

/* Has the next execve(2) keep the capabilities that this process has: they become inheritable and ambient (capabilities(7)).
 * Returns 0, or -1 with errno. */
int intentd_keep_capabilities(void);

/* The end of a child, or of any when the number is 0 (waitid(2)): its process number, 0 when none has ended, -1 when there is no child.
 * code is si_code, status si_status. Kept for later, or taken off the kernel's hands. */
int intentd_next_end(int process, int keep, int *code, int *status, struct intentd_usage *usage);

/* 1 when the process is a child of the caller, alive or not. */
int intentd_is_child(int process);

/* The number of the cgroup of a child of the caller's, which is the inode of the cgroup's directory. -1 where the child has
 * ended, or the kernel cannot tell (before Linux 6.13). */
int intentd_child_cgroup(int process, uint64_t *cgroup);

/* Whether a directory is empty and as it was made: owned by that user, with permissions for the owner alone. */
int intentd_is_as_new(int directory, unsigned user);

/* Makes the caller the owner of a file of another user and takes the permission to write from it. 1 when no process of that
 * user has it open for writing, so that its bytes are final; 0 when one may have. */
int intentd_freeze(int file);

/* Removes a directory with everything below it, never through a link. Up to `budget` entries; 1 when some are left. */
int intentd_remove_tree(const char *path, size_t budget);
/* Removes the directory without a budget, in a child process. intentd_next_end reports the end of the child. */
int intentd_remove_tree_in_child(const char *path);

/* Makes the user and the group of that number the owner of all below a directory, and then of the directory, never through a
 * link. -1 with errno; E2BIG where there are more than `budget` entries, or very many levels. */
int intentd_give_tree(const char *path, unsigned user, size_t budget);

/* What the files below a directory take on disk, in bytes; up to `budget` entries are looked at.
 * -1: it cannot be told, for a tree of very many levels or entries, or a folder that cannot be read. */
int intentd_disk_usage(const char *path, size_t budget, int64_t *byte_count);
/* The id of the mount that contains a path; 0 when it cannot be determined. */
uint64_t intentd_mount_of(const char *path);
/* The ids of the mounts that a process has at a path and below it, up to `room`. */
size_t intentd_mounts_below(int process, const char *point, uint64_t *mounts, size_t room);
/* The bytes of unlinked files in these mounts that the process has open. Files of other mounts are never accessed. */
int64_t intentd_unlinked_usage(int process, const uint64_t *mounts, size_t mount_count);

/* Forks a child that ends with the caller, a process of one thread. 0 in the child, where the descriptor is number 3 and all
 * above are closed; else the number of the child, or -1. */
int intentd_start_helper(int descriptor);

#pragma clang assume_nonnull end

#include "CIntentSandbox.h"
#endif
