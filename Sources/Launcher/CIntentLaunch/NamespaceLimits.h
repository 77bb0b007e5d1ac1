/* Sets a user namespace's limits, the user.max_* sysctls (namespaces(7)). Private to the C files in this folder. The
 * functions return -1 and set errno on failure. */
#ifndef INTENTD_NAMESPACELIMITS_H
#define INTENTD_NAMESPACELIMITS_H

/* Forbids new namespaces of all types in the caller's user namespace, and new instances of inotify and fanotify.
 *
 * The limits are needed because a fork server calls clone3(2), and a filter cannot check the flags, which
 * are passed through a pointer. With a limit of zero, every call that creates a namespace fails. The caller
 * must have all capabilities in its user namespace, which must not be the host's. */
int intentd_forbid_namespaces(int proc);

#endif
