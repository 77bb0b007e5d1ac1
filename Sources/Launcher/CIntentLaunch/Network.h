#ifndef NETWORK_H
#define NETWORK_H
#include "CIntentSandbox.h"

#include <sys/types.h>

/* Brings up the loopback interface of the caller's network namespace. With ports in the plan, also makes all addresses
 * of the reserved ranges and the granted addresses local, and opens the sockets that intentd-egress serves. The caller
 * needs CAP_NET_ADMIN and CAP_NET_BIND_SERVICE over the namespace. Returns 0, or -1 with errno. */
int intentd_make_network(const struct intentd_network *network, int *sockets, size_t *count);

/* Sends the bytes with the descriptors in one record. Returns 0, or -1 with errno. */
int intentd_send_descriptors(int socket, const void *bytes, size_t size, const int *descriptors, size_t count);

/* Receives one record with at most INTENTD_NETWORK_SOCKETS descriptors. Returns its size, or -1 with errno. */
ssize_t intentd_receive_descriptors(int socket, void *bytes, size_t size, int *descriptors, size_t *count);
#endif
