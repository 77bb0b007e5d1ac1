#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H
#include <microhttpd.h>

// Wrappers for variadic functions, which Swift cannot import.

/* Starts a server on a listening socket, without threads: the caller watches the epoll descriptor and calls
 * MHD_run(). */
static inline struct MHD_Daemon *cmicrohttpd_start(
    int socket, unsigned connectionLimit, unsigned timeoutSeconds, size_t memoryLimit,
    MHD_AccessHandlerCallback respond, MHD_RequestCompletedCallback completed, void *context) {
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, 0, 0, respond, context,
        MHD_OPTION_LISTEN_SOCKET, socket,
        MHD_OPTION_CONNECTION_LIMIT, connectionLimit,
        MHD_OPTION_CONNECTION_TIMEOUT, timeoutSeconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memoryLimit,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_END);
}

/* Returns the descriptor that is readable when MHD_run() must be called, or -1 on failure. */
static inline int cmicrohttpd_epoll(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}
#endif
