#ifndef CINTENTSANDBOX_H
#define CINTENTSANDBOX_H
/* A sandbox and the executable inside it: namespaces, a separate root, Landlock, system call filter, exec.
 *
 * Swift prepares the plan, and C executes it in the launcher's child. After the clone, only async-signal-safe calls
 * are made and no memory is allocated. The order of the steps is documented in ../IntentSandbox/SandboxPlan.swift. */
#include "CIntentLaunch.h"

#include <CIntentInit.h>

#pragma clang assume_nonnull begin

/* The steps of a sandbox, in order. A failure names the failed step. The numbers continue intentd_launch_step. */
enum intentd_sandbox_step {
    INTENTD_SANDBOX_NAMESPACES = 101,
    INTENTD_SANDBOX_USER_MAP = 102,
    INTENTD_SANDBOX_INIT = 103,
    INTENTD_SANDBOX_SERVER = 104,
    INTENTD_SANDBOX_PRIVATE = 105,
    INTENTD_SANDBOX_SOURCE = 106, /* index: the entry */
    INTENTD_SANDBOX_ROOT = 107,
    INTENTD_SANDBOX_ENTRY = 108, /* index: the entry */
    INTENTD_SANDBOX_PROC = 109,
    INTENTD_SANDBOX_PIVOT = 110,
    INTENTD_SANDBOX_LANDLOCK = 111, /* index: the rule */
    INTENTD_SANDBOX_FILTER = 112,
    INTENTD_SANDBOX_LOOPBACK = 113,
    INTENTD_SANDBOX_CGROUPS = 114,
};

/* A fork server's descriptor for the root of its sandbox's cgroups (see intentd_sandbox_plan.has_cgroup_tree). */
enum { INTENTD_CGROUP_TREE = 5 };

/* The user and group ids of a sandbox, on the host. Only these two are mapped in its user namespace, to themselves:
 * there is no id 0 from which a process could gain a capability. */
struct intentd_sandbox_ids {
    int64_t init; /* of pid 1; -1: the sandbox has one id, the caller's, for all of its processes */
    int64_t app;  /* of the executable and all that it starts */
    int64_t group; /* the one supplementary group, outside of the map; -1: none */
};

enum intentd_entry_kind {
    INTENTD_ENTRY_DIRECTORY = 1,
    INTENTD_ENTRY_LINK = 2,  /* source: where it leads */
    INTENTD_ENTRY_FILE = 3,  /* source: its bytes */
    INTENTD_ENTRY_BIND = 4,  /* source: a path outside */
    INTENTD_ENTRY_PROC = 5,  /* the /proc of the PID namespace; source: mount options */
};

/* An entry of the new root. Missing parent folders are created. */
struct intentd_root_entry {
    int kind;            /* intentd_entry_kind */
    const char *target;  /* inside, without a leading slash */
    const char *source;
    size_t byte_count;   /* of a file */
    uint32_t permissions; /* of a file or directory */
    uint64_t attributes; /* of a bind: MOUNT_ATTR_… of mount_setattr(2) */
    int is_optional;     /* skip the bind when its source does not exist */
    int is_granted;      /* no component of the source may be a link (ELOOP) */
};

/* A Landlock rule: the rights below a path inside (landlock(7)). */
struct intentd_path_rule {
    const char *path;
    uint64_t access;
};

struct intentd_landlock {
    uint64_t file_access; /* handled; 0 in all three: no layer */
    uint64_t network_access;
    uint64_t scopes;
    const struct intentd_path_rule *_Nullable paths;
    size_t path_count;
    const uint16_t *_Nullable connect_ports; /* TCP */
    size_t connect_port_count;
};

struct intentd_sandbox_plan {
    struct intentd_launch_plan launch; /* of the executable; paths as they are inside; a descriptor of -1 is /dev/null inside */
    struct intentd_sandbox_ids ids;
    int has_network;                   /* the host's; else one without any connection */
    int has_loopback;                  /* without the host's: an interface lo of its own is up */
    const char *mount_point;           /* a directory outside that the new root is made on */
    uint64_t root_byte_count;          /* the most that the root itself may take in memory */
    const struct intentd_root_entry *entries;
    size_t entry_count;
    const char *host_name;
    struct intentd_landlock landlock;
    const void *_Nullable filter; /* struct sock_filter[] */
    size_t filter_byte_count;
    int filter_asks; /* some calls are questions to pid 1 */
    struct intentd_metadata metadata;
    int group; /* cgroup2 directory that is the cgroup namespace's root; -1: none */
    int leaf;  /* cgroup2 directory below it that init and executable are born in; -1: none */
    /* 1 if the executable receives INTENTD_CGROUP_TREE: the group as the root of a detached read-only mount. It can
     * open the leaves of its workers there, and nothing above them. */
    int has_cgroup_tree;
};

struct intentd_sandbox_processes {
    int init;   /* pid 1 inside; its end is the end of all inside */
    int server; /* on its way to the executable */
    int report; /* read end: ends at the exec; before that one intentd_launch_failure when it failed */
};

/* Creates the namespaces and the two processes, both children of the caller. Does not wait for any file system.
 * Returns 0, or -1 with the failure filled in and no process left. */
int intentd_sandbox_start(const struct intentd_sandbox_plan *plan, struct intentd_sandbox_processes *processes,
                          struct intentd_launch_failure *failure);

/* The kernel's version of Landlock (landlock_create_ruleset(2)); 0 without Landlock. */
int intentd_landlock_version(void);

#pragma clang assume_nonnull end
#endif
