#define _GNU_SOURCE
#include "Network.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* `lo` is the first interface of every network namespace. */
enum { LOOPBACK = 1, DNS_PORT = 53, DNS_BACKLOG = 16, BACKLOG = 256, MAPPED = 12 };

/* A request of rtnetlink(7) with its attributes. */
struct request {
    struct nlmsghdr head;
    union {
        struct ifinfomsg link;
        struct ifaddrmsg address;
        struct rtmsg route;
    } body;
    char attributes[64];
};

static void add_attribute(struct request *request, unsigned short type, const void *data, unsigned short size) {
    struct rtattr *attribute = (struct rtattr *)((char *)request + NLMSG_ALIGN(request->head.nlmsg_len));
    attribute->rta_type = type;
    attribute->rta_len = (unsigned short)RTA_LENGTH(size);
    memcpy(RTA_DATA(attribute), data, size);
    request->head.nlmsg_len = NLMSG_ALIGN(request->head.nlmsg_len) + RTA_ALIGN(attribute->rta_len);
}

/* Sends a request and waits for the kernel's answer. Something that exists already is no failure. */
static int perform(int netlink, struct request *request) {
    char answer[256];
    request->head.nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
    if (send(netlink, request, request->head.nlmsg_len, 0) < 0) return -1;
    if (recv(netlink, answer, sizeof answer, 0) < (ssize_t)NLMSG_LENGTH(sizeof(struct nlmsgerr))) return -1;
    errno = -((struct nlmsgerr *)NLMSG_DATA((struct nlmsghdr *)answer))->error;
    return errno && errno != EEXIST ? -1 : 0;
}

static int start_loopback(int netlink) {
    struct request request = {.head = {NLMSG_LENGTH(sizeof(struct ifinfomsg)), RTM_NEWLINK, 0, 0, 0},
                              .body.link = {.ifi_index = LOOPBACK, .ifi_flags = IFF_UP, .ifi_change = IFF_UP}};
    return perform(netlink, &request);
}

static unsigned char size_of(int family) { return family == AF_INET ? 4 : 16; }

static int add_address(int netlink, int family, const void *address) {
    struct request request = {
        .head = {NLMSG_LENGTH(sizeof(struct ifaddrmsg)), RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL, 0, 0},
        .body.address = {.ifa_family = (unsigned char)family, .ifa_prefixlen = size_of(family) * 8,
                         .ifa_scope = RT_SCOPE_UNIVERSE, .ifa_index = LOOPBACK}};
    add_attribute(&request, IFA_LOCAL, address, size_of(family));
    if (family == AF_INET) add_attribute(&request, IFA_ADDRESS, address, size_of(family));
    return perform(netlink, &request);
}

/* Makes every address of the range an address of this namespace. */
static int add_range(int netlink, int family, const void *address, unsigned char length) {
    int interface = LOOPBACK;
    struct request request = {
        .head = {NLMSG_LENGTH(sizeof(struct rtmsg)), RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL, 0, 0},
        .body.route = {.rtm_family = (unsigned char)family, .rtm_dst_len = length, .rtm_table = RT_TABLE_LOCAL,
                       .rtm_protocol = RTPROT_STATIC, .rtm_scope = RT_SCOPE_HOST, .rtm_type = RTN_LOCAL}};
    add_attribute(&request, RTA_DST, address, size_of(family));
    add_attribute(&request, RTA_OIF, &interface, sizeof interface);
    return perform(netlink, &request);
}

/* glibc's AI_ADDRCONFIG ignores loopback addresses, and would find no name without the address on `lo`. A kernel without
 * IPv6 has only the IPv4 range. */
static int add_addresses(int netlink, const struct intentd_network *network) {
    struct in_addr range = {htonl(INTENTD_NETWORK_RANGE)}, own = {htonl(INTENTD_NETWORK_RANGE + 1)};
    struct in6_addr range6 = {0}, own6;
    memcpy(&range6, INTENTD_NETWORK_PREFIX, 8);
    own6 = range6;
    own6.s6_addr[15] = 1;
    if (add_address(netlink, AF_INET, &own) || add_range(netlink, AF_INET, &range, 15)) return -1;
    int has_v6 = add_address(netlink, AF_INET6, &own6) == 0;
    if (has_v6 && add_range(netlink, AF_INET6, &range6, 64)) return -1;
    for (size_t i = 0; i < network->address_count; i++) {
        const uint8_t *address = network->addresses + 16 * i;
        static const uint8_t mapped[MAPPED] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
        int is_old = memcmp(address, mapped, MAPPED) == 0;
        if (!is_old && !has_v6) continue;
        if (add_range(netlink, is_old ? AF_INET : AF_INET6, address + (is_old ? MAPPED : 0), is_old ? 32 : 128)) return -1;
    }
    return 0;
}

/* Opens a socket without SO_REUSEADDR and SO_REUSEPORT, with which the app could bind the port, too. A listener is for
 * IPv6 and IPv4, or only for IPv4 if the kernel lacks IPv6. */
static int open_socket(int type, uint16_t port, int is_for_dns) {
    int off = 0, flags = type | SOCK_CLOEXEC | SOCK_NONBLOCK;
    struct sockaddr_in6 both = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    struct sockaddr_in old = {.sin_family = AF_INET, .sin_port = htons(port),
                              .sin_addr.s_addr = htonl(is_for_dns ? INADDR_LOOPBACK : INADDR_ANY)};
    int opened = is_for_dns ? -1 : socket(AF_INET6, flags, 0), result;
    if (opened >= 0) {
        result = setsockopt(opened, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) ||
                 bind(opened, (struct sockaddr *)&both, sizeof both);
    } else {
        opened = socket(AF_INET, flags, 0);
        result = opened < 0 || bind(opened, (struct sockaddr *)&old, sizeof old);
    }
    if (!result && type == SOCK_STREAM) result = listen(opened, is_for_dns ? DNS_BACKLOG : BACKLOG);
    return result ? -1 : opened;
}

int intentd_make_network(const struct intentd_network *network, int *sockets, size_t *count) {
    *count = 0;
    /* The kernel also checks the capabilities of the process that opened a netlink socket. */
    int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (netlink < 0 || start_loopback(netlink)) return -1;
    int result = network->port_count > 0 ? add_addresses(netlink, network) : 0;
    close(netlink);
    if (result || network->port_count == 0) return result;
    if (network->port_count + 2 > INTENTD_NETWORK_SOCKETS) { errno = E2BIG; return -1; }
    sockets[(*count)++] = open_socket(SOCK_DGRAM, DNS_PORT, 1);
    sockets[(*count)++] = open_socket(SOCK_STREAM, DNS_PORT, 1);
    for (size_t i = 0; i < network->port_count; i++) sockets[(*count)++] = open_socket(SOCK_STREAM, network->ports[i], 0);
    for (size_t i = 0; i < *count; i++)
        if (sockets[i] < 0) return -1;
    return 0;
}

union descriptor_room {
    struct cmsghdr header;
    char room[CMSG_SPACE(INTENTD_NETWORK_SOCKETS * sizeof(int))];
};

int intentd_send_descriptors(int socket, const void *bytes, size_t size, const int *descriptors, size_t count) {
    union descriptor_room control = {0};
    struct iovec part = {(void *)bytes, size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > 0) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        control.header = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(count * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.header), descriptors, count * sizeof(int));
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)size ? 0 : -1;
}

ssize_t intentd_receive_descriptors(int socket, void *bytes, size_t size, int *descriptors, size_t *count) {
    union descriptor_room control;
    struct iovec part = {bytes, size};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    *count = 0;
    ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    struct cmsghdr *header = received < 0 ? NULL : CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
        *count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(descriptors, CMSG_DATA(header), *count * sizeof(int));
    }
    return received;
}
