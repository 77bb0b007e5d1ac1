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

/* Waits for the end of a child, or of any child if the number is 0, without blocking (waitid(2)). Returns its
 * process id, 0 if none has ended, or -1 if there is no child. `code` is si_code, `status` si_status. The child is
 * reaped unless `keep` is set. */
int intentd_next_end(int process, int keep, int *code, int *status, struct intentd_usage *usage);

/* 1 if the process is a child of the caller, running or not. */
int intentd_is_child(int process);

/* Returns the id of the cgroup of one of the caller's children, which is the inode number of the cgroup's directory;
 * -1 if the child has ended, or if the kernel cannot tell (before Linux 6.13). */
int intentd_child_cgroup(int process, uint64_t *cgroup);

/* Whether a directory is empty and unchanged since its creation: owned by that user, with permissions for the owner
 * only. */
int intentd_is_as_new(int directory, unsigned user);

/* Makes the caller the owner of another user's file and removes the write permission. Returns 1 if no process of
 * that user has it open for writing, so that its bytes are final; 0 if one may have. */
int intentd_freeze(int file);

/* Removes a directory with everything below it, without following links. Removes at most `budget` entries; returns 1
 * if some are left. */
int intentd_remove_tree(const char *path, size_t budget);
/* Removes the directory without a budget, in a child process. intentd_next_end reports the end of the child. */
int intentd_remove_tree_in_child(const char *path);

/* Makes the user and the group with that number the owner of everything below a directory, and then of the
 * directory, without following links. -1 with errno; E2BIG if there are more than `budget` entries or too many
 * levels. */
int intentd_give_tree(const char *path, unsigned user, size_t budget);

/* Measures the disk usage of the files below a directory, in bytes. Returns -1 if it has more than `budget` entries
 * or too many levels, or a folder cannot be read. */
int intentd_disk_usage(const char *path, size_t budget, int64_t *byte_count);
/* The id of the mount that contains a path; 0 when it cannot be determined. */
uint64_t intentd_mount_of(const char *path);
/* Stores the ids of a process's mounts at and below a path, at most `room`. */
size_t intentd_mounts_below(int process, const char *point, uint64_t *mounts, size_t room);
/* Returns the size of unlinked files in these mounts that the process has open. Files in other mounts are never
 * accessed. */
int64_t intentd_unlinked_usage(int process, const uint64_t *mounts, size_t mount_count);

/* Forks a child that ends with the caller, which must be single-threaded. Returns 0 in the child, where the
 * descriptor has the number 3 and all higher numbers are closed; otherwise the child's process id, or -1. */
int intentd_start_helper(int descriptor);

#pragma clang assume_nonnull end

#include "CIntentSandbox.h"
#endif
