#define _GNU_SOURCE
#include "NamespaceLimits.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int intentd_open_own_proc(void) {
    int context = (int)syscall(SYS_fsopen, "proc", FSOPEN_CLOEXEC);
    if (context < 0) return -1;
    int proc = -1;
    if (syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
        proc = (int)syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC,
                            MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
    int error = errno;
    close(context);
    errno = error;
    return proc;
}

int intentd_forbid_namespaces(int proc) {
    static const char *const kinds[] = {
        "user_namespaces", "pid_namespaces",    "mnt_namespaces",  "net_namespaces",
        "ipc_namespaces",  "uts_namespaces",    "cgroup_namespaces", "time_namespaces",
        "inotify_instances", "inotify_watches", "fanotify_groups", "fanotify_marks",
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char path[64];
        snprintf(path, sizeof path, "sys/user/max_%s", kinds[i]);
        /* Open the file in this process, because the file sets the limit for the user namespace that the opening
         * process is in. */
        int file = openat(proc, path, O_WRONLY | O_CLOEXEC);
        /* Skip a limit that the kernel does not support. */
        if (file < 0 && errno == ENOENT) continue;
        ssize_t written = file < 0 ? -1 : write(file, "0", 1);
        int error = errno;
        if (file >= 0) close(file);
        errno = error;
        if (written != 1) return -1;
    }
    return 0;
}
