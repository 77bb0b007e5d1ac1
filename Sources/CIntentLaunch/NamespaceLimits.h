/* Limits of a user namespace: the sysctls user.max_* (namespaces(7)). Only for the C files of this folder. Both
 * functions return -1 with errno on failure. */
#ifndef INTENTD_NAMESPACELIMITS_H
#define INTENTD_NAMESPACELIMITS_H

/* Creates a detached mount of proc(5) for the caller's PID namespace and returns a descriptor of its root. Unlike the
 * host's /proc, other mounts cannot cover parts of it. The caller must have permission to mount. */
int intentd_open_own_proc(void);

/* Forbids new namespaces of all types in the caller's user namespace, and new instances of inotify and fanotify.
 *
 * A filter cannot check the flags of clone3(2), because they are behind a pointer, and a fork server needs the call. A
 * limit of zero makes every call that creates a namespace fail. The caller must have all capabilities in its user
 * namespace, which must not be the host's. */
int intentd_forbid_namespaces(int proc);

#endif
