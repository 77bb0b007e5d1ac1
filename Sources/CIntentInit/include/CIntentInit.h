#ifndef CINTENTINIT_H
#define CINTENTINIT_H
/* pid 1 of a sandbox. It reaps orphans, and performs the calls that change the mode, owner and times of files, which the
 * filter passes to it (SECCOMP_RET_USER_NOTIF, seccomp_unotify(2)). Landlock has no right for these calls, and a process
 * that runs as a file's owner may make them (landlock(7)).
 *
 * pid 1 holds CAP_SYS_PTRACE in the sandbox and reads the memory of hostile tasks. Hence nothing else is in this target,
 * and it depends on no other. It is no program of its own: an exec would lose the capabilities, would need the file inside
 * the sandbox, and would add about a millisecond to each start of a sandbox.
 *
 * The process is a child of the launcher that never executed: nothing here allocates memory. */
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* A rule that permits changes to everything below a path of the sandbox, but not to the path itself. */
struct intentd_metadata_rule {
    const char *path;
    int is_of_runs; /* it holds the folders of all runs, NUMBER-SECRET: a run may change what is below its own folder */
};

/* The changes that pid 1 may make for the sandbox's tasks. */
struct intentd_metadata {
    const struct intentd_metadata_rule *_Nullable rules;
    size_t rule_count;
    int has_leaves; /* each run is in a cgroup of its own, run-NUMBER */
    int64_t owner; /* the one user and group that a file may be given to; -1: the kernel decides */
};

/* Runs as pid 1, with the id that the process already has.
 *
 * `socket` delivers the listener of the filter; -1 if the filter has none. `has_own_id` is 1 if pid 1 and the app
 * have different ids, so that changing the app's files needs capabilities. */
void intentd_init_run(int socket, int has_own_id, const struct intentd_metadata *metadata) __attribute__((noreturn));

/* Answers one of the calls that wait at the listener. Runs take turns: the next answer goes to the run that has
 * waited longest, however many calls another run has made.
 *
 * Returns 1 while received calls still wait, 0 when none waits, and -1 when the listener no longer works. */
int intentd_init_answer(int listener, const struct intentd_metadata *metadata);

#pragma clang assume_nonnull end
#endif
