#define _GNU_SOURCE
#include "NamespaceLimits.h"
#include "Steps.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

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
        if (file >= 0) intentd_close_keeping_error(file);
        if (written != 1) return -1;
    }
    return 0;
}
