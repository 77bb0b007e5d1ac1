#ifndef CINTENTLAUNCH_H
#define CINTENTLAUNCH_H
/* Starts and reaps the launcher's children. Includes the code that a child runs between clone3 and execve.
 *
 * The launcher is single-threaded. After the clone, the child makes only async-signal-safe calls and allocates no
 * memory. */
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
    uint64_t value; /* the soft and the hard limit */
};

struct intentd_launch_plan {
    const char *executable; /* the absolute path */
    int executable_descriptor; /* the executable, open with O_PATH, for a user who may not search its path; or -1 */
    const char *_Nullable const *_Nonnull arguments; /* ends with NULL, as in execve(2) */
    const char *_Nullable const *_Nonnull environment; /* ends with NULL */
    const char *directory; /* the working directory */
    int descriptors[4]; /* the sources of descriptors 0, 1, 2 and 3; all other descriptors are closed */
    int cgroup; /* the cgroup2 directory of the cgroup in which the child starts, or -1 */
    int64_t user; /* the user and group id to change to, or -1 */
    const struct intentd_resource_limit *limits;
    size_t limit_count;
    unsigned umask; /* the file mode creation mask (umask(2)) */
    int may_change_root; /* 1 to keep CAP_SYS_CHROOT, and no other capability */
};

struct intentd_launch_failure {
    int step; /* intentd_launch_step; 0: no failure */
    int error; /* errno */
    int index; /* the failed part of the step, such as the index of a limit */
};

/* Starts the executable and returns its process id. On failure, fills in the failure, leaves no process behind, and
 * returns -1. */
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

/* Checks without blocking whether the child has exited, or any child if `process` is 0 (waitid(2)). Returns the process
 * id of a child that has exited, 0 if no child has exited, or -1 if the caller has no such child. Stores si_code in
 * *code and si_status in *status. Reaps the child unless `keep` is set. */
int intentd_next_end(int process, int keep, int *code, int *status, struct intentd_usage *usage);

/* Returns 1 if the process is a child of the caller, running or not yet reaped. */
int intentd_is_child(int process);

/* Stores the process id of a process's parent in this PID namespace, and the id of the process's cgroup
 * (PIDFD_GET_INFO). Returns 0, or -1 with errno if the process has exited or the kernel does not support the query
 * (before Linux 6.13). */
int intentd_origin(int pidfd, int *parent, uint64_t *cgroup);

/* Stores the cgroup id of one of the caller's children, which is the inode number of the cgroup's directory. Returns 0,
 * or -1 with errno if the child has exited or the kernel does not support the query (before Linux 6.13). */
int intentd_child_cgroup(int process, uint64_t *cgroup);

/* Returns 1 if a directory is indistinguishable from a new directory: it is empty, belongs to the user, and has mode
 * 0700 and no access control lists. */
int intentd_is_as_new(int directory, unsigned user);

/* Makes the caller the owner of another user's file, and removes the write permission. Returns 1 if the contents are
 * final, because no process has the file open for writing, and 0 if a process may have it open. */
int intentd_freeze(int file);

/* Removes a directory and everything below it without following links, but at most `budget` entries. Returns 0, or 1 if
 * entries are left. */
int intentd_remove_tree(const char *path, size_t budget);
/* Removes a directory and everything below it in a child process. Returns the child's process id, for the caller to
 * reap, or -1. */
int intentd_remove_tree_in_child(const char *path);

/* Changes the user and group id of everything below a directory, and then of the directory itself, to `user`. Does not
 * follow links. Returns 0, or -1 with errno. Fails with E2BIG if there are more than `budget` entries or more than 128
 * levels. */
int intentd_give_tree(const char *path, unsigned user, size_t budget);

/* Measures the disk usage of the files below a directory, in bytes. Returns 0, or -1 with errno if the directory has
 * more than `budget` entries or more than 128 levels, or if a directory cannot be read. */
int intentd_disk_usage(const char *path, size_t budget, int64_t *byte_count);
/* Returns the id of the mount that contains a path, or 0 if it cannot be determined. */
uint64_t intentd_mount_of(const char *path);
/* Stores the ids of a process's mounts at and below a path, at most `room` of them, and returns their number. */
size_t intentd_mounts_below(int process, const char *point, uint64_t *mounts, size_t room);
/* Returns the total size of the unlinked files in the given mounts that a process has open. Does not access files in
 * other mounts. */
int64_t intentd_unlinked_usage(int process, const uint64_t *mounts, size_t mount_count);

/* Forks a child that is killed when the caller exits. The caller must be single-threaded. Returns the child's process
 * id, or -1; returns 0 in the child. In the child, the descriptor has the number 3 unless it is -1, and all others from
 * 3 on are closed. */
int intentd_start_helper(int descriptor);

#pragma clang assume_nonnull end

#include "CIntentSandbox.h"
#include "CIntentSource.h"
#endif
