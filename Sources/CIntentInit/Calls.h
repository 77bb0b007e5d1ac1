/* A call that the filter passed to pid 1. Only for the C files of this folder. */
#ifndef INTENTD_CALLS_H
#define INTENTD_CALLS_H
#include "CIntentInit.h"

#include <linux/seccomp.h>
#include <sys/types.h>

/* Performs the call for the task, if the rules allow it. Returns 0, or -1 with the errno for the task. */
int intentd_perform_call(int listener, const struct seccomp_notif *asked, const struct intentd_metadata *metadata);

/* Returns the number of a task's run, or -1 if the task belongs to no run. The number comes from the task's cgroup,
 * which no process of the sandbox can change. */
long intentd_run_of_task(pid_t task);

#endif
