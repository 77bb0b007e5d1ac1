#ifndef CSECCOMP_SHIM_H
#define CSECCOMP_SHIM_H
/* libseccomp, with the kernel's numbers for arguments that its rules compare. No _GNU_SOURCE here: a header that Swift
 * sees must not change the C library's own. */
#include <linux/prctl.h>
#include <linux/sched.h>
#include <seccomp.h>

#endif
