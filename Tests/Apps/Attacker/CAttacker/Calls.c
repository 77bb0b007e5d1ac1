#define _GNU_SOURCE
#include "Attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* System calls by number, with arguments that are harmless if a call is not refused. */

static const struct {
    const char *name;
    long number;
    unsigned long argument; /* used for all six arguments */
} calls[] = {
    {"setns", SYS_setns, -1UL},
    {"process_madvise", SYS_process_madvise, -1UL},
    {"process_mrelease", 448, -1UL},
    {"pidfd_getfd", SYS_pidfd_getfd, -1UL},
    {"fanotify_init", SYS_fanotify_init, -1UL},
    {"fanotify_mark", SYS_fanotify_mark, -1UL},
    {"fsconfig", SYS_fsconfig, -1UL},
    {"fsmount", SYS_fsmount, -1UL},
    {"open_tree_attr", 467, -1UL},
    {"quotactl_fd", 443, -1UL},
    {"setdomainname", SYS_setdomainname, -1UL},
    {"adjtimex", SYS_adjtimex, 0},
    {"clock_adjtime", SYS_clock_adjtime, 0},
    {"kexec_file_load", SYS_kexec_file_load, -1UL},
    {"set_mempolicy", SYS_set_mempolicy, -1UL},
    {"get_mempolicy", SYS_get_mempolicy, -1UL},
    {"mbind", SYS_mbind, 0},
    {"move_pages", SYS_move_pages, 0},
    {"mlock", SYS_mlock, 0},
    {"mlock2", SYS_mlock2, 0},
    {"munlockall", SYS_munlockall, 0},
    {"swapon", SYS_swapon, 0},
    {"get_robust_list", SYS_get_robust_list, 1},
    {"sched_setparam", SYS_sched_setparam, 0},
    {"io_setup", SYS_io_setup, 0},
    {"io_submit", SYS_io_submit, 0},
    {"io_uring_enter", SYS_io_uring_enter, -1UL},
    {"io_uring_register", SYS_io_uring_register, -1UL},
    {"lookup_dcookie", SYS_lookup_dcookie, 0},
    {"vmsplice", SYS_vmsplice, -1UL},
    {"remap_file_pages", SYS_remap_file_pages, 0},
    {"semget", SYS_semget, 0},
    {"semop", SYS_semop, 0},
    {"shmat", SYS_shmat, 0},
    {"msgget", SYS_msgget, 0},
    {"msgsnd", SYS_msgsnd, -1UL},
    {"mq_unlink", SYS_mq_unlink, 0},
    {"mq_notify", SYS_mq_notify, -1UL},
    {"setxattr", SYS_setxattr, 0},
    {"lsetxattr", SYS_lsetxattr, 0},
    {"lremovexattr", SYS_lremovexattr, 0},
    {"fremovexattr", SYS_fremovexattr, -1UL},
    {"sync", SYS_sync, 0},
    {"syncfs", SYS_syncfs, -1UL},
    {"openat2", SYS_openat2, 0},
    {"cachestat", 451, -1UL},
    {"map_shadow_stack", 453, 0},
    {"futex_requeue", 456, 0},
    {"lsm_set_self_attr", 460, 0},
    {"mseal", 462, 0},
    {"landlock_restrict_self", SYS_landlock_restrict_self, -1UL},
    {"pidfd_open", SYS_pidfd_open, 0},
    {"membarrier of others", SYS_membarrier, 1 << 30},
#ifdef SYS_arch_prctl
    {"ioperm", SYS_ioperm, 0},
    {"uselib", SYS_uselib, 0},
    {"_sysctl", SYS__sysctl, 0},
    {"ustat", SYS_ustat, 0},
    {"sysfs", SYS_sysfs, 0},
    {"create_module", SYS_create_module, 0},
    {"nfsservctl", SYS_nfsservctl, 0},
#endif
};

static long try_call(const char *name, struct notes *notes) {
    (void)notes;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        unsigned long x = calls[i].argument;
        if (!strcmp(calls[i].name, name)) return syscall(calls[i].number, x, x, x, x, x, x);
    }
    errno = EDOM;
    return -1;
}

/* "FILE REQUEST": an ioctl(2) request by number, on a descriptor that every process in the sandbox has. */
static long try_request(const char *detail, struct notes *notes) {
    (void)notes;
    unsigned long request;
    char *end;
    long file = strtol(detail, &end, 10);
    request = strtoul(end, NULL, 16);
    static char room[4096];
    return ioctl((int)file, request, room);
}

/* "PATH REQUEST": an ioctl(2) request by number, on a device opened by path. */
static long try_device_request(const char *detail, struct notes *notes) {
    (void)notes;
    char path[128];
    unsigned long request;
    if (sscanf(detail, "%127s %lx", path, &request) != 2) return errno = EDOM, -1;
    static char room[4096];
    int file = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    return file < 0 ? -1 : ioctl(file, request, room);
}

static long try_option(const char *number, struct notes *notes) {
    (void)notes;
    return syscall(SYS_prctl, strtoul(number, NULL, 10), 1, 0, 0, 0);
}

/* clone3(2) has its flags behind a pointer, so only the kernel can refuse them. `flags` is hexadecimal. */
static long try_flags(const char *flags, struct notes *notes) {
    (void)notes;
    struct {
        uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid, set_tid_size, cgroup;
    } arguments = {.flags = strtoull(flags, NULL, 16)};
    if (!(arguments.flags & CLONE_PARENT)) arguments.exit_signal = SIGCHLD;
    long child = syscall(SYS_clone3, &arguments, sizeof arguments);
    if (child == 0) _exit(0);
    return child;
}

/* Forks a process with a chosen pid. */
static long try_own_number(const char *number, struct notes *notes) {
    (void)notes;
    pid_t wanted = atoi(number);
    struct {
        uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid, set_tid_size, cgroup;
    } arguments = {.exit_signal = SIGCHLD, .set_tid = (uint64_t)(uintptr_t)&wanted, .set_tid_size = 1};
    long child = syscall(SYS_clone3, &arguments, sizeof arguments);
    if (child == 0) _exit(0);
    return child;
}

const struct attempt call_attempts[] = {
    {"call", try_call, INSIDE_ONLY},
    {"request", try_request, INSIDE_ONLY},
    {"device request", try_device_request, INSIDE_ONLY},
    {"option", try_option, INSIDE_ONLY},
    {"clone3 flags", try_flags, INSIDE_ONLY},
    {"own number", try_own_number, INSIDE_ONLY},
    {NULL, NULL, HARMLESS},
};
