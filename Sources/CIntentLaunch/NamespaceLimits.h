/* The kernel's limits for each user namespace: namespaces(7), sysctl user.*. Only for the C files of this folder. Both
 * functions return -1 with errno on failure. */
#ifndef INTENTD_NAMESPACELIMITS_H
#define INTENTD_NAMESPACELIMITS_H

/* Opens a proc(5) of the caller's PID namespace that is mounted nowhere, so that mounts over the host's /proc do not
 * cover it. The caller must have permission to mount. */
int intentd_open_own_proc(void);

/* Forbids new namespaces of all types in the caller's user namespace, and new instances of inotify and fanotify.
 *
 * The flags of clone3(2) are behind a pointer, where no filter sees them, and a fork server needs the call; a limit
 * of zero refuses every such call. The caller must have all capabilities in its user namespace, which is not the
 * host's. */
int intentd_forbid_namespaces(int proc);

#endif
