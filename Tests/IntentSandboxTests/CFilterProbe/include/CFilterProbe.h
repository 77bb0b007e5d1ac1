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

#pragma clang assume_nonnull end
#endif
