#ifndef CINTENTLAUNCH_H
#define CINTENTLAUNCH_H
/* The code that the launcher's child runs between clone3 and execve, and functions that reap children.
 *
 * The launcher is single-threaded. After the clone, only async-signal-safe calls are made and no memory is
 * allocated. */
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
    int executable_descriptor; /* the executable, open with O_PATH, for users who may not search its path; or -1 */
    const char *_Nullable const *_Nonnull arguments; /* ends with NULL, as in execve(2) */
    const char *_Nullable const *_Nonnull environment; /* ends with NULL */
    const char *directory; /* the working directory */
    int descriptors[4]; /* become 0, 1, 2 and 3; all others are closed */
    int cgroup; /* the cgroup2 directory of the cgroup to start in, or -1 */
    int64_t user; /* the user and group id to change to, or -1 */
    const struct intentd_resource_limit *limits;
    size_t limit_count;
};

struct intentd_launch_failure {
    int step; /* intentd_launch_step; 0: no failure */
    int error; /* errno */
    int index; /* the failed part of the step, such as the index of a limit */
};

/* Starts the executable. Returns its process id, or -1 with the failure filled in and no process left. */
int intentd_launch(const struct intentd_launch_plan *plan, struct intentd_launch_failure *failure);

/* The resources that a process and its reaped children have used (getrusage(2)). */
struct intentd_usage {
    int64_t user_us;
    int64_t system_us;
    int64_t peak_kib;
};

/* Makes the next execve(2) keep the capabilities of this process: they become inheritable and ambient
 * (capabilities(7)). Returns 0, or -1 with errno. */
int intentd_keep_capabilities(void);

/* Checks without blocking whether a child has ended, or any child if `process` is 0 (waitid(2)). Returns the process id
 * of a child that has ended, 0 if no child has, or -1 if the caller has no such child. `code` is si_code, `status` is
 * si_status. Reaps the child unless `keep` is set. */
int intentd_next_end(int process, int keep, int *code, int *status, struct intentd_usage *usage);

/* Returns 1 if the process is a child of the caller, running or not yet reaped. */
int intentd_is_child(int process);

/* Stores the cgroup id of one of the caller's children, which is the inode number of the cgroup's directory. Returns 0,
 * or -1 with errno if the child has ended or the kernel does not support the query (before Linux 6.13). */
int intentd_child_cgroup(int process, uint64_t *cgroup);

/* Returns 1 if a directory is like a new one: empty, owned by that user, with mode 0700 and without access control
 * lists. */
int intentd_is_as_new(int directory, unsigned user);

/* Makes the caller the owner of another user's file and removes the write permission. Returns 1 if no process has the
 * file open for writing, so that its bytes are final; 0 if a process may have it open. */
int intentd_freeze(int file);

/* Removes a directory with everything below it, without following links. Removes at most `budget` entries; returns 1
 * if some are left. */
int intentd_remove_tree(const char *path, size_t budget);
/* Removes a directory without a budget, in a child process. Returns the child's process id, or -1. intentd_next_end
 * reports the end of the child. */
int intentd_remove_tree_in_child(const char *path);

/* Sets the user and group id of everything below a directory, and then of the directory itself, to `user`, without
 * following links. Returns 0, or -1 with errno: E2BIG if there are more than `budget` entries or more than 128
 * levels. */
int intentd_give_tree(const char *path, unsigned user, size_t budget);

/* Measures the disk usage of the files below a directory, in bytes. Returns 0, or -1 with errno if the directory has
 * more than `budget` entries or more than 128 levels, or if a folder cannot be read. */
int intentd_disk_usage(const char *path, size_t budget, int64_t *byte_count);
/* Returns the id of the mount that contains a path, or 0 if it cannot be determined. */
uint64_t intentd_mount_of(const char *path);
/* Stores the ids of a process's mounts at and below a path, at most `room`, and returns their number. */
size_t intentd_mounts_below(int process, const char *point, uint64_t *mounts, size_t room);
/* Returns the size of unlinked files in these mounts that the process has open. Files in other mounts are never
 * accessed. */
int64_t intentd_unlinked_usage(int process, const uint64_t *mounts, size_t mount_count);

/* Forks a child that ends with the caller, which must be single-threaded. Returns the child's process id, or -1; in the
 * child 0. There, the descriptor has the number 3, and all higher numbers are closed. */
int intentd_start_helper(int descriptor);

#pragma clang assume_nonnull end

#include "CIntentSandbox.h"
#endif
