#define _GNU_SOURCE
#include "Root.h"
#include "Steps.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/mount.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* <sys/mount.h> and <linux/mount.h> conflict on Debian 12. */
int mount(const char *source, const char *target, const char *type, unsigned long flags, const void *data);
int umount2(const char *target, int flags);
enum { DETACH = 2 };

/* Binds a folder, and with MS_REC also the mounts below it. open_tree(2) would need a mount namespace for the detached
 * copy, and the sandbox permits none. */
static int bind_at(const char *source, const char *target, unsigned long flags) {
    return mount(source, target, NULL, MS_BIND | flags, NULL);
}

int intentd_mount_terminals(const char *target) {
    return mount("devpts", target, "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0600,max=64");
}

int intentd_separate_roots(void) {
    const char *roots = &INTENTD_ROOTS[1];
    return bind_at(roots, roots, 0) || mount(NULL, roots, NULL, MS_UNBINDABLE, NULL) ? -1 : 0;
}

static void remove_root(const char *root) {
    /* The run's processes have exited, so nothing uses the mounts. A failure leaves them until the sandbox ends. */
    umount2(root, DETACH);
    rmdir(root);
}

static int make_root(const char *root, const struct intentd_root_request *request, int has_terminals) {
    char source[sizeof request->folder + 8], target[64], terminals[64];
    snprintf(source, sizeof source, "/runs/%s", request->folder);
    snprintf(target, sizeof target, "%s" INTENTD_OWN_FOLDER, root);
    snprintf(terminals, sizeof terminals, "%s" INTENTD_OWN_TERMINALS, root);
    if (mkdir(root, 0755)) return -1;
    if (bind_at("/", root, MS_REC) == 0 && bind_at(source, target, 0) == 0 &&
        (!has_terminals || intentd_mount_terminals(terminals) == 0))
        return 0;
    int error = errno;
    remove_root(root);
    errno = error;
    return -1;
}

void intentd_serve_roots(int socket, int has_terminals) {
    prctl(PR_SET_NAME, "intentd-roots");
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct kept[2] = {{.permitted = 1u << CAP_SYS_ADMIN, .effective = 1u << CAP_SYS_ADMIN}};
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    if (dup2(socket, 0) < 0 || syscall(SYS_close_range, 1, ~0U, 0)) _exit(127);
    if (syscall(SYS_capset, &header, kept) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) _exit(127);
    umask(0);
    struct intentd_root_request request;
    while (recv(0, &request, sizeof request, 0) == sizeof request) {
        char root[32];
        snprintf(root, sizeof root, INTENTD_ROOTS "/%llu", (unsigned long long)request.number);
        /* At the first request, the sandbox has its root. Change to it, to release the old root. */
        int32_t error = chdir("/") ? errno : 0;
        if (!request.folder[0]) {
            remove_root(root);
            continue;
        }
        if (!error && make_root(root, &request, has_terminals)) error = errno;
        if (send(0, &error, sizeof error, MSG_NOSIGNAL) < 0) break;
    }
    _exit(0);
}
