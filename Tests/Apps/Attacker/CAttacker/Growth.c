#define _GNU_SOURCE
#include "Attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Kernel memory that no limit on a process's own memory covers. */

/* Page tables: reads one byte per page table of read-only memory. */
static long try_page_tables(const char *gibibytes, struct notes *notes) {
    (void)notes;
    const size_t step = (size_t)8 << 30;
    for (long done = 0; done < atol(gibibytes); done += 8) {
        volatile char *memory = mmap(NULL, step, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) return -1;
        for (size_t at = 0; at < step; at += (size_t)2 << 20) (void)memory[at];
    }
    return 0;
}

static long try_raise(const char *name, struct notes *notes) {
    (void)notes;
    static const struct {
        const char *name;
        int resource;
    } limits[] = {
        {"stack", RLIMIT_STACK},   {"addresses", RLIMIT_AS},       {"data", RLIMIT_DATA},   {"files", RLIMIT_NOFILE},
        {"core", RLIMIT_CORE},     {"signals", RLIMIT_SIGPENDING}, {"queues", RLIMIT_MSGQUEUE},
        {"locked", RLIMIT_MEMLOCK}, {"tasks", RLIMIT_NPROC},       {"file size", RLIMIT_FSIZE},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        if (strcmp(limits[i].name, name)) continue;
        struct rlimit limit;
        if (getrlimit(limits[i].resource, &limit)) return -1;
        if (limit.rlim_max == RLIM_INFINITY) return note(notes, "no limit"), 0;
        limit.rlim_cur = limit.rlim_max = limit.rlim_max * 2 + 1;
        return setrlimit(limits[i].resource, &limit);
    }
    errno = EDOM;
    return -1;
}

static long try_limits(const char *detail, struct notes *notes) {
    (void)detail;
    static const int resources[] = {RLIMIT_NOFILE, RLIMIT_SIGPENDING, RLIMIT_MSGQUEUE, RLIMIT_MEMLOCK, RLIMIT_CORE};
    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
        struct rlimit limit;
        if (getrlimit(resources[i], &limit)) return -1;
        char text[32];
        snprintf(text, sizeof text, "%s%lu", i ? " " : "", (unsigned long)limit.rlim_max);
        note(notes, "%s", text);
    }
    return 0;
}

static long try_timers(const char *count, struct notes *notes) {
    (void)notes;
    for (long made = 0; made < atol(count); made++) {
        timer_t timer;
        struct sigevent nothing = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
        if (timer_create(CLOCK_MONOTONIC, &nothing, &timer)) return -1;
    }
    return 0;
}

static long try_pipe_size(const char *bytes, struct notes *notes) {
    (void)notes;
    int ends[2];
    return pipe2(ends, O_CLOEXEC) ? -1 : fcntl(ends[1], F_SETPIPE_SZ, atoi(bytes));
}

/* The compiled form of a large filter takes memory from a pool that all filters of the host share. */
static long try_filter(const char *way, struct notes *notes) {
    (void)notes;
    static struct sock_filter program[4096];
    for (size_t i = 0; i < 4095; i++) program[i] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0);
    program[4095] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog filter = {4096, program};
    if (!strcmp(way, "prctl")) return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
    /* The kernel ignores the upper half of the register. */
    if (!strcmp(way, "prctl with high bits"))
        return syscall(SYS_prctl, 1ULL << 32 | PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0);
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

static long try_ruleset(const char *rules, struct notes *notes) {
    (void)notes;
    struct {
        uint64_t files, network;
    } attributes = {0, 3};
    long ruleset = syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
    if (ruleset < 0) return -1;
    for (uint64_t port = 0; port < strtoull(rules, NULL, 10); port++) {
        struct {
            uint64_t access, port;
        } rule = {3, port};
        if (syscall(SYS_landlock_add_rule, ruleset, 2, &rule, 0)) return -1;
    }
    return 0;
}

static long try_inotify(const char *detail, struct notes *notes) {
    (void)detail;
    (void)notes;
    return inotify_init1(IN_CLOEXEC);
}

/* Creates as many epoll watches as one process can: half of its descriptors watch the other half. */
static long try_watches(const char *count, struct notes *notes) {
    long most = atol(count), made = 0;
    int files[512];
    int file_count = 0;
    while (file_count < 512 && (files[file_count] = dup(3)) >= 0) file_count++;
    if (file_count == 0) return -1;
    /* Half of the descriptors are closed, to be reused for epoll instances. */
    for (int i = file_count / 2; i < file_count; i++) close(files[i]);
    file_count /= 2;
    for (;;) {
        int watcher = epoll_create1(EPOLL_CLOEXEC);
        if (watcher < 0) break;
        for (int i = 0; i < file_count; i++) {
            struct epoll_event event = {.events = EPOLLIN};
            if (epoll_ctl(watcher, EPOLL_CTL_ADD, files[i], &event)) return -1;
            if (++made > most) return note(notes, "more than %ld", most), 0;
        }
    }
    note(notes, "within the limit");
    return 0;
}

const struct attempt growth_attempts[] = {
    {"page tables", try_page_tables, INSIDE_ONLY},
    {"raise", try_raise, INSIDE_ONLY},
    {"limits", try_limits, HARMLESS},
    {"timers", try_timers, INSIDE_ONLY},
    {"pipe size", try_pipe_size, INSIDE_ONLY},
    {"filter", try_filter, INSIDE_ONLY},
    {"ruleset", try_ruleset, INSIDE_ONLY},
    {"inotify", try_inotify, INSIDE_ONLY},
    {"watches", try_watches, INSIDE_ONLY},
    {NULL, NULL, HARMLESS},
};
