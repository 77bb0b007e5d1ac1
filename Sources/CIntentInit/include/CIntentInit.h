#ifndef CINTENTINIT_H
#define CINTENTINIT_H
/* pid 1 of a sandbox. It reaps orphans and changes the mode, owner and times of files for the sandbox's tasks: the
 * filter passes these calls to it (SECCOMP_RET_USER_NOTIF, seccomp_unotify(2)), because Landlock cannot restrict them
 * (landlock(7)) and the kernel allows them to every process that runs as the file's owner.
 *
 * pid 1 holds CAP_SYS_PTRACE in the sandbox and reads the memory of hostile tasks. So this target contains nothing
 * else and depends on no other target. It is not a separate program: an execve(2) would lose the capabilities, would
 * need the file inside the sandbox, and would add about a millisecond to the start of each sandbox.
 *
 * The process is a child of the launcher that has not called execve(2), so this code allocates no memory. */
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* A rule that permits changes to everything below a path of the sandbox, but not to the path itself. */
struct intentd_metadata_rule {
    const char *path;
    int is_of_runs; /* contains the folders of runs, NUMBER-SECRET; a run may change only files below its own folder */
};

/* The changes that pid 1 may make for the sandbox's tasks. */
struct intentd_metadata {
    const struct intentd_metadata_rule *_Nullable rules;
    size_t rule_count;
    int has_leaves; /* each run has its own cgroup, run-NUMBER */
    int64_t owner; /* the only user and group id that chown(2) may set; -1: the kernel decides */
};

/* Runs the caller as pid 1 without changing its user id.
 *
 * The filter's listener arrives on `socket`; -1 if the filter has no listener. `has_own_id` is 1 if pid 1 and the app
 * have different ids, so that changing the app's files needs capabilities. */
void intentd_init_run(int socket, int has_own_id, const struct intentd_metadata *metadata) __attribute__((noreturn));

/* Answers one of the calls that wait on the listener. Runs take turns: the run that was answered least recently comes
 * next, regardless of how many calls another run has made.
 *
 * Returns 1 if received calls still wait, 0 if no call waits, and -1 if the listener no longer works. */
int intentd_init_answer(int listener, const struct intentd_metadata *metadata);

#pragma clang assume_nonnull end
#endif
