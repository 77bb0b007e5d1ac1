#define _GNU_SOURCE
#include "CIntentSandbox.h"
#include "NamespaceLimits.h"
#include "Network.h"
#include "Root.h"
#include "Steps.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Landlock's structures, including fields that the headers of Debian 12 lack. */
struct ruleset_attributes {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};
struct port_attributes {
    uint64_t allowed_access;
    uint64_t port;
};
enum { RULE_PATH_BENEATH = 1, RULE_NET_PORT = 2, NET_CONNECT_TCP = 2 };
/* SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, available since Linux 5.19: once pid 1 has received a call, only a fatal
 * signal interrupts the call. */
enum { WAIT_KILLABLE = 1 << 5 };

static int put(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t written = write(file, text, strlen(text));
    intentd_close_keeping_error(file);
    return written == (ssize_t)strlen(text) ? 0 : -1;
}

/* Maps `count` users and groups of a new user namespace to the same ids outside it, and forbids setgroups(2) in it. */
static int write_maps(const char *process, uid_t user, gid_t group, unsigned count) {
    char path[64], line[64];
    snprintf(path, sizeof path, "/proc/%s/setgroups", process);
    if (put(path, "deny")) return -1;
    snprintf(path, sizeof path, "/proc/%s/gid_map", process);
    snprintf(line, sizeof line, "%u %u %u", group, group, count);
    if (put(path, line)) return -1;
    snprintf(path, sizeof path, "/proc/%s/uid_map", process);
    snprintf(line, sizeof line, "%u %u %u", user, user, count);
    return put(path, line);
}

/* Creates a sibling process, which is a child of the caller's parent, in the cgroup `leaf` and in the new namespaces
 * given by `flags`. */
static int clone_sibling(int leaf, uint64_t flags, int *pidfd) {
    return intentd_clone(CLONE_PARENT | flags, 0, leaf, pidfd);
}

/* Runs the code of pid 1 (CIntentInit.h). pid 1 receives the filter's listener on `socket`, which is -1 if the filter
 * has no listener. Writes a byte to `ready`, unless it is -1, once intentd-roots exists. */
static void __attribute__((noreturn)) run_init(const struct intentd_sandbox_plan *plan, int socket, int ready,
                                               int report) {
    /* Create a session, so that Ctrl-C at the launcher's terminal does not signal the sandbox. */
    if (setsid() < 0) intentd_fail(report, INTENTD_LAUNCH_SESSION, 0);
    intentd_change_id(plan->ids.init, report);
    if (plan->roots >= 0) {
        int child = intentd_clone(0, SIGCHLD, -1, NULL);
        if (child == 0) intentd_serve_roots(plan->roots, plan->has_terminals);
        if (child < 0 || write(ready, "", 1) != 1) intentd_fail(report, INTENTD_SANDBOX_INIT, 4);
    }
    intentd_init_run(socket, plan->ids.init >= 0, &plan->metadata);
}

static void restrict_access(const struct intentd_landlock *landlock, int report) {
    struct ruleset_attributes attributes = {landlock->file_access, landlock->network_access, landlock->scopes};
    if (!attributes.handled_access_fs && !attributes.handled_access_net && !attributes.scoped) return;
    /* An older kernel accepts a larger structure if the fields that the kernel does not support are zero. */
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
    if (ruleset < 0) intentd_fail(report, INTENTD_SANDBOX_LANDLOCK, -1);
    for (size_t i = 0; i < landlock->path_count; i++) {
        int parent = open(landlock->paths[i].path, O_PATH | O_CLOEXEC);
        if (parent < 0 && errno == ENOENT) continue; /* an optional bind mount that intentd_make_root skipped */
        struct landlock_path_beneath_attr rule = {.allowed_access = landlock->paths[i].access, .parent_fd = parent};
        struct stat status;
        if (parent >= 0 && fstat(parent, &status) == 0 && !S_ISDIR(status.st_mode))
            /* landlock_add_rule(2) fails for a file if the rule contains rights that apply only to directories. */
            rule.allowed_access &= LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                   LANDLOCK_ACCESS_FS_READ_FILE | 1 << 14 /* TRUNCATE */ | 1 << 15 /* IOCTL_DEV */;
        rule.allowed_access &= landlock->file_access;
        if (parent < 0 || syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0))
            intentd_fail(report, INTENTD_SANDBOX_LANDLOCK, (int)i);
        close(parent);
    }
    for (size_t i = 0; i < landlock->connect_port_count; i++) {
        struct port_attributes rule = {NET_CONNECT_TCP, landlock->connect_ports[i]};
        if (syscall(SYS_landlock_add_rule, ruleset, RULE_NET_PORT, &rule, 0))
            intentd_fail(report, INTENTD_SANDBOX_LANDLOCK, (int)i);
    }
    if (syscall(SYS_landlock_restrict_self, ruleset, 0)) intentd_fail(report, INTENTD_SANDBOX_LANDLOCK, -2);
    close(ruleset);
}

/* Loads the filter, and sends its listener, if any, to pid 1. */
static void load_filter(const struct intentd_sandbox_plan *plan, int socket, int report) {
    struct sock_fprog program = {(unsigned short)(plan->filter_byte_count / sizeof(struct sock_filter)),
                                 (struct sock_filter *)plan->filter};
    if (!plan->filter_asks) {
        if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program))
            intentd_fail(report, INTENTD_SANDBOX_FILTER, 0);
        return;
    }
    int flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
    int listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags | WAIT_KILLABLE, &program);
    if (listener < 0 && errno == EINVAL)
        listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    if (listener < 0) intentd_fail(report, INTENTD_SANDBOX_FILTER, 1);
    if (intentd_send_descriptors(socket, "", 1, &listener, 1)) intentd_fail(report, INTENTD_SANDBOX_FILTER, 2);
}

/* Opens the sandbox's /dev/null for each descriptor from 0 to 3 that the plan does not provide. */
static void fill_descriptors(const struct intentd_launch_plan *launch, int report) {
    for (int i = 0; i < 4; i++) {
        if (launch->descriptors[i] >= 0) continue;
        int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        if (null < 0 || dup2(null, i) < 0) intentd_fail(report, INTENTD_LAUNCH_DESCRIPTORS, i);
        if (null != i) close(null);
    }
}

/* Creates the root, restricts the process, and executes the plan's executable. */
static void __attribute__((noreturn)) run_server(const struct intentd_sandbox_plan *plan, int socket, int tree,
                                                 int report) {
    const struct intentd_launch_plan *launch = &plan->launch;
    /* Create a session, so that Ctrl-C at the launcher's terminal does not signal the app. */
    if (setsid() < 0) intentd_fail(report, INTENTD_LAUNCH_SESSION, 0);
    if (tree >= 0) {
        tree = fcntl(tree, F_DUPFD_CLOEXEC, SPARE_DESCRIPTOR);
        if (tree < 0) intentd_fail(report, INTENTD_SANDBOX_CGROUPS, 1);
    }
    intentd_put_descriptors(launch, &report, &socket);
    int proc = intentd_open_own_proc();
    if (proc < 0) intentd_fail(report, INTENTD_SANDBOX_PROC, 0);
    intentd_make_root(plan, report);
    fill_descriptors(launch, report);
    /* Replace the host name, which a new UTS namespace copies from the host. */
    if (sethostname(plan->host_name, strlen(plan->host_name))) intentd_fail(report, INTENTD_SANDBOX_NAMESPACES, 2);
    if (intentd_forbid_namespaces(proc)) intentd_fail(report, INTENTD_SANDBOX_NAMESPACES, 4);
    close(proc);
    if (tree >= 0 && dup2(tree, INTENTD_CGROUP_TREE) < 0) intentd_fail(report, INTENTD_SANDBOX_CGROUPS, 2);
    intentd_change_id(plan->ids.app, report);
    intentd_confine_process(launch, report);
    restrict_access(&plan->landlock, report);
    if (plan->filter_byte_count > 0) load_filter(plan, socket, report);
    /* Set the limits in the user namespace, where RLIMIT_NPROC counts only the app's processes, not all of the user's
     * processes on the host. Set them after the Landlock rules and the filter, which need new descriptors: until the
     * exec, the descriptors inherited from the launcher count against RLIMIT_NOFILE. */
    intentd_set_limits(launch, report);
    execve(launch->executable, (char *const *)launch->arguments, (char *const *)launch->environment);
    intentd_fail(report, INTENTD_LAUNCH_EXECUTE, 0);
}

/* The parts of the sandbox that have been created so far. */
struct sandbox_parts {
    int sockets[2]; /* the app's process sends the filter's listener on [1], and pid 1 receives it on [0]; or -1 */
    int ready[2];   /* pid 1 writes on [1] once intentd-roots exists; or -1 */
    int tree;       /* the descriptor from intentd_make_cgroup_tree, or -1 */
    int init;       /* the process id of pid 1, or -1 */
};

static void add_cgroup_tree(const struct intentd_sandbox_plan *plan, struct sandbox_parts *parts, int made) {
    if (!plan->has_cgroup_tree) return;
    parts->tree = intentd_make_cgroup_tree();
    if (parts->tree < 0) intentd_fail(made, INTENTD_SANDBOX_CGROUPS, 0);
}

/* Moves the calling process to new namespaces and creates pid 1 in them. The new user namespace maps only the
 * caller's own id. */
static void make_with_own_id(const struct intentd_sandbox_plan *plan, int namespaces, struct sandbox_parts *parts,
                             int made) {
    uid_t user = getuid();
    gid_t group = getgid();
    if (unshare(namespaces | CLONE_NEWUSER | CLONE_NEWCGROUP)) intentd_fail(made, INTENTD_SANDBOX_NAMESPACES, 0);
    if (write_maps("self", user, group, 1)) intentd_fail(made, INTENTD_SANDBOX_USER_MAP, 0);
    add_cgroup_tree(plan, parts, made);
    parts->init = clone_sibling(plan->leaf, 0, NULL);
    if (parts->init == 0) run_init(plan, parts->sockets[0], parts->ready[1], made);
    if (parts->init < 0) intentd_fail(made, INTENTD_SANDBOX_INIT, 0);
}

/* Kills the incomplete sandbox and reports the failed step. */
static void __attribute__((noreturn)) give_up(const struct sandbox_parts *parts, int made, int step, int index) {
    int error = errno;
    kill(parts->init, SIGKILL);
    errno = error;
    intentd_fail(made, step, index);
}

/* Creates pid 1 in new namespaces, writes the id maps from the parent namespace, and joins the namespaces. The new
 * user namespace maps the sandbox's two ids. */
static void make_with_two_ids(const struct intentd_sandbox_plan *plan, int namespaces, struct sandbox_parts *parts,
                              int made) {
    /* Set the groups before joining the user namespace, which forbids setgroups(2). */
    gid_t group = (gid_t)plan->ids.group;
    if (setgroups(plan->ids.group >= 0 ? 1 : 0, &group)) intentd_fail(made, INTENTD_LAUNCH_USER, 2);
    /* Create the cgroup namespace in this process, not in pid 1. The creator's cgroup becomes the root of the namespace
     * (cgroup_namespaces(7)), which must contain all leaves. This process is in the sandbox's group, whereas pid 1 is
     * in a leaf. */
    if (unshare(CLONE_NEWCGROUP)) intentd_fail(made, INTENTD_SANDBOX_NAMESPACES, 1);
    add_cgroup_tree(plan, parts, made);
    int gate[2], pidfd = -1;
    if (pipe2(gate, O_CLOEXEC)) intentd_fail(made, INTENTD_SANDBOX_INIT, 2);
    parts->init = clone_sibling(plan->leaf, (uint64_t)(namespaces | CLONE_NEWUSER), &pidfd);
    if (parts->init == 0) {
        char open;
        close(gate[1]);
        /* End of file means that the parent process has failed and exited. */
        if (read(gate[0], &open, 1) != 1) _exit(127);
        run_init(plan, parts->sockets[0], parts->ready[1], made);
    }
    if (parts->init < 0) intentd_fail(made, INTENTD_SANDBOX_INIT, 0);
    char number[16];
    snprintf(number, sizeof number, "%d", parts->init);
    if (write_maps(number, (uid_t)plan->ids.init, (gid_t)plan->ids.init, 2))
        give_up(parts, made, INTENTD_SANDBOX_USER_MAP, 2);
    /* Join the namespaces before pid 1 changes its user id. After the change, pid 1 is not dumpable, and the kernel
     * forbids joining its namespaces. */
    if (setns(pidfd, namespaces | CLONE_NEWUSER)) give_up(parts, made, INTENTD_SANDBOX_NAMESPACES, 4);
    if (write(gate[1], "", 1) != 1) give_up(parts, made, INTENTD_SANDBOX_INIT, 3);
    close(pidfd);
    close(gate[0]);
    close(gate[1]);
}

/* Creates the namespaces and two processes in them, pid 1 and the app's process, and exits. */
static void __attribute__((noreturn)) run_maker(const struct intentd_sandbox_plan *plan, int made, int report) {
    intentd_reset_signals();
    /* Make this process dumpable. The launcher and its children are not dumpable. The /proc files of a process that is
     * not dumpable belong to root (proc(5)), so the process cannot write its id maps. */
    if (prctl(PR_SET_DUMPABLE, 1)) intentd_fail(made, INTENTD_SANDBOX_NAMESPACES, 3);
    struct sandbox_parts parts = {.sockets = {-1, -1}, .ready = {-1, -1}, .tree = -1, .init = -1};
    if (plan->roots >= 0 && pipe2(parts.ready, O_CLOEXEC)) intentd_fail(made, INTENTD_SANDBOX_INIT, 5);
    if (plan->filter_asks && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, parts.sockets))
        intentd_fail(made, INTENTD_SANDBOX_INIT, 1);
    int namespaces = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS;
    if (!plan->has_network) namespaces |= CLONE_NEWNET;
    if (plan->ids.init >= 0)
        make_with_two_ids(plan, namespaces, &parts, made);
    else
        make_with_own_id(plan, namespaces, &parts, made);
    /* pivot_root(2) in the app's process changes the root of the processes that exist then, but not of one that is being
     * forked meanwhile. */
    close(parts.ready[1]);
    char byte;
    if (plan->roots >= 0 && read(parts.ready[0], &byte, 1) != 1) give_up(&parts, made, INTENTD_SANDBOX_INIT, 6);
    int sockets[INTENTD_NETWORK_SOCKETS];
    size_t socket_count = 0;
    if (!plan->has_network && plan->has_loopback && intentd_make_network(&plan->network, sockets, &socket_count))
        give_up(&parts, made, INTENTD_SANDBOX_LOOPBACK, 0);
    int server = clone_sibling(plan->leaf, 0, NULL);
    if (server == 0) {
        close(made);
        run_server(plan, parts.sockets[1], parts.tree, report);
    }
    if (server < 0) give_up(&parts, made, INTENTD_SANDBOX_SERVER, 0);
    /* Step 0 means success. In that case, `error` and `index` contain the two process ids. */
    struct intentd_launch_failure started = {0, parts.init, server};
    /* If this fails, the launcher reads end of file. */
    (void)intentd_send_descriptors(made, &started, sizeof started, sockets, socket_count);
    _exit(0);
}

int intentd_sandbox_start(const struct intentd_sandbox_plan *plan, struct intentd_sandbox_processes *processes,
                          struct intentd_launch_failure *failure) {
    /* The maker process reports on `made`. The app's process reports on `report`, which the exec closes. */
    int made[2] = {-1, -1}, report[2] = {-1, -1};
    int maker = -1;
    *failure = (struct intentd_launch_failure){INTENTD_LAUNCH_CLONE, 0, 0};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, made) == 0 && pipe2(report, O_CLOEXEC | O_NONBLOCK) == 0) {
        maker = intentd_clone(0, SIGCHLD, plan->group, NULL);
        if (maker == 0) run_maker(plan, made[1], report[1]);
    }
    failure->error = errno;
    close(made[1]);
    close(report[1]);
    struct intentd_launch_failure received;
    ssize_t count = -1;
    *processes = (struct intentd_sandbox_processes){.report = report[0]};
    if (maker > 0) {
        do
            count = intentd_receive_descriptors(made[0], &received, sizeof received, processes->sockets,
                                                &processes->socket_count);
        while (count < 0 && errno == EINTR);
        while (waitpid(maker, NULL, __WALL) < 0 && errno == EINTR) {}
        if (count != sizeof received) *failure = (struct intentd_launch_failure){INTENTD_LAUNCH_CLONE, ECHILD, 1};
    }
    close(made[0]);
    if (count == sizeof received && received.step == 0) {
        processes->init = received.error;
        processes->server = received.index;
        return 0;
    }
    if (count == sizeof received) *failure = received;
    close(report[0]);
    return -1;
}

int intentd_landlock_version(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version < 0 ? 0 : (int)version;
}
