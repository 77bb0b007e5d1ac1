#define _GNU_SOURCE
#include "ToolFilter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

/* Calls that are permitted with all arguments. The dynamic linker, the C library and the runtimes of C++ and Swift make
 * them when a program starts, allocates memory, reads files, writes to its pipe, creates threads and crashes. None of
 * them changes a file or reaches another process. */
static const uint16_t permitted[] = {
    /* memory */
    SYS_brk, SYS_madvise, SYS_membarrier, SYS_mincore, SYS_mmap, SYS_mprotect, SYS_mremap, SYS_munmap,
    /* files; Landlock and the rule for openat prevent opening one for writing */
    SYS_chdir, SYS_close, SYS_dup, SYS_dup3, SYS_faccessat, SYS_faccessat2, SYS_fadvise64, SYS_fchdir, SYS_fstat,
    SYS_fstatfs, SYS_getcwd, SYS_getdents64, SYS_lseek, SYS_newfstatat, SYS_pread64, SYS_preadv, SYS_read,
    SYS_readahead, SYS_readlinkat, SYS_readv, SYS_statfs, SYS_statx, SYS_write, SYS_writev,
    /* waiting and time */
    SYS_clock_getres, SYS_clock_gettime, SYS_clock_nanosleep, SYS_gettimeofday, SYS_nanosleep, SYS_ppoll,
    SYS_pselect6, SYS_restart_syscall,
    /* the process and its threads; execve is included because the filter is loaded before the tool is executed */
    SYS_execve, SYS_exit, SYS_exit_group, SYS_futex, SYS_getcpu, SYS_getegid, SYS_geteuid, SYS_getgid, SYS_getgroups,
    SYS_getpgid, SYS_getpid, SYS_getppid, SYS_getrandom, SYS_getresgid, SYS_getresuid, SYS_getrusage, SYS_gettid,
    SYS_getuid, SYS_rseq, SYS_sched_getaffinity, SYS_sched_yield, SYS_set_robust_list, SYS_set_tid_address,
    SYS_sysinfo, SYS_times, SYS_umask, SYS_uname,
    /* signals that the tool receives */
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
#ifdef __x86_64__
    /* older forms of the calls above */
    SYS_access, SYS_arch_prctl, SYS_dup2, SYS_getdents, SYS_getpgrp, SYS_getrlimit, SYS_lstat, SYS_poll, SYS_readlink,
    SYS_select, SYS_stat, SYS_time,
#endif
};

/* Commands of fcntl(2) that neither lock a file nor send signals. */
static const uint16_t descriptor_commands[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL};

/* The flags of open(2) that write, truncate or create. The kernel accepts O_TRUNC without O_WRONLY. */
enum { CHANGING = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC };

/* The first number that Linux 5.1 and later assigned. From it on, each call has one number for all architectures. A
 * library that makes such a call has a fallback for ENOSYS. The arguments of clone3 and openat2 are in memory, which a
 * filter cannot read. */
enum { FIRST_NEW_CALL = 424 };

enum { EXTRA = 40, ROOM = 2 * (sizeof permitted + sizeof descriptor_commands) / sizeof permitted[0] + EXTRA };

struct program {
    struct sock_filter lines[ROOM];
    unsigned short count;
};

static void add(struct program *program, uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false) {
    program->lines[program->count++] = (struct sock_filter){code, if_true, if_false, value};
}

static void load(struct program *program, size_t offset) {
    add(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void end(struct program *program, uint32_t action) { add(program, BPF_RET | BPF_K, action, 0, 0); }

static void refuse(struct program *program, int error) { end(program, SECCOMP_RET_ERRNO | (uint32_t)error); }

/* Performs the next `count` lines only if the loaded value equals `value`. */
static void if_equal(struct program *program, uint32_t value, uint8_t count) {
    add(program, BPF_JMP | BPF_JEQ | BPF_K, value, 0, count);
}

/* Permits a call with an argument that satisfies the comparison, and refuses the call otherwise. Only the lower half of
 * the argument is compared. The kernel ignores the upper half of each argument to which this applies. */
static void permit_if(struct program *program, long call, unsigned argument, uint16_t comparison, uint32_t value,
                      int error) {
    if_equal(program, (uint32_t)call, 4);
    load(program, offsetof(struct seccomp_data, args) + argument * sizeof(uint64_t));
    add(program, BPF_JMP | comparison | BPF_K, value, 0, 1);
    end(program, SECCOMP_RET_ALLOW);
    refuse(program, error);
}

/* Refuses a call with an argument that has one of the bits, and permits the call otherwise. */
static void refuse_if(struct program *program, long call, unsigned argument, uint32_t bits, int error) {
    if_equal(program, (uint32_t)call, 4);
    load(program, offsetof(struct seccomp_data, args) + argument * sizeof(uint64_t));
    add(program, BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0);
    end(program, SECCOMP_RET_ALLOW);
    refuse(program, error);
}

static void permit_all(struct program *program, const uint16_t *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if_equal(program, values[i], 1);
        end(program, SECCOMP_RET_ALLOW);
    }
}

static void write_program(struct program *program) {
    load(program, offsetof(struct seccomp_data, arch));
    add(program, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    end(program, SECCOMP_RET_KILL_PROCESS);
    load(program, offsetof(struct seccomp_data, nr));
    permit_all(program, permitted, sizeof permitted / sizeof permitted[0]);
    refuse_if(program, SYS_openat, 2, CHANGING, EACCES);
#ifdef __x86_64__
    refuse_if(program, SYS_open, 1, CHANGING, EACCES);
#endif
    /* Threads, but no processes: ConfinedTool kills and awaits only one process. */
    permit_if(program, SYS_clone, 0, BPF_JSET, CLONE_THREAD, EPERM);
    /* abort(3) signals its own thread. */
    permit_if(program, SYS_tgkill, 0, BPF_JEQ, (uint32_t)getpid(), EPERM);
    /* The pid 0 is the calling process. Its hard limits cannot be raised. */
    permit_if(program, SYS_prlimit64, 0, BPF_JEQ, 0, EPERM);
    /* No terminal: TIOCSTI would type into the terminal of the user. */
    if_equal(program, SYS_ioctl, 1);
    refuse(program, ENOTTY);
    add(program, BPF_JMP | BPF_JGE | BPF_K, FIRST_NEW_CALL, 0, 1);
    refuse(program, ENOSYS);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, SYS_fcntl, 1, 0);
    refuse(program, EPERM);
    load(program, offsetof(struct seccomp_data, args) + sizeof(uint64_t));
    permit_all(program, descriptor_commands, sizeof descriptor_commands / sizeof descriptor_commands[0]);
    refuse(program, EPERM);
}

int intentd_load_tool_filter(void) {
    struct program program = {.count = 0};
    write_program(&program);
    struct sock_fprog loaded = {program.count, program.lines};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &loaded) == 0) return 0;
    /* The kernel was built without filters. */
    return errno == EINVAL ? 0 : -1;
}

#else

int intentd_load_tool_filter(void) { return 0; }

#endif
