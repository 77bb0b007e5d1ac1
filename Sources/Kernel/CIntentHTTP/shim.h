#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H
#include <microhttpd.h>

// Wrappers for variadic functions, which Swift cannot import.

/* Starts a server on a listening socket, without threads: the caller watches the epoll descriptor and calls
 * MHD_run(). With a certificate and its key, both PEM, the server uses TLS. */
static inline struct MHD_Daemon *cmicrohttpd_start(
    int socket, unsigned connectionLimit, unsigned addressLimit, unsigned timeoutSeconds, size_t memoryLimit,
    const char *certificate, const char *key,
    MHD_AccessHandlerCallback respond, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback changed, void *context) {
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
        {MHD_OPTION_END, 0, NULL},
    };
    if (!certificate) tls[0].option = MHD_OPTION_END;
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | (certificate ? MHD_USE_TLS : 0), 0, 0, 0, respond, context,
        MHD_OPTION_LISTEN_SOCKET, socket,
        MHD_OPTION_CONNECTION_LIMIT, connectionLimit,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, addressLimit,
        MHD_OPTION_CONNECTION_TIMEOUT, timeoutSeconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memoryLimit,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_NOTIFY_CONNECTION, changed, context,
        MHD_OPTION_ARRAY, tls,
        MHD_OPTION_END);
}

/* Returns the address of a connection's client. */
static inline const struct sockaddr *cmicrohttpd_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

/* Returns the socket of a connection, or -1. */
static inline int cmicrohttpd_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/* Returns the descriptor that is readable when MHD_run() must be called, or -1 on failure. */
static inline int cmicrohttpd_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}
#endif
