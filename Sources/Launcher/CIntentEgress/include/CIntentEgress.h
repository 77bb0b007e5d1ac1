#ifndef CINTENTEGRESS_H
#define CINTENTEGRESS_H
/* Sockets of IPv4 and IPv6 with addresses as 16 bytes, in which IPv4 addresses are mapped (::ffff:a.b.c.d). */
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

/* Accepts a connection as a non-blocking socket, and stores the address and port that the client connected to. Returns
 * -1 with errno on failure. */
int intentd_accept_tcp(int listener, uint8_t *address, uint16_t *port);
/* Stores the socket's own port, and whether it is a datagram socket. Returns 0, or -1 with errno. */
int intentd_own_port(int socket, uint16_t *port, int *is_datagram);
/* Begins a connection with a non-blocking socket, without delay of small segments. Returns the socket, or -1. */
int intentd_connect_tcp(const uint8_t *address, uint16_t port);
/* Returns the error of a connection attempt, or 0 (SO_ERROR). */
int intentd_socket_error(int socket);
/* Makes close(2) send a reset, so that the peer does not take a broken transfer for a complete one. */
void intentd_reset_on_close(int socket);
/* The address of a datagram's sender. */
struct intentd_sender {
    uint8_t bytes[28];
    uint32_t size;
};
/* Receives one datagram without blocking. Returns its size, or -1. */
ssize_t intentd_receive_datagram(int socket, uint8_t *bytes, size_t size, struct intentd_sender *sender);
/* Sends an answer without blocking. A client without room for it asks again. */
void intentd_answer_datagram(int socket, const uint8_t *bytes, size_t count, const struct intentd_sender *sender);
/* Looks a name up with getaddrinfo(3), which can block for long. Stores at most `room` addresses of 16 bytes, and returns
 * their number. */
size_t intentd_look_up(const char *name, uint8_t *addresses, size_t room);
/* Returns 1 if the address belongs to this host, or if that cannot be determined. */
int intentd_is_own_address(const uint8_t *address);
/* Returns the identity of a socket's network namespace (SO_NETNS_COOKIE), or 0. */
uint64_t intentd_network_namespace(int socket);


/* TLS to a host (openssl-ssl(7)), on a socket that does not block. */
enum {
    /* The peer has ended its direction. */
    INTENTD_TLS_ENDED = 0,
    /* The operation must be repeated when the socket is readable, or writable. */
    INTENTD_TLS_WANTS_INPUT = -1,
    INTENTD_TLS_WANTS_OUTPUT = -2,
    /* The connection cannot be used any more. */
    INTENTD_TLS_BROKEN = -3,
};
/* Creates a context that accepts only certificates under this host's roots. Returns NULL on failure. */
void *_Nullable intentd_tls_context(void);
/* Prepares TLS for a host with this name, which is checked and sent to the host. Returns NULL on failure. */
void *_Nullable intentd_tls_open(void *context, int socket, const char *name);
/* Continues the handshake. Returns a positive number once it is complete. */
ssize_t intentd_tls_handshake(void *tls);
/* Return the number of bytes, or one of the results above. */
ssize_t intentd_tls_receive(void *tls, uint8_t *bytes, size_t size);
ssize_t intentd_tls_send(void *tls, const uint8_t *bytes, size_t count);
/* Tells the peer that no bytes follow. */
void intentd_tls_end(void *tls);
/* Releases the memory. The socket remains open. */
void intentd_tls_close(void *tls);
/* Returns why the peer's certificate is not trusted; NULL for a trusted one, or before it has arrived. */
const char *_Nullable intentd_tls_distrust(void *tls);
/* Returns the text of the last operation's error. */
const char *intentd_tls_failure(void);

#pragma clang assume_nonnull end
#endif
