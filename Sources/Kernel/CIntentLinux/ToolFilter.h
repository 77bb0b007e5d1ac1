#ifndef CINTENTLINUX_TOOLFILTER_H
#define CINTENTLINUX_TOOLFILTER_H

/* Loads a filter (seccomp(2)) that permits this process and its threads only the system calls with which a program
 * reads files and prints. PR_SET_NO_NEW_PRIVS must be set. Makes only calls that are safe after fork(2) in a process
 * with threads. Returns 0 without effect if the kernel has no filters or the filter does not know the processor, and -1
 * on failure. */
int intentd_load_tool_filter(void);

#endif
