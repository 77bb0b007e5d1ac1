/* The file systems of a sandbox. Only for the C files of this folder. */
#ifndef INTENTD_ROOT_H
#define INTENTD_ROOT_H
#include "CIntentSandbox.h"

/* Makes a detached mount of the cgroups in this process's cgroup namespace. Returns the descriptor of its root, which has no
 * parent. The mount is read-only: its files can be read, and processes can be cloned into it
 * (CLONE_INTO_CGROUP checks the permissions of cgroup.procs alone). */
int intentd_make_cgroup_tree(void);

/* Makes the sandbox's root. The sources of binds are opened first, while the old root is still reachable. */
void intentd_make_root(const struct intentd_sandbox_plan *plan, int report);

#endif
