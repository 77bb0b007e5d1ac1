/* Creates a sandbox's file systems. Private to the C files in this folder. */
#ifndef INTENTD_ROOT_H
#define INTENTD_ROOT_H
#include "CIntentSandbox.h"

/* Creates a detached mount of proc(5) for the caller's PID namespace, and returns a descriptor of its root. Unlike in
 * the host's /proc, no part of this mount can be covered by another mount. The caller must have permission to mount. */
int intentd_open_own_proc(void);

/* Creates a detached mount of the cgroups in this process's cgroup namespace, and returns a descriptor of its root.
 * Cgroups above the root cannot be opened through the mount. The mount is read-only, but processes can still be
 * created in its cgroups, because CLONE_INTO_CGROUP checks only the permissions of cgroup.procs. */
int intentd_make_cgroup_tree(void);

/* Creates the root of the sandbox and changes to it. Opens the sources of bind mounts first, while the old root is
 * still accessible. */
void intentd_make_root(const struct intentd_sandbox_plan *plan, int report);

/* Mounts a new devpts, in which at most 64 terminals can exist at a time. Returns 0, or -1 with errno. */
int intentd_mount_terminals(const char *target);

/* Makes INTENTD_ROOTS in the new root a mount that copies of the root leave out. Returns 0, or -1 with errno. */
int intentd_separate_roots(void);

/* Runs intentd-roots in the calling process (struct intentd_root_request). */
void intentd_serve_roots(int socket, int has_terminals) __attribute__((noreturn));

#endif
