#ifndef CSECCOMP_SHIM_H
#define CSECCOMP_SHIM_H
/* libseccomp, with the kernel's numbers for arguments that its rules compare. No _GNU_SOURCE here: a header that Swift
 * sees must not change the C library's own. */
#include <linux/prctl.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

/* memfd_create(2) with MFD_CLOEXEC: where seccomp_export_bpf(3) writes to. -1 with errno set on failure. */
static inline int intentd_seccomp_memfd(void) {
    return (int)syscall(SYS_memfd_create, "seccomp filter", 1u);
}
#endif
