#define _GNU_SOURCE
#include "Attempts.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define UNUSED (void)notes

/* Programs, and children in namespaces of their own. */

static char *const no_arguments[] = {"program", NULL};
static char *const no_environment[] = {NULL};

static long execute(const char *path) { return execve(path, no_arguments, no_environment); }

static long try_execute(const char *path, struct notes *notes) {
    UNUSED;
    return execute(path);
}

static long try_execute_memory(const char *path, struct notes *notes) {
    UNUSED;
    (void)path;
    int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    int to = memfd_create("program", MFD_CLOEXEC);
    if (to < 0) return -1;
    char bytes[4096];
    ssize_t count;
    while ((count = read(from, bytes, sizeof bytes)) > 0)
        if (write(to, bytes, (size_t)count) != count) return -1;
    return fexecve(to, no_arguments, no_environment);
}

static long try_execute_script(const char *path, struct notes *notes) {
    UNUSED;
    FILE *script = fopen("script", "w");
    if (!script) return -1;
    fprintf(script, "#!%s\n", path);
    fchmod(fileno(script), 0700);
    fclose(script);
    return execute("./script");
}

/* The dynamic loader runs a program without needing permission to execute it. */
static long try_loader(const char *path, struct notes *notes) {
    UNUSED;
    char *const arguments[] = {"ld.so", (char *)path, NULL};
    return execve("/lib64/ld-linux-x86-64.so.2", arguments, no_environment);
}

static long try_execute_in_child(const char *path, struct notes *notes) {
    UNUSED;
    return in_child(execute, path);
}

/* Processes. */

static long try_fork(const char *detail, struct notes *notes) {
    UNUSED;
    (void)detail;
#ifdef SYS_fork
    long child = syscall(SYS_fork);
#else
    long child = fork();
#endif
    if (child == 0) _exit(0);
    return child;
}

static long try_vfork(const char *detail, struct notes *notes) {
    UNUSED;
    (void)detail;
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    pid_t child = vfork();
    if (child == 0) _exit(0);
    return child;
}

static long clone_with(unsigned long flags) {
    long child = syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
    if (child == 0) _exit(0);
    return child;
}

static const struct {
    const char *name;
    unsigned long flag;
} spaces[] = {
    {"mounts", CLONE_NEWNS},  {"cgroups", CLONE_NEWCGROUP}, {"names", CLONE_NEWUTS}, {"ipc", CLONE_NEWIPC},
    {"users", CLONE_NEWUSER}, {"processes", CLONE_NEWPID},  {"network", CLONE_NEWNET}, {"time", 0x80},
    {"files", CLONE_FILES},   {"folder", CLONE_FS},          {"threads", CLONE_THREAD}, {"parent", CLONE_PARENT},
    {"nothing", 0},
};

static unsigned long space(const char *name) {
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (!strcmp(spaces[i].name, name)) return spaces[i].flag;
    return 0;
}

static long try_clone(const char *name, struct notes *notes) {
    UNUSED;
    return clone_with(space(name) | SIGCHLD);
}

static long try_clone3(const char *name, struct notes *notes) {
    UNUSED;
    struct clone_args arguments = {.flags = space(name), .exit_signal = space(name) == CLONE_PARENT ? 0 : SIGCHLD};
    long child = syscall(SYS_clone3, &arguments, sizeof arguments);
    if (child == 0) _exit(0);
    return child;
}

static long try_unshare(const char *name, struct notes *notes) {
    UNUSED;
    return syscall(SYS_unshare, space(name));
}

static long try_join(const char *path, struct notes *notes) {
    UNUSED;
    return syscall(SYS_setns, open(path, O_RDONLY | O_CLOEXEC), 0);
}

/* Starts daemons that leave the session and their parent. */
static long try_leave_behind(const char *count, struct notes *notes) {
    for (int i = 0; i < atoi(count); i++) {
        pid_t child = fork();
        if (child < 0) return -1;
        if (child == 0) {
            signal(SIGTERM, SIG_IGN);
            setsid();
            if (fork() > 0) _exit(0);
            setsid();
            /* A name that breaks careless readers of /proc/PID/stat. */
            prctl(PR_SET_NAME, ") Z 1 1 (");
            for (;;) pause();
        }
        waitpid(child, NULL, 0);
    }
    note(notes, "%s", count);
    return 0;
}

static long try_stop_itself(const char *detail, struct notes *notes) {
    UNUSED;
    (void)detail;
    long result = kill(getpid(), SIGSTOP);
    /* Other threads may stop earlier. This one waits, so that it does not finish first. */
    while (result == 0) pause();
    return result;
}

/* Assumes the name of another process, for example one of intentd's. */
static long try_disguise(const char *name, struct notes *notes) {
    UNUSED;
    return prctl(PR_SET_NAME, name);
}

const struct attempt program_attempts[] = {
    {"execute", try_execute, HARMLESS},
    {"execute memory", try_execute_memory, HARMLESS},
    {"execute script", try_execute_script, HARMLESS},
    {"execute by loader", try_loader, HARMLESS},
    {"execute in a child", try_execute_in_child, HARMLESS},
    {"fork", try_fork, HARMLESS},
    {"vfork", try_vfork, HARMLESS},
    {"clone", try_clone, INSIDE_ONLY},
    {"clone3", try_clone3, INSIDE_ONLY},
    {"unshare", try_unshare, HARMLESS},
    {"setns", try_join, HARMLESS},
    {"leave behind", try_leave_behind, INSIDE_ONLY},
    {"stop itself", try_stop_itself, INSIDE_ONLY},
    {"disguise", try_disguise, HARMLESS},
    {NULL, NULL, HARMLESS},
};
