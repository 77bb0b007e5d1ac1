/* The steps that all launches have in common. Private to the C files in this folder. */
#ifndef INTENTD_STEPS_H
#define INTENTD_STEPS_H
#include "CIntentLaunch.h"

/* The lowest number for a duplicate that must not take the place of the descriptors 0 to 3. */
enum { SPARE_DESCRIPTOR = 10 };

/* Reports the failure of a step together with errno, and exits. */
void intentd_fail(int report, int step, int index) __attribute__((noreturn));
/* Closes a descriptor, preserves errno, and returns -1. */
int intentd_close_keeping_error(int descriptor);
/* Creates a child in the cgroup, or in the caller's cgroup if `cgroup` is -1 (clone3(2)). Stores the child's pidfd if
 * `pidfd` is not NULL. Returns the process id, 0 in the child, or -1 with errno. */
int intentd_clone(uint64_t flags, int exit_signal, int cgroup, int *pidfd);
/* Resets all signals to their default actions, and unblocks them. */
void intentd_reset_signals(void);
/* Duplicates the plan's descriptors to the numbers 0, 1, 2 and 3, and makes all others close-on-exec. Moves `report`,
 * and `other` if it is not -1, to high numbers. */
void intentd_put_descriptors(const struct intentd_launch_plan *plan, int *report, int *other);
void intentd_set_limits(const struct intentd_launch_plan *plan, int report);
/* Changes the user and group id, unless the number is -1. The process keeps its capabilities, because the user
 * namespace has no id 0 (capabilities(7)). */
void intentd_change_id(int64_t number, int report);
/* Drops every capability of this process permanently, except CAP_SYS_CHROOT if the plan keeps it, forbids gaining privileges, restricts the mode of new files, and
 * changes to the plan's directory. */
void intentd_confine_process(const struct intentd_launch_plan *plan, int report);
#endif
