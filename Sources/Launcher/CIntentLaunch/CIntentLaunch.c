#define _GNU_SOURCE
#include "CIntentLaunch.h"
#include "Steps.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/sched.h>
#include <linux/securebits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

void intentd_fail(int report, int step, int index) {
    struct intentd_launch_failure failure = {step, errno, index};
    ssize_t written = write(report, &failure, sizeof failure);
    (void)written; /* if the write fails, the failure cannot be reported */
    _exit(127);
}

int intentd_close_keeping_error(int descriptor) {
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

int intentd_clone(uint64_t flags, int exit_signal, int cgroup, int *pidfd) {
    struct clone_args arguments = {.flags = flags, .exit_signal = (uint64_t)exit_signal};
    if (pidfd) {
        arguments.flags |= CLONE_PIDFD;
        arguments.pidfd = (uint64_t)(uintptr_t)pidfd;
    }
    if (cgroup >= 0) {
        arguments.flags |= CLONE_INTO_CGROUP;
        arguments.cgroup = (uint64_t)cgroup;
    }
    return (int)syscall(SYS_clone3, &arguments, sizeof arguments);
}

void intentd_reset_signals(void) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int signal = 1; signal < NSIG; signal++) sigaction(signal, &standard, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

void intentd_put_descriptors(const struct intentd_launch_plan *plan, int *report, int *other) {
    /* First duplicate the sources to high numbers, because the number of one source may be the target of another. */
    int sources[4];
    for (int i = 0; i < 4; i++) {
        sources[i] = -1;
        if (plan->descriptors[i] < 0) continue;
        sources[i] = fcntl(plan->descriptors[i], F_DUPFD_CLOEXEC, SPARE_DESCRIPTOR);
        if (sources[i] < 0) intentd_fail(*report, INTENTD_LAUNCH_DESCRIPTORS, i);
    }
    int high_report = fcntl(*report, F_DUPFD_CLOEXEC, SPARE_DESCRIPTOR);
    if (high_report < 0) intentd_fail(*report, INTENTD_LAUNCH_DESCRIPTORS, 4);
    *report = high_report;
    if (*other >= 0) {
        *other = fcntl(*other, F_DUPFD_CLOEXEC, SPARE_DESCRIPTOR);
        if (*other < 0) intentd_fail(*report, INTENTD_LAUNCH_DESCRIPTORS, 5);
    }
    for (int i = 0; i < 4; i++)
        if (sources[i] >= 0 && dup2(sources[i], i) < 0) intentd_fail(*report, INTENTD_LAUNCH_DESCRIPTORS, i);
    /* Make all other descriptors close-on-exec instead of closing them now, because the report must stay open until the
     * exec. */
    if (syscall(SYS_close_range, 4, ~0U, CLOSE_RANGE_CLOEXEC)) intentd_fail(*report, INTENTD_LAUNCH_DESCRIPTORS, 6);
}

void intentd_set_limits(const struct intentd_launch_plan *plan, int report) {
    for (size_t i = 0; i < plan->limit_count; i++) {
        struct rlimit current;
        if (getrlimit(plan->limits[i].resource, &current)) intentd_fail(report, INTENTD_LAUNCH_LIMITS, (int)i);
        rlim_t value = plan->limits[i].value;
        /* Keep a lower hard limit, which is stricter. Raising it would also require CAP_SYS_RESOURCE. */
        if (current.rlim_max != RLIM_INFINITY && value > current.rlim_max) value = current.rlim_max;
        struct rlimit limit = {value, value};
        if (setrlimit(plan->limits[i].resource, &limit)) intentd_fail(report, INTENTD_LAUNCH_LIMITS, (int)i);
    }
}

void intentd_change_id(int64_t number, int report) {
    if (number < 0) return;
    gid_t group = (gid_t)number;
    uid_t user = (uid_t)number;
    if (setresgid(group, group, group) || setresuid(user, user, user)) intentd_fail(report, INTENTD_LAUNCH_USER, 1);
}

void intentd_confine_process(const struct intentd_launch_plan *plan, int report) {
    /* Clear each set explicitly, because only a change from user id 0 clears the capabilities (capabilities(7)). All
     * securebits are set and locked, except SECBIT_KEEP_CAPS, which is locked but not set. */
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct kept[2] = {0};
    const unsigned bits = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP | SECBIT_NO_SETUID_FIXUP_LOCKED |
                          SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    if (plan->may_change_root) {
        /* An ambient capability outlives the exec. Make it inheritable before it leaves the bounding set. */
        struct __user_cap_data_struct sets[2];
        kept[0].permitted = kept[0].effective = kept[0].inheritable = 1u << CAP_SYS_CHROOT;
        if (syscall(SYS_capget, &header, sets)) intentd_fail(report, INTENTD_LAUNCH_PRIVILEGES, 3);
        sets[0].inheritable = 1u << CAP_SYS_CHROOT;
        if (syscall(SYS_capset, &header, sets) || prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_CHROOT, 0, 0))
            intentd_fail(report, INTENTD_LAUNCH_PRIVILEGES, 4);
    }
    for (int number = 0; prctl(PR_CAPBSET_DROP, number, 0, 0, 0) == 0; number++) {}
    /* Without CAP_SETPCAP, the call fails with EPERM. An unprivileged user's launcher has no capabilities to drop. */
    if (prctl(PR_SET_SECUREBITS, bits) && errno != EPERM) intentd_fail(report, INTENTD_LAUNCH_PRIVILEGES, 1);
    if (syscall(SYS_capset, &header, kept)) intentd_fail(report, INTENTD_LAUNCH_PRIVILEGES, 2);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) intentd_fail(report, INTENTD_LAUNCH_PRIVILEGES, 0);
    umask(plan->umask);
    if (chdir(plan->directory)) intentd_fail(report, INTENTD_LAUNCH_DIRECTORY, 0);
}

int intentd_keep_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2];
    if (syscall(SYS_capget, &header, sets)) return -1;
    for (int i = 0; i < 2; i++) sets[i].inheritable = sets[i].permitted;
    if (syscall(SYS_capset, &header, sets)) return -1;
    for (int number = 0; number < 64; number++) {
        if (!(sets[number / 32].permitted & 1u << number % 32)) continue;
        if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, number, 0, 0)) return -1;
    }
    return 0;
}

/* Sets up the child and executes the plan's executable. */
static void __attribute__((noreturn)) execute(const struct intentd_launch_plan *plan, int report) {
    intentd_reset_signals();
    /* Create a session, so that Ctrl-C at the launcher's terminal does not signal the worker. */
    if (setsid() < 0) intentd_fail(report, INTENTD_LAUNCH_SESSION, 0);
    int executable = plan->executable_descriptor;
    intentd_put_descriptors(plan, &report, &executable);
    intentd_set_limits(plan, report);
    if (plan->user >= 0 && setgroups(0, NULL)) intentd_fail(report, INTENTD_LAUNCH_USER, 0);
    intentd_change_id(plan->user, report);
    intentd_confine_process(plan, report);
    execve(plan->executable, (char *const *)plan->arguments, (char *const *)plan->environment);
    if (errno == EACCES && plan->user >= 0)
        syscall(SYS_execveat, executable, "", plan->arguments, plan->environment, AT_EMPTY_PATH);
    intentd_fail(report, INTENTD_LAUNCH_EXECUTE, 0);
}

int intentd_launch(const struct intentd_launch_plan *plan, struct intentd_launch_failure *failure) {
    int report[2];
    *failure = (struct intentd_launch_failure){0};
    if (pipe2(report, O_CLOEXEC)) {
        *failure = (struct intentd_launch_failure){INTENTD_LAUNCH_CLONE, errno, 0};
        return -1;
    }
    int child = intentd_clone(0, SIGCHLD, plan->cgroup, NULL);
    if (child == 0) execute(plan, report[1]);
    int error = errno;
    close(report[1]);
    if (child < 0) {
        close(report[0]);
        *failure = (struct intentd_launch_failure){INTENTD_LAUNCH_CLONE, error, 0};
        return -1;
    }
    struct intentd_launch_failure received;
    ssize_t count;
    do count = read(report[0], &received, sizeof received);
    while (count < 0 && errno == EINTR);
    close(report[0]);
    if (count == 0) return child; /* the exec closed the pipe */
    *failure = count == sizeof received ? received : (struct intentd_launch_failure){INTENTD_LAUNCH_EXECUTE, EIO, 0};
    while (waitpid(child, NULL, __WALL) < 0 && errno == EINTR) {}
    return -1;
}

int intentd_next_end(int process, int keep, int *code, int *status, struct intentd_usage *usage) {
    siginfo_t info = {0};
    struct rusage used = {0};
    /* The C library's wrapper lacks the fifth argument of the system call, the resource usage (waitid(2)). */
    if (syscall(SYS_waitid, process > 0 ? P_PID : P_ALL, (id_t)process, &info,
                WEXITED | WNOHANG | __WALL | (keep ? WNOWAIT : 0), &used))
        return -1;
    *code = info.si_code;
    *status = info.si_status;
    usage->user_us = (int64_t)used.ru_utime.tv_sec * 1000000 + used.ru_utime.tv_usec;
    usage->system_us = (int64_t)used.ru_stime.tv_sec * 1000000 + used.ru_stime.tv_usec;
    usage->peak_kib = used.ru_maxrss;
    return info.si_pid;
}

int intentd_is_child(int process) {
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

enum { INFO_CGROUP = 1 << 2, INFO_MAGIC = 0xFF, INFO_NUMBER = 11 };

/* The first 64 bytes of struct pidfd_info in <linux/pidfd.h>, available since Linux 6.13. */
struct process_info {
    uint64_t mask;
    uint64_t cgroup;
    uint32_t pid, tgid, ppid;
    uint32_t users[8];
    int32_t exit_code;
};

int intentd_origin(int pidfd, int *parent, uint64_t *cgroup) {
    struct process_info info = {.mask = INFO_CGROUP};
    if (ioctl(pidfd, _IOWR(INFO_MAGIC, INFO_NUMBER, struct process_info), &info)) return -1;
    if (!(info.mask & INFO_CGROUP)) {
        errno = ESRCH;
        return -1;
    }
    *parent = (int)info.ppid;
    *cgroup = info.cgroup;
    return 0;
}

int intentd_child_cgroup(int process, uint64_t *cgroup) {
    int pidfd = (int)syscall(SYS_pidfd_open, process, 0), parent;
    if (pidfd < 0) return -1;
    int result = intentd_origin(pidfd, &parent, cgroup);
    close(pidfd);
    return result;
}

/* The maximum depth of the recursion, which keeps one descriptor open for each level. Deeper folders are first moved
 * to the top. */
#define DEPTH_MAX 32

int intentd_freeze(int file) {
    if (fchown(file, geteuid(), (gid_t)-1) || fchmod(file, 0444)) return 0;
    /* The kernel grants a read lease only for a file that no process has open for writing (F_SETLEASE of fcntl(2)). */
    if (fcntl(file, F_SETLEASE, F_RDLCK)) return 0;
    fcntl(file, F_SETLEASE, F_UNLCK);
    return 1;
}

struct removal {
    int top;
    size_t budget;
    unsigned moved; /* the number of moved folders, which makes their names unique */
};

/* Removes all entries of a directory and closes its descriptor. Returns 1 if entries are left. */
static int empty(struct removal *removal, int directory, int depth) {
    DIR *stream = fdopendir(directory); /* owns the descriptor from here on */
    if (!stream) {
        close(directory);
        return 1;
    }
    int left = 0;
    struct dirent *entry;
    while ((entry = readdir(stream))) {
        const char *name = entry->d_name;
        if (!strcmp(name, ".") || !strcmp(name, "..")) continue;
        if (removal->budget == 0) {
            left = 1;
            break;
        }
        removal->budget--;
        if (unlinkat(dirfd(stream), name, 0) == 0 || errno == ENOENT) continue;
        /* Restore the folder's permissions, which its owner may have removed. Use a descriptor instead of the name,
         * because the owner may replace the folder with a symbolic link. */
        int folder = openat(dirfd(stream), name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder >= 0) {
            char by_descriptor[64];
            snprintf(by_descriptor, sizeof by_descriptor, "/proc/self/fd/%d", folder);
            chmod(by_descriptor, 0700);
            close(folder);
        }
        if (depth >= DEPTH_MAX) {
            char moved[32];
            snprintf(moved, sizeof moved, ".removing-%u", removal->moved++);
            renameat(dirfd(stream), name, removal->top, moved);
            left = 1; /* the next round removes the folder from the top, or from here if the move failed */
            continue;
        }
        int inner = openat(dirfd(stream), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner < 0 || empty(removal, inner, depth + 1)) left = 1;
        if (unlinkat(dirfd(stream), name, AT_REMOVEDIR) && errno != ENOENT) left = 1;
    }
    closedir(stream);
    return left;
}

int intentd_remove_tree(const char *path, size_t budget) {
    struct removal removal = {.budget = budget};
    /* Each round moves the folders below DEPTH_MAX levels to the top. A tree of any depth is therefore removed after a
     * finite number of rounds. */
    for (;;) {
        unsigned before = removal.moved;
        int top = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (top < 0) return errno == ENOENT ? 0 : 1;
        removal.top = top;
        int duplicate = fcntl(top, F_DUPFD_CLOEXEC, 3);
        if (duplicate < 0) {
            close(top);
            return 1;
        }
        empty(&removal, duplicate, 0);
        close(top);
        if (rmdir(path) == 0) return 0;
        if (errno != ENOTEMPTY || removal.budget == 0 || removal.moved == before || removal.moved > 1000000) return 1;
    }
}

/* Returns 1 if an open directory contains only "." and "..". */
static int is_empty(int directory) {
    /* The layout of struct linux_dirent64 (getdents(2)). */
    struct entry {
        unsigned long long inode;
        long long offset;
        unsigned short length;
        unsigned char type;
        char name[];
    };
    _Alignas(struct entry) char buffer[1024];
    for (;;) {
        long count = syscall(SYS_getdents64, directory, buffer, sizeof buffer);
        if (count <= 0) return count == 0;
        for (long offset = 0; offset < count;) {
            const struct entry *entry = (const struct entry *)(buffer + offset);
            if (strcmp(entry->name, ".") && strcmp(entry->name, "..")) return 0;
            offset += entry->length;
        }
    }
}

int intentd_is_as_new(int directory, unsigned user) {
    int opened = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) return 0;
    struct stat status;
    /* Check the size as well. On many file systems, a directory that once had many entries remains large. */
    int is_new = fstat(opened, &status) == 0 && status.st_uid == user && (status.st_mode & 07777) == 0700 &&
                 status.st_size <= 4096 && status.st_nlink <= 2;
    if (is_new) {
        /* Access control lists are stored as extended attributes (acl(5)). */
        ssize_t attributes = flistxattr(opened, NULL, 0);
        is_new = attributes == 0 || (attributes < 0 && errno == ENOTSUP);
    }
    is_new = is_new && is_empty(opened);
    close(opened);
    return is_new;
}

int intentd_remove_tree_in_child(const char *path) {
    int child = intentd_start_helper(-1);
    if (child == 0) _exit(intentd_remove_tree(path, (size_t)-1) == 0 ? 0 : 1);
    return child;
}
