#ifndef CINTENTINIT_H
#define CINTENTINIT_H
/* The code of a sandbox's pid 1. It reaps orphans, and changes the mode, owner and times of files on behalf of the
 * sandbox's tasks. The filter passes the calls that request such changes to pid 1 (SECCOMP_RET_USER_NOTIF,
 * seccomp_unotify(2)), because Landlock cannot restrict them (landlock(7)), and the kernel permits every process that
 * runs as the file's owner to make them.
 *
 * pid 1 has CAP_SYS_PTRACE in the sandbox and reads the memory of hostile tasks. This target therefore contains only
 * the code of pid 1 and depends on no other target. It is not a separate program, because execve(2) would lose the
 * capabilities, would require the file in the sandbox, and would add about a millisecond to the start of each sandbox.
 *
 * The process is a child of the launcher that has not called execve(2). This code therefore allocates no memory. */
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* A rule that permits changes to all files below a path in the sandbox, but not to the path itself. */
struct intentd_metadata_rule {
    const char *path;
    /* 1 if the path contains a folder NUMBER-SECRET for each run. Only that run may then change files below the
     * folder. */
    int is_of_runs;
};

/* The changes that pid 1 may make for the sandbox's tasks. */
struct intentd_metadata {
    const struct intentd_metadata_rule *_Nullable rules;
    size_t rule_count;
    int has_leaves; /* 1 if each run has its own cgroup, run-NUMBER */
    int64_t owner; /* the only user and group id that chown(2) may set, or -1 to let the kernel decide */
};

/* Runs the main loop of pid 1 in the calling process, without changing its user id.
 *
 * pid 1 receives the filter's listener on `socket`, which is -1 if the filter has no listener. `has_own_id` is 1 if pid
 * 1 and the app have different ids. Changing the app's files then requires capabilities. */
void intentd_init_run(int socket, int has_own_id, const struct intentd_metadata *metadata) __attribute__((noreturn));

/* Answers one of the calls waiting on the listener. Runs take turns: the next call is from the run that was
 * answered least recently, regardless of how many calls other runs have made.
 *
 * Returns 1 if more received calls are waiting, 0 if no calls are waiting, and -1 if the listener no longer works. */
int intentd_init_answer(int listener, const struct intentd_metadata *metadata);

#pragma clang assume_nonnull end
#endif
