#define _GNU_SOURCE
#include "CIntentSandbox.h"
#include "Metadata.h"
#include "NamespaceLimits.h"
#include "Steps.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* sys/mount.h and linux/mount.h cannot be included together in Debian 12. */
int mount(const char *source, const char *target, const char *type, unsigned long flags, const void *data);
int umount2(const char *target, int flags);
enum { DETACH = 2, SOURCE_MAX = 512 };

/* Later parts of Landlock's structures than Debian 12's headers have. */
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
/* SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, from Linux 5.19 on: a call that is being answered is not begun again. */
enum { WAIT_KILLABLE = 1 << 5 };

static int put(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t written = write(file, text, strlen(text));
    int error = errno;
    close(file);
    errno = error;
    return written == (ssize_t)strlen(text) ? 0 : -1;
}

/* The one user and group of the new user namespace are those outside: nobody in it is root. */
static int map_own_user(uid_t user, gid_t group) {
    char line[64];
    if (put("/proc/self/setgroups", "deny")) return -1;
    snprintf(line, sizeof line, "%u %u 1", user, user);
    if (put("/proc/self/uid_map", line)) return -1;
    snprintf(line, sizeof line, "%u %u 1", group, group);
    return put("/proc/self/gid_map", line);
}

/* A brother: a child of the caller's parent, born in the leaf. */
static int clone_brother(int leaf) {
    struct clone_args arguments = {.flags = CLONE_PARENT};
    if (leaf >= 0) {
        arguments.flags |= CLONE_INTO_CGROUP;
        arguments.cgroup = (uint64_t)leaf;
    }
    return (int)syscall(SYS_clone3, &arguments, sizeof arguments);
}

/* Keeps of what it may do one thing: to look into processes of this user namespace, whatever Yama says. */
static void drop_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2] = {0};
    if (syscall(SYS_capget, &header, sets)) return;
    struct __user_cap_data_struct kept[2] = {0};
    kept[0].permitted = sets[0].permitted & 1u << CAP_SYS_PTRACE;
    kept[0].effective = kept[0].permitted;
    syscall(SYS_capset, &header, kept);
}

/* The one descriptor that comes through a socket; -1 when none does. */
static int receive_descriptor(int socket) {
    char byte;
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) <= 0) return -1;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    int descriptor = -1;
    if (header && header->cmsg_type == SCM_RIGHTS) memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return descriptor;
}

static int send_descriptor(int socket, int descriptor) {
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec part = {"", 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    *header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    return sendmsg(socket, &message, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

/* pid 1 of the namespace: takes orphans in, and answers the filter's questions. */
static void __attribute__((noreturn)) run_init(const struct intentd_sandbox_plan *plan, int door, int report) {
    intentd_become(plan->launch.user, report);
    prctl(PR_SET_NAME, "intentd-init");
    drop_capabilities();
    /* After the change of user, which clears it: without the launcher nothing inside may go on. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (door >= 0) dup2(door, 0);
    syscall(SYS_close_range, door >= 0 ? 1 : 0, ~0U, 0);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    /* First the door, and then what came through it. */
    struct pollfd watched[] = {{door >= 0 ? 0 : -1, POLLIN, 0}, {signalfd(-1, &child, SFD_CLOEXEC), POLLIN, 0}};
    int listener = -1, calls_wait = 0;
    for (;;) {
        poll(watched, 2, calls_wait ? 0 : -1);
        struct signalfd_siginfo number;
        if (watched[1].revents && read(watched[1].fd, &number, sizeof number) > 0)
            while (waitpid(-1, NULL, WNOHANG | __WALL) > 0) {}
        if (!watched[0].revents && !calls_wait) continue;
        if (listener < 0) {
            listener = receive_descriptor(0);
            close(0);
            watched[0].fd = listener;
            /* The old root is no more. */
            if (chdir("/")) watched[0].fd = -1;
        } else {
            int has_calls = calls_wait || (watched[0].revents & POLLIN);
            calls_wait = has_calls ? intentd_answer_metadata(listener, &plan->metadata) : -1;
            if (calls_wait >= 0) continue;
            /* Nobody is behind the filter any more. */
            calls_wait = 0;
            close(listener);
            watched[0].fd = -1;
        }
    }
}

/* mkdir -p of all above the last part of a path. */
static int make_parents(const char *target) {
    char path[4096];
    size_t length = strlen(target);
    if (length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(path, target, length + 1);
    for (size_t i = 1; i < length; i++) {
        if (path[i] != '/') continue;
        path[i] = 0;
        if (mkdir(path, 0755) && errno != EEXIST) return -1;
        path[i] = '/';
    }
    return 0;
}

/* Puts the bind's tree, open already, at its place. */
static int attach(int tree, const struct intentd_root_entry *entry) {
    struct stat status, present;
    if (fstat(tree, &status)) return -1;
    if (lstat(entry->target, &present) == 0) {
        /* Below a folder that was bound before. */
    } else if (S_ISDIR(status.st_mode)) {
        if (mkdir(entry->target, 0755) && errno != EEXIST) return -1;
    } else {
        int file = open(entry->target, O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0444);
        if (file < 0) return -1;
        close(file);
    }
    int result = (int)syscall(SYS_move_mount, tree, "", AT_FDCWD, entry->target, MOVE_MOUNT_F_EMPTY_PATH);
    close(tree);
    return result;
}

static int write_file(const struct intentd_root_entry *entry) {
    int file = open(entry->target, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, entry->permissions);
    if (file < 0) return -1;
    for (size_t done = 0; done < entry->byte_count;) {
        ssize_t written = write(file, entry->source + done, entry->byte_count - done);
        if (written < 0) {
            close(file);
            return -1;
        }
        done += (size_t)written;
    }
    return close(file);
}

static int place(const struct intentd_root_entry *entry, int tree) {
    if (make_parents(entry->target)) return -1;
    switch (entry->kind) {
    case INTENTD_ENTRY_DIRECTORY: return mkdir(entry->target, entry->permissions) && errno != EEXIST ? -1 : 0;
    case INTENTD_ENTRY_LINK: return symlink(entry->source, entry->target);
    case INTENTD_ENTRY_FILE: return write_file(entry);
    case INTENTD_ENTRY_BIND: return tree < 0 ? 0 : attach(tree, entry);
    case INTENTD_ENTRY_PROC:
        if (mkdir(entry->target, 0755) && errno != EEXIST) return -1;
        return mount("proc", entry->target, "proc", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC,
                     entry->source);
    }
    errno = EINVAL;
    return -1;
}

/* Opens the tree of a bind, with all that is mounted below: without it the kernel refuses what a namespace inherited.
 *
 * A granted path is walked once, here, and no component may be a link: an app that may write in a folder above could
 * have put it there a moment ago. */
static int open_source(const struct intentd_root_entry *entry) {
    unsigned flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE;
    if (!entry->is_granted) return (int)syscall(SYS_open_tree, AT_FDCWD, entry->source, flags);
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    int place = (int)syscall(SYS_openat2, AT_FDCWD, entry->source, &how, sizeof how);
    if (place < 0) return -1;
    int tree = (int)syscall(SYS_open_tree, place, "", flags | AT_EMPTY_PATH);
    int error = errno;
    close(place);
    errno = error;
    return tree;
}

/* A root of its own: the sources are opened while the old one is still there. */
static void make_root(const struct intentd_sandbox_plan *plan, int report) {
    /* MS_REC | MS_PRIVATE: nothing that is mounted here is seen outside. */
    if (mount(NULL, "/", NULL, 0x4000 | 0x40000, NULL)) intentd_fail(report, INTENTD_SANDBOX_PRIVATE, 0);
    static int trees[SOURCE_MAX];
    if (plan->entry_count > SOURCE_MAX) {
        errno = E2BIG;
        intentd_fail(report, INTENTD_SANDBOX_SOURCE, SOURCE_MAX);
    }
    for (size_t i = 0; i < plan->entry_count; i++) {
        const struct intentd_root_entry *entry = &plan->entries[i];
        trees[i] = -1;
        if (entry->kind != INTENTD_ENTRY_BIND) continue;
        int tree = open_source(entry);
        if (tree < 0 && entry->is_optional && (errno == ENOENT || errno == ENOTDIR || errno == EACCES)) continue;
        struct mount_attr attributes = {.attr_set = entry->attributes};
        if (tree < 0 ||
            syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes, sizeof attributes))
            intentd_fail(report, INTENTD_SANDBOX_SOURCE, (int)i);
        trees[i] = tree;
    }
    char options[64];
    snprintf(options, sizeof options, "mode=755,size=%llu,nr_inodes=4096", (unsigned long long)plan->root_byte_count);
    if (mount("intentd", plan->mount_point, "tmpfs", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, options) ||
        chdir(plan->mount_point))
        intentd_fail(report, INTENTD_SANDBOX_ROOT, 0);
    umask(0);
    for (size_t i = 0; i < plan->entry_count; i++)
        if (place(&plan->entries[i], trees[i]))
            intentd_fail(report,
                         plan->entries[i].kind == INTENTD_ENTRY_PROC ? INTENTD_SANDBOX_PROC : INTENTD_SANDBOX_ENTRY,
                         (int)i);
    /* The old root goes below the new one, and is let go: pivot_root(2). */
    if (syscall(SYS_pivot_root, ".", ".") || umount2(".", DETACH) || chdir("/"))
        intentd_fail(report, INTENTD_SANDBOX_PIVOT, 0);
    struct mount_attr attributes = {.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV};
    if (syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, &attributes, sizeof attributes))
        intentd_fail(report, INTENTD_SANDBOX_PIVOT, 1);
}

static void restrict_access(const struct intentd_landlock *landlock, int report) {
    struct ruleset_attributes attributes = {landlock->file_access, landlock->network_access, landlock->scopes};
    if (!attributes.handled_access_fs && !attributes.handled_access_net && !attributes.scoped) return;
    /* A kernel refuses what it does not know, zeroes excepted. */
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
    if (ruleset < 0) intentd_fail(report, INTENTD_SANDBOX_LANDLOCK, -1);
    for (size_t i = 0; i < landlock->path_count; i++) {
        int parent = open(landlock->paths[i].path, O_PATH | O_CLOEXEC);
        if (parent < 0 && errno == ENOENT) continue; /* an optional bind that was left out */
        struct landlock_path_beneath_attr rule = {.allowed_access = landlock->paths[i].access, .parent_fd = parent};
        struct stat status;
        if (parent >= 0 && fstat(parent, &status) == 0 && !S_ISDIR(status.st_mode))
            /* Of a file only what can be done to a file: landlock_add_rule(2) refuses the rest. */
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

/* Loads the filter, and hands its listener, where it has questions, to pid 1. */
static void load_filter(const struct intentd_sandbox_plan *plan, int door, int report) {
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
    if (send_descriptor(door, listener)) intentd_fail(report, INTENTD_SANDBOX_FILTER, 2);
}

/* The process that becomes the executable. */
static void __attribute__((noreturn)) run_server(const struct intentd_sandbox_plan *plan, int door, int report) {
    const struct intentd_launch_plan *launch = &plan->launch;
    /* A session of its own: keys pressed at the launcher's terminal are not the app's. */
    if (setsid() < 0) intentd_fail(report, INTENTD_LAUNCH_SESSION, 0);
    intentd_put_descriptors(launch, &report, &door);
    int proc = intentd_open_own_proc();
    if (proc < 0) intentd_fail(report, INTENTD_SANDBOX_PROC, 0);
    make_root(plan, report);
    /* The name is seen by the app alone; without it the host's would be. */
    if (sethostname(plan->host_name, strlen(plan->host_name))) intentd_fail(report, INTENTD_SANDBOX_NAMESPACES, 2);
    if (launch->user >= 0) {
        /* Root had no need of a user namespace until here. In it, nobody is root, whatever the file says. */
        intentd_become(launch->user, report);
        prctl(PR_SET_DUMPABLE, 1);
        if (unshare(CLONE_NEWUSER)) intentd_fail(report, INTENTD_SANDBOX_NAMESPACES, 1);
        if (map_own_user((uid_t)launch->user, (gid_t)launch->user)) intentd_fail(report, INTENTD_SANDBOX_USER_MAP, 1);
    }
    if (intentd_forbid_namespaces(proc)) intentd_fail(report, INTENTD_SANDBOX_NAMESPACES, 4);
    close(proc);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) intentd_fail(report, INTENTD_LAUNCH_PRIVILEGES, 0);
    umask(077);
    if (chdir(launch->directory)) intentd_fail(report, INTENTD_LAUNCH_DIRECTORY, 0);
    restrict_access(&plan->landlock, report);
    if (plan->filter_byte_count > 0) load_filter(plan, door, report);
    /* In the user namespace: RLIMIT_NPROC counts there what the app has, and outside what the user has on the host. And
     * not before rules and listener are made: what the launcher has open takes the low numbers until the exec. */
    intentd_set_limits(launch, report);
    execve(launch->executable, (char *const *)launch->arguments, (char *const *)launch->environment);
    intentd_fail(report, INTENTD_LAUNCH_EXECUTE, 0);
}

/* Brings up lo in a network namespace of its own: netdevice(7). */
static int start_loopback(void) {
    int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (any < 0) return -1;
    struct ifreq loopback = {.ifr_name = "lo", .ifr_flags = IFF_UP};
    int result = ioctl(any, SIOCSIFFLAGS, &loopback);
    close(any);
    return result;
}

/* Makes the namespaces, and in them the two brothers that stay; then it ends. */
static void __attribute__((noreturn)) run_maker(const struct intentd_sandbox_plan *plan, int made, int report) {
    intentd_reset_signals();
    uid_t user = getuid();
    gid_t group = getgid();
    /* The launcher forbids inspection, and files below /proc then belong to root; a user's map could not be written. */
    if (prctl(PR_SET_DUMPABLE, 1)) intentd_fail(made, INTENTD_SANDBOX_NAMESPACES, 3);
    int namespaces = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
    if (!plan->has_network) namespaces |= CLONE_NEWNET;
    /* Root needs none to make the others, and takes one when it is root no more. */
    if (plan->launch.user < 0) namespaces |= CLONE_NEWUSER;
    if (unshare(namespaces)) intentd_fail(made, INTENTD_SANDBOX_NAMESPACES, 0);
    if (plan->launch.user < 0 && map_own_user(user, group))
        intentd_fail(made, INTENTD_SANDBOX_USER_MAP, 0);
    if (!plan->has_network && plan->has_loopback && start_loopback())
        intentd_fail(made, INTENTD_SANDBOX_LOOPBACK, 0);
    int doors[2] = {-1, -1};
    if (plan->filter_asks && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, doors))
        intentd_fail(made, INTENTD_SANDBOX_INIT, 1);
    int init = clone_brother(plan->leaf);
    if (init == 0) run_init(plan, doors[0], made);
    if (init < 0) intentd_fail(made, INTENTD_SANDBOX_INIT, 0);
    int server = clone_brother(plan->leaf);
    if (server == 0) {
        close(made);
        run_server(plan, doors[1], report);
    }
    if (server < 0) {
        int error = errno;
        kill(init, SIGKILL);
        errno = error;
        intentd_fail(made, INTENTD_SANDBOX_SERVER, 0);
    }
    /* No step failed: the two numbers take the places of the error and the index. */
    struct intentd_launch_failure started = {0, init, server};
    ssize_t written = write(made, &started, sizeof started);
    (void)written; /* the launcher sees the end of the pipe then */
    _exit(0);
}

int intentd_sandbox_start(const struct intentd_sandbox_plan *plan, struct intentd_sandbox_processes *processes,
                          struct intentd_launch_failure *failure) {
    /* One pipe for the maker, which lives for a moment, and one that ends when the executable starts. */
    int made[2] = {-1, -1}, report[2] = {-1, -1};
    int maker = -1;
    *failure = (struct intentd_launch_failure){INTENTD_LAUNCH_CLONE, 0, 0};
    if (pipe2(made, O_CLOEXEC) == 0 && pipe2(report, O_CLOEXEC | O_NONBLOCK) == 0) {
        struct clone_args arguments = {.exit_signal = SIGCHLD};
        if (plan->group >= 0) {
            arguments.flags |= CLONE_INTO_CGROUP;
            arguments.cgroup = (uint64_t)plan->group;
        }
        maker = (int)syscall(SYS_clone3, &arguments, sizeof arguments);
        if (maker == 0) run_maker(plan, made[1], report[1]);
    }
    failure->error = errno;
    close(made[1]);
    close(report[1]);
    struct intentd_launch_failure told;
    ssize_t count = -1;
    if (maker > 0) {
        do count = read(made[0], &told, sizeof told);
        while (count < 0 && errno == EINTR);
        while (waitpid(maker, NULL, __WALL) < 0 && errno == EINTR) {}
        if (count != sizeof told) *failure = (struct intentd_launch_failure){INTENTD_LAUNCH_CLONE, ECHILD, 1};
    }
    close(made[0]);
    if (count == sizeof told && told.step == 0) {
        *processes = (struct intentd_sandbox_processes){.init = told.error, .server = told.index, .report = report[0]};
        return 0;
    }
    if (count == sizeof told) *failure = told;
    close(report[0]);
    return -1;
}

int intentd_landlock_version(void) {
    /* LANDLOCK_CREATE_RULESET_VERSION is 1. */
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
    return version < 0 ? 0 : (int)version;
}
