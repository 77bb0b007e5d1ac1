#define _GNU_SOURCE
#include "CIntentLinux.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

/* The maximum number of descriptors in a message (the kernel's SCM_MAX_FD). */
#define DESCRIPTOR_MAX 253

ssize_t intentd_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count,
                     int flags) {
    union {
        char bytes[CMSG_SPACE(sizeof(int) * DESCRIPTOR_MAX)];
        struct cmsghdr align;
    } control;
    if (descriptor_count > DESCRIPTOR_MAX) {
        errno = ETOOMANYREFS;
        return -1;
    }
    struct iovec vector = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
    if (descriptor_count > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptor_count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * descriptor_count);
        memcpy(CMSG_DATA(header), descriptors, sizeof(int) * descriptor_count);
    }
    return sendmsg(socket, &message, flags | MSG_NOSIGNAL);
}

ssize_t intentd_receive(int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count,
                        int *truncated, int flags) {
    union {
        char bytes[CMSG_SPACE(sizeof(int) * DESCRIPTOR_MAX)];
        struct cmsghdr align;
    } control;
    struct iovec vector = {bytes, count};
    struct msghdr message = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    *descriptor_count = 0;
    *truncated = 0;
    ssize_t received = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
    if (received < 0) return -1;
    if (message.msg_flags & MSG_TRUNC) *truncated = 1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t present = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < present; i++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof descriptor);
            descriptors[(*descriptor_count)++] = descriptor;
        }
    }
    return received;
}

/* Older versions of <sys/socket.h> do not define these numbers. Linux 6.5 introduced SO_PASSPIDFD and SCM_PIDFD, and
 * Linux 6.16 SO_PASSRIGHTS. */
#ifndef SO_PASSPIDFD
#define SO_PASSPIDFD 76
#endif
#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif
#ifndef SCM_PIDFD
#define SCM_PIDFD 4
#endif

static int set_option(int socket, int option, int value) {
    return setsockopt(socket, SOL_SOCKET, option, &value, sizeof value);
}

int intentd_name_senders(int socket) { return set_option(socket, SO_PASSCRED, 1); }

int intentd_refuse_descriptors(int socket) { return set_option(socket, SO_PASSRIGHTS, 0); }

int intentd_pass_pidfds(int socket) { return set_option(socket, SO_PASSPIDFD, 1); }

ssize_t intentd_receive_named(int socket, void *bytes, size_t count, int *sender, int *pidfd, int *truncated,
                              int flags) {
    /* Without room for a pidfd, the buffer has room only for the sender, so the kernel discards passed descriptors and
     * sets MSG_CTRUNC. */
    union {
        char bytes[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec vector = {bytes, count};
    struct msghdr message = {
        .msg_iov = &vector,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = pidfd ? sizeof control.bytes : CMSG_SPACE(sizeof(struct ucred)),
    };
    *sender = -1;
    if (pidfd) *pidfd = -1;
    ssize_t received = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
    if (received < 0) return -1;
    *truncated = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET) continue;
        if (header->cmsg_type == SCM_CREDENTIALS) {
            struct ucred credentials;
            memcpy(&credentials, CMSG_DATA(header), sizeof credentials);
            *sender = credentials.pid;
        } else if (header->cmsg_type == SCM_PIDFD && pidfd) {
            /* The kernel stores a negative error number if it cannot create the descriptor. */
            memcpy(pidfd, CMSG_DATA(header), sizeof *pidfd);
        }
    }
    return received;
}

int intentd_set_peek_offset(int socket, int offset) { return set_option(socket, SO_PEEK_OFF, offset); }

int intentd_socketpair(int type, int *pair) { return socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair); }

int intentd_socket(int type) { return socket(AF_UNIX, type | SOCK_CLOEXEC, 0); }

/* Builds the address of a file. Returns -1 with errno if the path is too long. */
static int make_address(struct sockaddr_un *address, const char *path) {
    size_t count = strlen(path);
    if (count > sizeof address->sun_path - 1) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, path, count);
    return 0;
}

int intentd_listen(int socket, const char *path, unsigned mode) {
    /* bind(2) creates the file with the mode of the socket's inode and applies the umask. Set the mode first, so that
     * other users can never connect. The chmod(2) below restores the bits that the umask removed. The umask itself is
     * not changed, because it applies to all threads. */
    if (fchmod(socket, mode)) return -1;
    if (intentd_bind(socket, path)) return -1;
    if (chmod(path, mode)) return -1;
    return listen(socket, 128);
}

int intentd_bind(int socket, const char *path) {
    struct sockaddr_un address;
    return make_address(&address, path) ? -1 : bind(socket, (struct sockaddr *)&address, sizeof address);
}

int intentd_connect(int socket, const char *path) {
    struct sockaddr_un address;
    return make_address(&address, path) ? -1 : connect(socket, (struct sockaddr *)&address, sizeof address);
}

int intentd_accept(int socket) { return accept4(socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int intentd_peer(int socket, uint32_t *user, uint32_t *group, int32_t *process) {
    struct ucred credentials;
    socklen_t size = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size)) return -1;
    *user = credentials.uid;
    *group = credentials.gid;
    *process = credentials.pid;
    return 0;
}

/* SO_PEERGROUPS, and SO_PEERPIDFD, which Linux 6.5 introduced, on all architectures that Swift supports. */
enum { PEER_GROUPS = 59, PEER_PIDFD = 77 };
/* The parts of PIDFD_GET_INFO (<linux/pidfd.h>). */
enum { INFO_MAGIC = 0xFF, INFO_NUMBER = 11 };

int intentd_peer_pidfd(int socket) {
    int pidfd = -1;
    socklen_t size = sizeof pidfd;
    return getsockopt(socket, SOL_SOCKET, PEER_PIDFD, &pidfd, &size) ? -1 : pidfd;
}

int intentd_pidfd_open(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int intentd_pidfd_parent(int pidfd) {
    /* The first version of struct pidfd_info, which all later kernels accept. Older versions of <linux/pidfd.h> do not
     * declare it. */
    struct {
        uint64_t mask, cgroup;
        uint32_t process, group, parent, ids[8], spare;
    } facts = {0};
    if (ioctl(pidfd, _IOWR(INFO_MAGIC, INFO_NUMBER, facts), &facts)) return -1;
    return (int)facts.parent;
}

int intentd_peer_groups(int socket, uint32_t *groups, size_t room) {
    socklen_t size = (socklen_t)(room * sizeof *groups);
    if (getsockopt(socket, SOL_SOCKET, PEER_GROUPS, groups, &size)) return -1;
    return (int)(size / sizeof *groups);
}

/* The maximum nesting of sockets in the queues of other sockets. The kernel permits only 4 levels (MAX_RECURSION_LEVEL
 * in net/unix). */
#define NESTING_MAX 8

static void close_at_once(int descriptor, int nesting) {
    /* Ignore a failure, because a descriptor that is not a socket does not linger. */
    struct linger none = {0, 0};
    (void)setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    int domain = 0;
    socklen_t size = sizeof domain;
    if (nesting < NESTING_MAX && getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 &&
        domain == AF_UNIX) {
        /* close(2) discards the messages in the socket's queue, and can block while it closes the descriptors in
         * them. First prevent new messages, and then receive the queued messages. */
        shutdown(descriptor, SHUT_RDWR);
        char bytes[4096];
        int received[DESCRIPTOR_MAX];
        size_t count = 0;
        int truncated = 0;
        for (;;) {
            ssize_t length = intentd_receive(descriptor, bytes, sizeof bytes, received, &count, &truncated,
                                             MSG_DONTWAIT);
            if (length < 0 && errno == EINTR) continue;
            for (size_t i = 0; length >= 0 && i < count; i++) close_at_once(received[i], nesting + 1);
            if (length < 0 || (length == 0 && count == 0)) break;
        }
    }
    close(descriptor);
}

void intentd_close_at_once(int descriptor) { close_at_once(descriptor, 0); }
