#define _GNU_SOURCE
#include "CIntentWorker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "define NATIVE_ARCHITECTURE (AUDIT_ARCH_… of seccomp(2)) for this architecture"
#endif

/* A directory's name has at most 20 digits, a hyphen and 32 more characters. */
#define LONGEST_DIRECTORY "/runs/" "0123456789012345678901234567890123456789012345678901234567890123"

enum { EXIT_UNCONFINED = 73, RULE_PATH_BENEATH = 1 };

struct ruleset_attributes {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};

void intentd_get_name(char name[16]) {
    name[0] = 0;
    prctl(PR_GET_NAME, name);
}

void intentd_set_name(const char *name) { prctl(PR_SET_NAME, name); }

int intentd_is_single_threaded(void) { return syscall(SYS_unshare, CLONE_THREAD) == 0; }

#define ON(number, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, (skip))
#define FAIL(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

int intentd_confine(int allows_subprocesses) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return errno;
    uint32_t self = (uint32_t)getpid();
    /* Unless subprocesses are allowed, clone(2) may create only threads. It must never create siblings
     * (CLONE_PARENT). */
    uint32_t wanted = allows_subprocesses ? 0 : CLONE_THREAD;
    uint32_t forbidden = CLONE_PARENT | CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
                         CLONE_NEWUTS | CLONE_NEWCGROUP;
    uint32_t start = allows_subprocesses ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | EPERM;
    /* A worker without subprocesses may signal only itself. Otherwise only Landlock's scope limits signals. */
    uint32_t others = allows_subprocesses ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | EPERM;
    struct sock_filter program[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        /* After ENOSYS, the C library calls clone(2), and a filter can read the flags of that call. */
        ON(SYS_clone3, 1),
        FAIL(ENOSYS),
        ON(SYS_unshare, 1),
        FAIL(EPERM),
        ON(SYS_setns, 1),
        FAIL(EPERM),
        ON(SYS_execve, 1),
        BPF_STMT(BPF_RET | BPF_K, start),
        ON(SYS_execveat, 1),
        BPF_STMT(BPF_RET | BPF_K, start),
#ifdef SYS_fork
        ON(SYS_fork, 1),
        BPF_STMT(BPF_RET | BPF_K, start),
        ON(SYS_vfork, 1),
        BPF_STMT(BPF_RET | BPF_K, start),
#endif
        ON(SYS_clone, 6),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, forbidden, 2, 0),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, wanted),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, wanted, 1, 0),
        FAIL(EPERM),
        ALLOW,
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_kill, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigqueueinfo, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_tgsigqueueinfo, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JA, 4, 0, 0),
        LOAD(args[0]),
        ON(self, 1),
        ALLOW,
        BPF_STMT(BPF_RET | BPF_K, others),
        /* Forbid new filters and rulesets. No resource limit counts their kernel memory, and all filters on the host
         * share the memory for compiled filters. A worker with subprocesses may still create them, so that its programs
         * can confine themselves. */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_add_rule, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0),
        BPF_STMT(BPF_RET | BPF_K, start),
        ON(SYS_prctl, 4),
        LOAD(args[0]),
        ON(PR_SET_SECCOMP, 1),
        BPF_STMT(BPF_RET | BPF_K, start),
        ALLOW,
        /* A filter cannot determine the target process from the thread id of tkill(2) or from the pidfd of
         * pidfd_send_signal(2). Apps need neither call. */
        ON(SYS_tkill, 1),
        FAIL(EPERM),
        ON(SYS_pidfd_send_signal, 1),
        BPF_STMT(BPF_RET | BPF_K, others),
        ALLOW,
    };
    struct sock_fprog filter = {sizeof program / sizeof *program, program};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) ? errno : 0;
}

/* Adds a Landlock layer that denies the worker access to the app's other workers, and to their folders and terminals.
 *
 * `terminals` is the folder of the run's own terminals, or -1. */
static int close_layer(const struct intentd_fork_plan *plan, int directory, int terminals) {
    if (!plan->file_access && !plan->scopes) return 0;
    struct ruleset_attributes attributes = {plan->file_access, 0, plan->scopes};
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
    if (ruleset < 0) return -1;
    size_t count = plan->shared_folder_count;
    for (size_t i = 0; i <= count + (terminals >= 0); i++) {
        /* Allow all handled rights in this layer. The sandbox's layer already denies rights that no worker may have. */
        struct landlock_path_beneath_attr rule = {
            .allowed_access = plan->file_access,
            .parent_fd = i < count ? plan->shared_folders[i] : i == count ? directory : terminals,
        };
        if (syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0)) return -1;
    }
    if (syscall(SYS_landlock_restrict_self, ruleset, 0)) return -1;
    return close(ruleset);
}

/* The folder at which the run's folder is mounted in a run's own root (CIntentSandbox.h). */
#define OWN_FOLDER "/own/tmp"

/* Changes to the root that intentd-roots has made for the run, and drops CAP_SYS_CHROOT. Returns a descriptor of the
 * run's folder in this root, which becomes the working directory, or -1. */
static int enter_root(const struct intentd_fork_plan *plan) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {0};
    char root[32];
    snprintf(root, sizeof root, "/roots/%llu", (unsigned long long)plan->leaf);
    if (chroot(root) || syscall(SYS_capset, &header, none) || chdir(OWN_FOLDER)) return -1;
    return open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Variables in the environment of every worker, which each worker overwrites in place. */
static char home[] = "HOME=" LONGEST_DIRECTORY;
static char temporary[] = "TMPDIR=" LONGEST_DIRECTORY;

void intentd_prepare_to_fork(void) {
    putenv(home);
    putenv(temporary);
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
    intentd_prepare_crash_reports();
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Core Foundation's function, which Foundation contains. */
extern void CFPreferencesFlushCaches(void) __attribute__((weak));

void intentd_flush_preferences(void) {
    if (CFPreferencesFlushCaches) CFPreferencesFlushCaches();
}

/* Sets a new stack canary for the worker, which the worker's later threads inherit. A run that discovers its canary
 * therefore does not know the canaries of other runs. Works only on x86-64, where the C library keeps the canary in
 * thread-local storage. On other architectures, the canary is in read-only data. */
static inline __attribute__((always_inline)) void renew_canary(void) {
#if defined(__x86_64__)
    uint64_t canary;
    if (getrandom(&canary, sizeof canary, GRND_NONBLOCK) != sizeof canary) return;
    canary &= ~0xffull; /* the lowest byte is 0, so that string functions stop there */
    __asm__ volatile("movq %0, %%fs:0x28" : : "r"(canary) : "memory");
#endif
}

/* Runs in the child, on its only thread. Must not call Swift code, because the Swift runtime and libdispatch cache the
 * thread id of their first caller. In the child, the cached id is the id of the parent's thread. */
static void __attribute__((noreturn, no_stack_protector)) become_worker(const struct intentd_fork_plan *plan,
                                                                        void (*body)(void *), void *context) {
    renew_canary();
    intentd_set_name("intentd-spare");
    if (send(3, plan->report, plan->report_size, MSG_NOSIGNAL) < 0) goto failed;
    int sources[3] = {plan->output, plan->error, plan->socket};
    for (int i = 0; i < 3; i++) {
        sources[i] = fcntl(sources[i], F_DUPFD_CLOEXEC, 5);
        if (sources[i] < 0) goto failed;
    }
    for (int i = 0; i < 3; i++)
        if (dup3(sources[i], i + 1, i == 2 ? O_CLOEXEC : 0) < 0) goto failed;
    char path[] = LONGEST_DIRECTORY;
    ssize_t length = recv(3, path + 6, sizeof path - 7, MSG_DONTWAIT);
    if (length <= 0) goto failed;
    path[6 + length] = 0;
    /* Create a session and process group, so that a signal to the group reaches only this run's processes. */
    if (setsid() < 0 || chdir(path)) goto failed;
    int directory = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC), terminals = -1;
    if (directory < 0) goto failed;
    if (plan->allows_subprocesses) {
        /* Close the folder of the common root, because a path from it would lead out of the run's root. */
        close(directory);
        directory = enter_root(plan);
        if (directory < 0) goto failed;
        terminals = open("/own/pts", O_PATH | O_DIRECTORY | O_CLOEXEC);
        strcpy(path, OWN_FOLDER);
    }
    strcpy(strchr(home, '=') + 1, path);
    strcpy(strchr(temporary, '=') + 1, path);
    if (close_layer(plan, directory, terminals)) goto failed;
    /* Without a root of the run's own, the sandbox's /tmp is a link to this descriptor. */
    if (!plan->allows_subprocesses && dup3(directory, 4, 0) < 0) goto failed;
    if (syscall(SYS_close_range, plan->allows_subprocesses ? 4 : 5, ~0U, 0)) goto failed;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files)) goto failed;
    /* Keep a hard limit that is already lower. It cannot be raised, and it is at least as strict. */
    if (plan->open_file_count < files.rlim_max) files.rlim_max = plan->open_file_count;
    files.rlim_cur = files.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &files)) goto failed;
    intentd_report_crashes();
    errno = intentd_confine(plan->allows_subprocesses);
    if (errno) goto failed;
    errno = intentd_prepare_attendance();
    if (errno) goto failed;
    errno = intentd_start_thread(body, context);
    if (errno) goto failed;
    intentd_attend();
failed:
    dprintf(2, "intentd: cannot confine a worker: errno %d\n", errno);
    _exit(EXIT_UNCONFINED);
}

int intentd_fork_worker(const struct intentd_fork_plan *plan, void (*body)(void *), void *context) {
    /* The address at which the C library stores the calling thread's id. The kernel stores the child's id there. */
    int *thread = NULL;
    if (prctl(PR_GET_TID_ADDRESS, &thread)) thread = NULL;
    struct clone_args arguments = {.flags = CLONE_PARENT};
    if (thread) {
        arguments.flags |= CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID;
        arguments.child_tid = (uint64_t)(uintptr_t)thread;
    }
    int leaf = -1;
    if (plan->has_leaf) {
        char name[32];
        snprintf(name, sizeof name, "run-%llu", (unsigned long long)plan->leaf);
        leaf = openat(INTENTD_CGROUP_TREE, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (leaf < 0) return -1;
        arguments.flags |= CLONE_INTO_CGROUP;
        arguments.cgroup = (uint64_t)leaf;
    }
    int child = (int)syscall(SYS_clone3, &arguments, sizeof arguments);
    if (child == 0) become_worker(plan, body, context);
    int error = errno;
    if (leaf >= 0) close(leaf);
    errno = error;
    return child;
}
