#define _GNU_SOURCE
#include "CFilterProbe.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

long intentd_probe_install(const void *program, size_t instruction_count) {
    struct sock_fprog filter = {.len = (unsigned short)instruction_count, .filter = (struct sock_filter *)program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) { return -errno; }
    long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
    return result < 0 ? -errno : result;
}

long intentd_probe_call(long number, const long *arguments) {
    long result = syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
    return result == -1 ? -errno : result;
}

static long exit_code(pid_t process) {
    int status = 0;
    if (process < 0) { return -errno; }
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) { return -errno; }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -ECHILD;
}

long intentd_probe_fork(void) {
    pid_t process = fork();
    if (process == 0) { _exit(7); }
    return exit_code(process);
}

long intentd_probe_vfork(void) {
    pid_t process = vfork();
    if (process == 0) { _exit(7); }
    return exit_code(process);
}

long intentd_probe_clone3(void) {
    struct clone_args arguments = {.exit_signal = SIGCHLD};
    long process = syscall(SYS_clone3, &arguments, sizeof arguments);
    if (process == 0) { _exit(7); }
    return exit_code((pid_t)process);
}

long intentd_probe_getpid_32bit(void) {
#if defined(__x86_64__)
    long result = 20; /* __NR_getpid of i386 */
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
    return result;
#else
    return -ENOSYS;
#endif
}

long intentd_probe_set_attribute(const char *path) {
    return setxattr(path, "user.word", "word", 4, 0) < 0 ? -errno : 0;
}
