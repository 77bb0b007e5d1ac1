#define _GNU_SOURCE
#include "Attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define UNUSED (void)notes

/* The pid of another process. Where each run has its own sandbox, the neighbour's pid may be that of this process. Then
 * this returns a pid that no process has. */
static pid_t other(const char *process) {
    pid_t number = atoi(process);
    return number == getpid() || number == -getpid() ? 99999 : number;
}

/* Signals. Signal 0 would also show which processes can be reached, but SIGTERM does harm. */

static long try_kill(const char *process, struct notes *notes) {
    UNUSED;
    return syscall(SYS_kill, other(process), SIGTERM);
}

static long try_tkill(const char *process, struct notes *notes) {
    UNUSED;
    return syscall(SYS_tkill, other(process), SIGTERM);
}

static long try_tgkill(const char *process, struct notes *notes) {
    UNUSED;
    return syscall(SYS_tgkill, other(process), other(process), SIGTERM);
}

static long try_pidfd_open(const char *process, struct notes *notes) {
    UNUSED;
    return syscall(SYS_pidfd_open, other(process), 0);
}

/* This call also accepts a folder of /proc as a pidfd. */
static long try_pidfd_signal(const char *process, struct notes *notes) {
    UNUSED;
    int own = open("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    (void)process;
    return syscall(SYS_pidfd_send_signal, own, 0, NULL, 0);
}

static long try_queue(const char *process, struct notes *notes) {
    UNUSED;
    siginfo_t value = {.si_signo = SIGTERM, .si_code = SI_QUEUE};
    return syscall(SYS_rt_sigqueueinfo, other(process), SIGTERM, &value);
}

static long try_queue_thread(const char *process, struct notes *notes) {
    UNUSED;
    siginfo_t value = {.si_signo = SIGTERM, .si_code = SI_QUEUE};
    return syscall(SYS_rt_tgsigqueueinfo, other(process), other(process), SIGTERM, &value);
}

static long try_own(const char *process, struct notes *notes) {
    UNUSED;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) return -1;
    return fcntl(ends[0], F_SETOWN, other(process));
}

static long try_own_signal(const char *process, struct notes *notes) {
    UNUSED;
    (void)process;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) return -1;
    return fcntl(ends[0], F_SETSIG, SIGTERM);
}

static long try_own_by_ioctl(const char *process, struct notes *notes) {
    UNUSED;
    int number = other(process), ends[2];
    if (pipe2(ends, O_CLOEXEC)) return -1;
    return ioctl(ends[0], 0x8901 /* FIOSETOWN */, &number);
}

/* The scheduler. */

static long try_limit(const char *process, struct notes *notes) {
    UNUSED;
    struct rlimit limit = {4, 4};
    return syscall(SYS_prlimit64, other(process), RLIMIT_NOFILE, &limit, NULL);
}

static long try_nice(const char *process, struct notes *notes) {
    UNUSED;
    return syscall(SYS_setpriority, PRIO_PROCESS, other(process), 19);
}

static long try_nice_group(const char *process, struct notes *notes) {
    UNUSED;
    return syscall(SYS_setpriority, PRIO_PGRP, other(process), 19);
}

static long try_nice_user(const char *process, struct notes *notes) {
    UNUSED;
    (void)process;
    return syscall(SYS_setpriority, PRIO_USER, 0, 19);
}

static long try_affinity(const char *process, struct notes *notes) {
    UNUSED;
    unsigned long first = 1;
    return syscall(SYS_sched_setaffinity, other(process), sizeof first, &first);
}

static long try_idle(const char *process, struct notes *notes) {
    UNUSED;
    struct sched_param none = {0};
    return syscall(SYS_sched_setscheduler, other(process), SCHED_IDLE, &none);
}

static long try_idle_by_attributes(const char *process, struct notes *notes) {
    UNUSED;
    struct {
        unsigned size, policy;
        unsigned long long flags;
        int nice;
        unsigned priority;
        unsigned long long runtime, deadline, period;
    } attributes = {.size = 48, .policy = SCHED_IDLE};
    return syscall(SYS_sched_setattr, other(process), &attributes, 0);
}

static long try_disk_priority(const char *process, struct notes *notes) {
    UNUSED;
    return syscall(SYS_ioprio_set, 1, other(process), 3 << 13);
}

static long try_move_pages(const char *process, struct notes *notes) {
    UNUSED;
    unsigned long none = 0;
    return syscall(SYS_migrate_pages, other(process), 1, &none, &none);
}

/* Memory and state of other processes. */

static long try_peek(const char *process, struct notes *notes) {
    UNUSED;
    char here[8];
    struct iovec to = {here, sizeof here}, from = {(void *)(uintptr_t)notes, sizeof here};
    return syscall(SYS_process_vm_readv, other(process), &to, 1, &from, 1, 0);
}

static long try_poke(const char *process, struct notes *notes) {
    UNUSED;
    char here[8] = "";
    struct iovec from = {here, sizeof here}, to = {(void *)(uintptr_t)notes, sizeof here};
    return syscall(SYS_process_vm_writev, other(process), &from, 1, &to, 1, 0);
}

static long try_compare(const char *process, struct notes *notes) {
    UNUSED;
    return syscall(SYS_kcmp, getpid(), other(process), 0, 0, 0);
}

static long try_attach(const char *process, struct notes *notes) {
    UNUSED;
    return ptrace(PTRACE_ATTACH, other(process), NULL, NULL);
}

static long try_seize(const char *process, struct notes *notes) {
    UNUSED;
    return ptrace(PTRACE_SEIZE, other(process), NULL, NULL);
}

static long try_be_traced(const char *process, struct notes *notes) {
    UNUSED;
    (void)process;
    return ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

/* Lists all state of this process and of a file that a neighbour could change. */
static long try_state(const char *path, struct notes *notes) {
    unsigned long processors[16] = {0};
    struct rlimit limit;
    struct stat folder, file;
    char text[64] = "";
    syscall(SYS_sched_getaffinity, 0, sizeof processors, processors);
    if (getrlimit(RLIMIT_NOFILE, &limit) || stat(".", &folder) || stat(path, &file)) return -1;
    int opened = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t count = read(opened, text, sizeof text - 1);
    close(opened);
    note(notes, "nice %d policy %d processors %lx disk %ld files %lu folder %o %ld.%ld file %o %ld.%ld %zd %s",
         getpriority(PRIO_PROCESS, 0), sched_getscheduler(0), processors[0], syscall(SYS_ioprio_get, 1, 0),
         (unsigned long)limit.rlim_cur, folder.st_mode, folder.st_mtim.tv_sec, folder.st_mtim.tv_nsec, file.st_mode,
         file.st_mtim.tv_sec, file.st_mtim.tv_nsec, count, text);
    return 0;
}

const struct attempt process_attempts[] = {
    {"state", try_state, HARMLESS},
    {"kill", try_kill, INSIDE_ONLY},
    {"tkill", try_tkill, INSIDE_ONLY},
    {"tgkill", try_tgkill, INSIDE_ONLY},
    {"pidfd_open", try_pidfd_open, HARMLESS},
    {"pidfd_send_signal", try_pidfd_signal, HARMLESS},
    {"rt_sigqueueinfo", try_queue, INSIDE_ONLY},
    {"rt_tgsigqueueinfo", try_queue_thread, INSIDE_ONLY},
    {"F_SETOWN", try_own, INSIDE_ONLY},
    {"F_SETSIG", try_own_signal, HARMLESS},
    {"FIOSETOWN", try_own_by_ioctl, INSIDE_ONLY},
    {"prlimit", try_limit, INSIDE_ONLY},
    {"setpriority", try_nice, INSIDE_ONLY},
    {"setpriority of a group", try_nice_group, INSIDE_ONLY},
    {"setpriority of a user", try_nice_user, INSIDE_ONLY},
    {"sched_setaffinity", try_affinity, INSIDE_ONLY},
    {"sched_setscheduler", try_idle, INSIDE_ONLY},
    {"sched_setattr", try_idle_by_attributes, INSIDE_ONLY},
    {"ioprio_set", try_disk_priority, INSIDE_ONLY},
    {"migrate_pages", try_move_pages, INSIDE_ONLY},
    {"process_vm_readv", try_peek, HARMLESS},
    {"process_vm_writev", try_poke, INSIDE_ONLY},
    {"kcmp", try_compare, HARMLESS},
    {"ptrace attach", try_attach, INSIDE_ONLY},
    {"ptrace seize", try_seize, INSIDE_ONLY},
    {"ptrace traceme", try_be_traced, HARMLESS},
    {NULL, NULL, HARMLESS},
};
