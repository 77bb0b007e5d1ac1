#ifndef CSECCOMP_SHIM_H
#define CSECCOMP_SHIM_H
/* libseccomp, and the kernel's constants for the arguments that filter rules compare. This header must not define
 * _GNU_SOURCE, because a header that Swift imports must not change the C library's headers. */
#include <linux/prctl.h>
#include <linux/sched.h>
#include <seccomp.h>

#endif
