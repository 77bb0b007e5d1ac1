#ifndef CINTENTSANDBOX_H
#define CINTENTSANDBOX_H
/* Creates a sandbox and executes an app in it: namespaces, a separate root, Landlock, a system call filter, execve(2).
 *
 * Swift prepares the plan, and C carries it out in children of the launcher, which make only async-signal-safe calls
 * and allocate no memory. IntentSandbox/SandboxPlan.swift documents the order of the steps. */
#include "CIntentLaunch.h"

#include <CIntentInit.h>

#pragma clang assume_nonnull begin

/* The steps of creating a sandbox. A failure names the failed step. The numbers differ from those of
 * intentd_launch_step. */
enum intentd_sandbox_step {
    INTENTD_SANDBOX_NAMESPACES = 101,
    INTENTD_SANDBOX_USER_MAP = 102,
    INTENTD_SANDBOX_INIT = 103,
    INTENTD_SANDBOX_SERVER = 104,
    INTENTD_SANDBOX_PRIVATE = 105,
    INTENTD_SANDBOX_SOURCE = 106, /* index: the number of the entry */
    INTENTD_SANDBOX_ROOT = 107,
    INTENTD_SANDBOX_ENTRY = 108, /* index: the number of the entry */
    INTENTD_SANDBOX_PROC = 109,
    INTENTD_SANDBOX_PIVOT = 110,
    INTENTD_SANDBOX_LANDLOCK = 111, /* index: the number of the rule */
    INTENTD_SANDBOX_FILTER = 112,
    INTENTD_SANDBOX_LOOPBACK = 113,
    INTENTD_SANDBOX_CGROUPS = 114,
};

/* The number of a fork server's descriptor for the root of its sandbox's cgroups
 * (intentd_sandbox_plan.has_cgroup_tree). */
enum { INTENTD_CGROUP_TREE = 5 };

/* The user and group ids of a sandbox on the host. The sandbox's user namespace maps only `init` and `app`, each to
 * itself. The namespace has no id 0, with which a process could gain capabilities. */
struct intentd_sandbox_ids {
    int64_t init; /* the id of pid 1, or -1 if all processes in the sandbox have the caller's id */
    int64_t app;  /* the id of the app and of the programs that it starts */
    int64_t group; /* the only supplementary group, which is not mapped, or -1 for no supplementary group */
};

enum intentd_entry_kind {
    INTENTD_ENTRY_DIRECTORY = 1,
    INTENTD_ENTRY_LINK = 2,  /* source: the target of the symbolic link */
    INTENTD_ENTRY_FILE = 3,  /* source: the content */
    INTENTD_ENTRY_BIND = 4,  /* source: a path on the host */
    INTENTD_ENTRY_PROC = 5,  /* the /proc of the PID namespace; source: mount options */
    INTENTD_ENTRY_TERMINALS = 6, /* a new devpts */
};

/* An entry of the new root. Missing parent folders are created automatically. */
struct intentd_root_entry {
    int kind;            /* intentd_entry_kind */
    const char *target;  /* the path in the sandbox, without a leading slash */
    const char *source;
    size_t byte_count;   /* the size of a file's content */
    uint32_t permissions; /* the permissions of a file or directory */
    uint64_t attributes; /* the attributes of a bind mount (MOUNT_ATTR_… of mount_setattr(2)) */
    int is_optional;     /* 1 to skip a bind mount if its source does not exist or is not accessible */
    int is_granted;      /* 1 to fail with ELOOP if a component of the source is a symbolic link */
};

/* A Landlock rule: the rights below a path in the sandbox (landlock(7)). */
struct intentd_path_rule {
    const char *path;
    uint64_t access;
};

struct intentd_landlock {
    uint64_t file_access; /* the file rights to restrict; if this field and the next two are 0, no layer is created */
    uint64_t network_access;
    uint64_t scopes;
    const struct intentd_path_rule *_Nullable paths;
    size_t path_count;
    const uint16_t *_Nullable connect_ports; /* the TCP ports to which the app may connect */
    size_t connect_port_count;
};

/* The network of an app with AllowHosts= (intentd_sandbox_plan.network). */
struct intentd_network {
    const uint16_t *_Nullable ports; /* the granted TCP ports; each gets a listening socket */
    size_t port_count;               /* 0 for a sandbox that intentd-egress does not serve */
    const uint8_t *_Nullable addresses; /* the granted addresses, 16 bytes each; IPv4 addresses are mapped */
    size_t address_count;
};
/* The reserved addresses that stand for names: 198.18.0.0/15 (RFC 2544), and a /64 of unique local addresses. The first
 * address of each is the sandbox's own. */
enum { INTENTD_NETWORK_RANGE = (int)0xC6120000 };
#define INTENTD_NETWORK_PREFIX "\xfd\x69\x6e\x74\x65\x6e\x74\x64"
/* The maximum number of sockets of a sandbox that intentd-egress serves. */
enum { INTENTD_NETWORK_SOCKETS = 62 };

struct intentd_sandbox_plan {
    /* The executable to start. Its paths are valid in the sandbox, and a descriptor of -1 is replaced with the
     * sandbox's /dev/null. */
    struct intentd_launch_plan launch;
    struct intentd_sandbox_ids ids;
    int has_network;                   /* 1 to use the host's network; 0 for a separate network namespace */
    int has_loopback;                  /* 1 to bring up the loopback interface of a separate network namespace */
    struct intentd_network network;    /* the addresses and sockets of a separate network namespace with a loopback */
    const char *mount_point;           /* the directory on the host on which the new root is mounted */
    uint64_t root_byte_count;          /* the maximum size of the root's tmpfs */
    const struct intentd_root_entry *entries;
    size_t entry_count;
    const char *host_name;
    struct intentd_landlock landlock;
    const void *_Nullable filter; /* struct sock_filter[] */
    size_t filter_byte_count;
    int filter_asks; /* 1 if the filter passes some calls to pid 1 */
    struct intentd_metadata metadata;
    int group; /* the cgroup2 directory that becomes the root of the cgroup namespace, or -1 */
    int leaf;  /* the cgroup2 directory below `group` in which pid 1 and the app's process start, or -1 */
    /* 1 if the app's process receives INTENTD_CGROUP_TREE, a detached read-only mount with `group` as its root. In this
     * mount, it can open the cgroups of its workers but no cgroups above `group`. */
    int has_cgroup_tree;
    /* The socket on which intentd-roots receives requests, or -1. With it, the app's process keeps CAP_SYS_CHROOT, with
     * which its workers change to their roots. */
    int roots;
    int has_terminals; /* 1 if each of these roots has terminals of its own at INTENTD_OWN_TERMINALS */
};

struct intentd_sandbox_processes {
    int init;   /* the process id of pid 1; when it exits, the kernel kills all other processes in the sandbox */
    int server; /* the process id of the app's process */
    int report; /* the read end of a pipe: an intentd_launch_failure if a step fails, and then end of file */
    int sockets[INTENTD_NETWORK_SOCKETS]; /* the sockets for intentd-egress, which the caller owns */
    size_t socket_count;
};

/* The folder with the roots of runs, and the folder in each root at which the run's folder is mounted. */
#define INTENTD_ROOTS "/roots"
#define INTENTD_OWN_FOLDER "/own/tmp"
#define INTENTD_OWN_TERMINALS "/own/pts"

/* A request to intentd-roots, a child of pid 1 that gives each run a root: a copy of the sandbox's mounts at
 * INTENTD_ROOTS/NUMBER. It answers with an errno of 4 bytes, or not at all if it removes a root. */
struct intentd_root_request {
    uint64_t number;
    char folder[112]; /* the name of the run's folder below /runs; empty to remove the root */
};

/* Creates the namespaces and the two processes, which are children of the caller. Never waits for a file system.
 * Returns 0. On failure, fills in the failure, leaves no process behind, and returns -1. */
int intentd_sandbox_start(const struct intentd_sandbox_plan *plan, struct intentd_sandbox_processes *processes,
                          struct intentd_launch_failure *failure);

/* Returns the kernel's Landlock ABI version (landlock_create_ruleset(2)), or 0 without Landlock. */
int intentd_landlock_version(void);

#pragma clang assume_nonnull end
#endif
