#define _GNU_SOURCE
#include "Attempts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/vm_sockets.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const struct {
    const char *name;
    int domain, type, protocol;
} kinds[] = {
    {"tcp", AF_INET, SOCK_STREAM, 0},
    {"tcp 6", AF_INET6, SOCK_STREAM, 0},
    {"udp", AF_INET, SOCK_DGRAM, 0},
    {"raw", AF_INET, SOCK_RAW, IPPROTO_ICMP},
    {"ping", AF_INET, SOCK_DGRAM, IPPROTO_ICMP},
    {"sctp", AF_INET, SOCK_STREAM, 132},
    {"mptcp", AF_INET, SOCK_STREAM, 262},
    {"packet", AF_PACKET, SOCK_RAW, 0},
    {"netlink", AF_NETLINK, SOCK_RAW, NETLINK_ROUTE},
    {"netlink audit", AF_NETLINK, SOCK_RAW, NETLINK_AUDIT},
    {"vsock", AF_VSOCK, SOCK_STREAM, 0},
    {"algorithms", 38, SOCK_SEQPACKET, 0},
    {"bluetooth", AF_BLUETOOTH, SOCK_RAW, 0},
    {"unix", AF_UNIX, SOCK_STREAM, 0},
    {"unix datagrams", AF_UNIX, SOCK_DGRAM, 0},
    {"unix packets", AF_UNIX, SOCK_SEQPACKET, 0},
};

static long try_socket(const char *name, struct notes *notes) {
    (void)notes;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, name)) return socket(kinds[i].domain, kinds[i].type | SOCK_CLOEXEC, kinds[i].protocol);
    errno = EINVAL;
    return -1;
}

static struct sockaddr_in local_port(const char *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(port))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static long try_connect(const char *port, struct notes *notes) {
    (void)notes;
    struct sockaddr_in address = local_port(port);
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return made < 0 ? -1 : connect(made, (struct sockaddr *)&address, sizeof address);
}

/* Connects by sending (TCP Fast Open), without connect(2). */
static long try_fast_open(const char *port, struct notes *notes) {
    (void)notes;
    struct sockaddr_in address = local_port(port);
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return made < 0 ? -1 : sendto(made, "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL, (struct sockaddr *)&address, sizeof address);
}

static long try_fast_open_message(const char *port, struct notes *notes) {
    (void)notes;
    struct sockaddr_in address = local_port(port);
    struct iovec part = {"x", 1};
    struct msghdr message = {&address, sizeof address, &part, 1, NULL, 0, 0};
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return made < 0 ? -1 : sendmsg(made, &message, MSG_FASTOPEN | MSG_NOSIGNAL);
}

static long try_fast_open_messages(const char *port, struct notes *notes) {
    (void)notes;
    struct sockaddr_in address = local_port(port);
    struct iovec part = {"x", 1};
    struct mmsghdr messages[1] = {{{&address, sizeof address, &part, 1, NULL, 0, 0}, 0}};
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return made < 0 ? -1 : sendmmsg(made, messages, 1, MSG_FASTOPEN | MSG_NOSIGNAL);
}

static long try_bind(const char *port, struct notes *notes) {
    (void)notes;
    struct sockaddr_in address = local_port(port);
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return made < 0 ? -1 : bind(made, (struct sockaddr *)&address, sizeof address);
}

/* Without bind(2), the kernel chooses a port. */
static long try_listen(const char *detail, struct notes *notes) {
    (void)detail;
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0 || listen(made, 1)) return -1;
    getsockname(made, (struct sockaddr *)&address, &size);
    note(notes, "%d", ntohs(address.sin_port));
    return 0;
}

static struct sockaddr_un unix_address(const char *name, socklen_t *size) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, name, sizeof address.sun_path - 1);
    *size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(address.sun_path));
    /* '@' replaces the leading zero byte of an abstract name. */
    if (name[0] == '@') address.sun_path[0] = 0; else *size += 1;
    return address;
}

static long try_unix_connect(const char *name, struct notes *notes) {
    (void)notes;
    socklen_t size;
    struct sockaddr_un address = unix_address(name, &size);
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return made < 0 ? -1 : connect(made, (struct sockaddr *)&address, size);
}

/* A socket of a pair needs no socket(2). */
static long try_pair_connect(const char *name, struct notes *notes) {
    (void)notes;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) return -1;
    close(pair[1]);
    socklen_t size;
    struct sockaddr_un address = unix_address(name, &size);
    return connect(pair[0], (struct sockaddr *)&address, size);
}

static long try_pair_listen(const char *name, struct notes *notes) {
    (void)notes;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) return -1;
    socklen_t size;
    struct sockaddr_un address = unix_address(name, &size);
    if (bind(pair[0], (struct sockaddr *)&address, size)) return -1;
    return listen(pair[0], 1);
}

static long try_pair_of_datagrams(const char *name, struct notes *notes) {
    (void)notes;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair)) return -1;
    socklen_t size;
    struct sockaddr_un address = unix_address(name, &size);
    return sendto(pair[0], "x", 1, MSG_NOSIGNAL, (struct sockaddr *)&address, size);
}

/* Connects the worker's own socket to another peer. */
static long try_own_socket(const char *name, struct notes *notes) {
    (void)notes;
    socklen_t size;
    struct sockaddr_un address = unix_address(name, &size);
    return connect(3, (struct sockaddr *)&address, size);
}

/* Claims to be another process by SCM_CREDENTIALS. */
static long try_credentials(const char *detail, struct notes *notes) {
    (void)notes;
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(struct ucred))];
    } control = {0};
    struct ucred credentials = {(pid_t)atoi(detail), 0, 0};
    struct iovec part = {"x", 1};
    struct msghdr message = {NULL, 0, &part, 1, &control, sizeof control, 0};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_CREDENTIALS;
    header->cmsg_len = CMSG_LEN(sizeof credentials);
    memcpy(CMSG_DATA(header), &credentials, sizeof credentials);
    return sendmsg(3, &message, MSG_NOSIGNAL);
}

const struct attempt socket_attempts[] = {
    {"socket", try_socket, HARMLESS},
    {"connect", try_connect, HARMLESS},
    {"fast open", try_fast_open, HARMLESS},
    {"fast open by sendmsg", try_fast_open_message, HARMLESS},
    {"fast open by sendmmsg", try_fast_open_messages, HARMLESS},
    {"bind", try_bind, HARMLESS},
    {"listen", try_listen, HARMLESS},
    {"unix connect", try_unix_connect, HARMLESS},
    {"pair connect", try_pair_connect, HARMLESS},
    {"pair listen", try_pair_listen, HARMLESS},
    {"pair of datagrams", try_pair_of_datagrams, HARMLESS},
    {"own socket", try_own_socket, HARMLESS},
    {"credentials", try_credentials, HARMLESS},
    {NULL, NULL, HARMLESS},
};
