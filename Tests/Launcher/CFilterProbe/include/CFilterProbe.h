#ifndef CFILTERPROBE_H
#define CFILTERPROBE_H
/* Tries a system call filter out: installs it for good, and makes calls that Swift cannot make.
 *
 * Every function returns what the kernel answers, or minus the error number. */
#include <stddef.h>

#pragma clang assume_nonnull begin

/* PR_SET_NO_NEW_PRIVS, then the filter in all threads of this process (SECCOMP_FILTER_FLAG_TSYNC). */
long intentd_probe_install(const void *program, size_t instruction_count);
/* syscall(2), without the C library's own ideas about it. */
long intentd_probe_call(long number, const long *arguments);
/* Makes a process by fork(3), vfork(2) or clone3(2), which exits with 7 at once; its exit code. */
long intentd_probe_fork(void);
long intentd_probe_vfork(void);
long intentd_probe_clone3(void);
/* getpid by the 32-bit entry of the kernel, where there is one. */
long intentd_probe_getpid_32bit(void);
/* Gives a file the extended attribute "user.word". */
long intentd_probe_set_attribute(const char *path);

/* A process that makes one system call, which its filter passes to `listener` (SECCOMP_RET_USER_NOTIF). */
struct intentd_caller {
    int process;
    int listener;
};

/* Starts it. The arguments may be addresses of this process: the child has a copy of its memory. 0, or minus errno. */
int intentd_probe_start_caller(long number, const long *arguments, struct intentd_caller *caller);
/* Waits for its exit and closes the listener. Returns the errno of its call, 0 on success; minus the signal that ended it. */
int intentd_probe_end_of_caller(const struct intentd_caller *caller);

#pragma clang assume_nonnull end
#endif
