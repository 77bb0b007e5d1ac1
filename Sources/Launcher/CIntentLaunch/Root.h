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

#endif
