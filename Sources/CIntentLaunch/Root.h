/* The file systems of a sandbox. Only for the C files of this folder. */
#ifndef INTENTD_ROOT_H
#define INTENTD_ROOT_H
#include "CIntentSandbox.h"

/* Creates a detached mount of the cgroups in this process's cgroup namespace. Returns a descriptor of its root, above
 * which nothing can be opened. The mount is read-only, but processes can still be cloned into its cgroups:
 * CLONE_INTO_CGROUP checks only the permissions of cgroup.procs. */
int intentd_make_cgroup_tree(void);

/* Creates the root of the sandbox. The sources of binds are opened first, while the old root is still reachable. */
void intentd_make_root(const struct intentd_sandbox_plan *plan, int report);

#endif
