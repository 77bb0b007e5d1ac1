#define _GNU_SOURCE
#include "CFilterProbe.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child: async-signal-safe calls only, as the parent has several threads. */
static void __attribute__((noreturn)) make_call(int pipe, long number, const long *arguments) {
    struct sock_filter instructions[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof instructions / sizeof *instructions, instructions};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    int listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter);
    if (listener < 0) listener = -errno;
    if (write(pipe, &listener, sizeof listener) != sizeof listener || listener < 0) _exit(255);
    long result = syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
    _exit(result == -1 ? errno : 0);
}

int intentd_probe_start_caller(long number, const long *arguments, struct intentd_caller *caller) {
    int ends[2], number_in_child = -EPIPE;
    if (pipe(ends)) return -errno;
    caller->process = fork();
    if (caller->process == 0) make_call(ends[1], number, arguments);
    close(ends[1]);
    if (read(ends[0], &number_in_child, sizeof number_in_child) < 0) number_in_child = -errno;
    close(ends[0]);
    if (number_in_child < 0) return number_in_child;
    int pidfd = (int)syscall(SYS_pidfd_open, caller->process, 0);
    caller->listener = (int)syscall(SYS_pidfd_getfd, pidfd, number_in_child, 0);
    int error = errno;
    close(pidfd);
    return caller->listener < 0 ? -error : 0;
}

int intentd_probe_end_of_caller(const struct intentd_caller *caller) {
    int status = 0;
    while (waitpid(caller->process, &status, 0) < 0)
        if (errno != EINTR) return -errno;
    close(caller->listener);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}
