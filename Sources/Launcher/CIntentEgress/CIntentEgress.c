#define _GNU_SOURCE
#include "CIntentEgress.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef SO_NETNS_COOKIE
#define SO_NETNS_COOKIE 71 /* Linux 5.14 */
#endif

union any_address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

/* Stores 16 bytes. Returns the port, or 0 for another family. */
static uint16_t unpack(const union any_address *address, uint8_t *bytes) {
    memset(bytes, 0, 16);
    if (address->any.sa_family == AF_INET6) {
        memcpy(bytes, &address->v6.sin6_addr, 16);
        return ntohs(address->v6.sin6_port);
    }
    if (address->any.sa_family != AF_INET) return 0;
    memset(bytes + 10, 0xff, 2);
    memcpy(bytes + 12, &address->v4.sin_addr, 4);
    return ntohs(address->v4.sin_port);
}

static void send_at_once(int socket) {
    int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
}

int intentd_accept_tcp(int listener, uint8_t *address, uint16_t *port) {
    union any_address own = {0};
    socklen_t size = sizeof own;
    int accepted = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (accepted < 0) return -1;
    if (getsockname(accepted, &own.any, &size)) {
        int error = errno;
        close(accepted);
        errno = error;
        return -1;
    }
    *port = unpack(&own, address);
    send_at_once(accepted);
    return accepted;
}

int intentd_own_port(int socket, uint16_t *port, int *is_datagram) {
    union any_address own = {0};
    uint8_t bytes[16];
    int type = 0;
    socklen_t size = sizeof own, type_size = sizeof type;
    if (getsockname(socket, &own.any, &size) || getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &type_size)) return -1;
    *port = unpack(&own, bytes);
    *is_datagram = type == SOCK_DGRAM;
    return 0;
}

int intentd_connect_tcp(const uint8_t *address, uint16_t port) {
    static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    union any_address target = {0};
    int is_v4 = memcmp(address, mapped, sizeof mapped) == 0;
    if (is_v4) {
        target.v4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port)};
        memcpy(&target.v4.sin_addr, address + 12, 4);
    } else {
        target.v6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons(port)};
        memcpy(&target.v6.sin6_addr, address, 16);
    }
    int opened = socket(is_v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (opened < 0) return -1;
    send_at_once(opened);
    if (connect(opened, &target.any, is_v4 ? sizeof target.v4 : sizeof target.v6) == 0 || errno == EINPROGRESS)
        return opened;
    close(opened);
    return -1;
}

int intentd_socket_error(int socket) {
    int error = 0;
    socklen_t size = sizeof error;
    return getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) ? errno : error;
}

void intentd_reset_on_close(int socket) {
    struct linger none = {1, 0};
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &none, sizeof none);
}

ssize_t intentd_receive_datagram(int socket, uint8_t *bytes, size_t size, struct intentd_sender *sender) {
    union any_address address;
    socklen_t address_size = sizeof address;
    ssize_t count = recvfrom(socket, bytes, size, MSG_DONTWAIT, &address.any, &address_size);
    if (count < 0 || address_size > sizeof sender->bytes) return -1;
    memcpy(sender->bytes, &address, address_size);
    sender->size = address_size;
    return count;
}

void intentd_answer_datagram(int socket, const uint8_t *bytes, size_t count, const struct intentd_sender *sender) {
    union any_address address;
    memcpy(&address, sender->bytes, sizeof sender->bytes);
    (void)sendto(socket, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL, &address.any, sender->size);
}

size_t intentd_look_up(const char *name, uint8_t *addresses, size_t room) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG}, *list = NULL;
    size_t count = 0;
    if (getaddrinfo(name, NULL, &hints, &list)) return 0;
    for (struct addrinfo *each = list; each && count < room; each = each->ai_next) {
        union any_address address = {0};
        if (each->ai_addrlen > sizeof address) continue;
        memcpy(&address, each->ai_addr, each->ai_addrlen);
        unpack(&address, addresses + 16 * count++);
    }
    freeaddrinfo(list);
    return count;
}

int intentd_is_own_address(const uint8_t *address) {
    struct ifaddrs *list;
    int found = 0;
    if (getifaddrs(&list)) return 1;
    for (struct ifaddrs *each = list; each && !found; each = each->ifa_next) {
        uint8_t bytes[16];
        union any_address own = {0};
        if (!each->ifa_addr || (each->ifa_addr->sa_family != AF_INET && each->ifa_addr->sa_family != AF_INET6)) continue;
        memcpy(&own, each->ifa_addr, each->ifa_addr->sa_family == AF_INET ? sizeof own.v4 : sizeof own.v6);
        unpack(&own, bytes);
        found = memcmp(bytes, address, 16) == 0;
    }
    freeifaddrs(list);
    return found;
}

uint64_t intentd_network_namespace(int socket) {
    uint64_t cookie = 0;
    socklen_t size = sizeof cookie;
    return getsockopt(socket, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &size) ? 0 : cookie;
}
