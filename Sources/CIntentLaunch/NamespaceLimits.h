/* What the kernel counts for each user namespace, and how many there may be of it: namespaces(7), sysctl user.*. Only for
 * the C files of this folder. -1 and errno in both. */
#ifndef INTENTD_NAMESPACELIMITS_H
#define INTENTD_NAMESPACELIMITS_H

/* A proc(5) of the caller's PID namespace, mounted nowhere: what covers the host's /proc does not cover it. For a caller
 * that may mount. */
int intentd_open_own_proc(void);

/* No namespace of any kind is made in the caller's user namespace from here on, nor an instance of inotify or fanotify.
 * clone3(2) has its flags behind a pointer, where no filter sees them, and a fork server needs the call; the limit of
 * zero refuses every such call. For a caller with all capabilities in its user namespace, which is not the host's. */
int intentd_forbid_namespaces(int proc);

#endif
