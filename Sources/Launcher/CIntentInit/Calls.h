/* Performs the system calls that the filter passes to pid 1. Private to the C files in this folder. */
#ifndef INTENTD_CALLS_H
#define INTENTD_CALLS_H
#include "CIntentInit.h"

#include <linux/seccomp.h>
#include <sys/types.h>

/* Performs the call for the task, if the rules permit it. Returns 0, or -1 with the errno that the task receives. */
int intentd_perform_call(int listener, const struct seccomp_notif *asked, const struct intentd_metadata *metadata);

/* Returns the number of a task's run, or -1 if the task does not belong to a run. The number is read from the name of
 * the task's cgroup, which no process in the sandbox can change. */
long intentd_run_of_task(pid_t task);

#endif
