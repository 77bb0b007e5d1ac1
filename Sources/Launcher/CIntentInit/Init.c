#define _GNU_SOURCE
#include "CIntentInit.h"

#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Drops all capabilities except those that pid 1 needs in its user namespace: CAP_SYS_PTRACE, to read the memory of
 * tasks even if Yama restricts ptrace(2), and, if pid 1 and the app have different ids, the capabilities to change the
 * app's files. */
static void keep_needed_capabilities(int has_own_id) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2] = {0};
    if (syscall(SYS_capget, &header, sets)) return;
    uint32_t needed = 1u << CAP_SYS_PTRACE;
    if (has_own_id) needed |= 1u << CAP_FOWNER | 1u << CAP_CHOWN | 1u << CAP_DAC_READ_SEARCH;
    struct __user_cap_data_struct kept[2] = {0};
    kept[0].permitted = sets[0].permitted & needed;
    kept[0].effective = kept[0].permitted;
    syscall(SYS_capset, &header, kept);
}

/* Receives the filter's listener. Returns -1 if the message contains no descriptor. */
static int receive_listener(int socket) {
    char byte;
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) <= 0) return -1;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    int descriptor = -1;
    if (header && header->cmsg_type == SCM_RIGHTS) memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return descriptor;
}

void intentd_init_run(int socket, int has_own_id, const struct intentd_metadata *metadata) {
    prctl(PR_SET_NAME, "intentd-init");
    keep_needed_capabilities(has_own_id);
    /* Kill the sandbox when the launcher exits. Changing the user id clears this setting, so change the id first. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (socket >= 0) dup2(socket, 0);
    syscall(SYS_close_range, socket >= 0 ? 1 : 0, ~0U, 0);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    /* The first entry is the socket, and later the listener that pid 1 receives on the socket. */
    struct pollfd watched[] = {{socket >= 0 ? 0 : -1, POLLIN, 0}, {signalfd(-1, &child, SFD_CLOEXEC), POLLIN, 0}};
    int listener = -1, calls_wait = 0;
    for (;;) {
        poll(watched, 2, calls_wait ? 0 : -1);
        struct signalfd_siginfo number;
        if (watched[1].revents && read(watched[1].fd, &number, sizeof number) > 0)
            while (waitpid(-1, NULL, WNOHANG | __WALL) > 0) {}
        if (!watched[0].revents && !calls_wait) continue;
        if (listener < 0) {
            listener = receive_listener(0);
            close(0);
            watched[0].fd = listener;
            /* When the listener arrives, the sandbox already has its new root. Change to it, to release the old
             * root. */
            if (chdir("/")) watched[0].fd = -1;
        } else {
            int has_calls = calls_wait || (watched[0].revents & POLLIN);
            calls_wait = has_calls ? intentd_init_answer(listener, metadata) : -1;
            if (calls_wait >= 0) continue;
            /* Stop watching the listener, which fails once no process uses the filter. */
            calls_wait = 0;
            close(listener);
            watched[0].fd = -1;
        }
    }
}
