/* The kernel's limits for each user namespace: namespaces(7), sysctl user.*. Only for the C files of this folder. Both
 * functions return -1 with errno on failure. */
#ifndef INTENTD_NAMESPACELIMITS_H
#define INTENTD_NAMESPACELIMITS_H

/* A proc(5) of the caller's PID namespace, mounted nowhere: what covers the host's /proc does not cover it. For a caller
 * that may mount. */
int intentd_open_own_proc(void);

/* Forbids new namespaces of any kind in the caller's user namespace, and new instances of inotify or fanotify.
 * clone3(2) has its flags behind a pointer, where no filter sees them, and a fork server needs the call; the limit of
 * zero refuses every such call. For a caller with all capabilities in its user namespace, which is not the host's. */
int intentd_forbid_namespaces(int proc);

#endif
