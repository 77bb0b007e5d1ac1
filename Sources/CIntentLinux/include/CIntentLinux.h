#ifndef CINTENTLINUX_H
#define CINTENTLINUX_H
/* Kernel interfaces that Swift cannot call: variadic functions, ancillary-data macros, newer system calls.
 *
 * Prototypes only, and no _GNU_SOURCE here: a header that Swift imports must not change the C library's headers.
 * Unless its comment says otherwise, a function returns -1 with errno on failure. */
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h> /* ssize_t */

#pragma clang assume_nonnull begin

/* Sends a message with descriptors (SCM_RIGHTS of unix(7)), always with MSG_NOSIGNAL. */
ssize_t intentd_send(int socket, const void *_Nullable bytes, size_t count, const int *_Nullable descriptors,
                     size_t descriptor_count, int flags);

/* Receives a message and its descriptors, each close-on-exec. `descriptors` must have room for 253 (SCM_MAX_FD), and
 * *descriptor_count is set to their number. *truncated is 1 if the record did not fit. Descriptors are missing if this
 * process has reached its descriptor limit. */
ssize_t intentd_receive(int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count,
                        int *truncated, int flags);

/* SO_PASSCRED: each record sent from now on carries its sender's pid. */
int intentd_name_senders(int socket);
/* SO_PASSRIGHTS: the peer's sendmsg(2) with descriptors fails with EPERM. Returns ENOPROTOOPT before Linux 6.16. */
int intentd_refuse_descriptors(int socket);
/* Receives a message on a socket with SO_PASSCRED, and its sender's pid in this PID namespace; the pid is -1 at end of
 * file. *truncated is 1 if the record did not fit or has descriptors. The kernel discards the descriptors, except with
 * MSG_PEEK, which leaves them in the socket. */
ssize_t intentd_receive_named(int socket, void *bytes, size_t count, int *sender, int *truncated, int flags);

/* SO_PEEK_OFF: sets the offset at which the next receive with MSG_PEEK begins. */
int intentd_set_peek_offset(int socket, int offset);
/* socketpair(2) with SOCK_CLOEXEC; type is SOCK_STREAM or SOCK_SEQPACKET by number (1 or 5). */
int intentd_socketpair(int type, int *pair);
int intentd_socket(int type);
/* bind(2) and listen(2). The file gets this mode, regardless of the umask. Fails with ENAMETOOLONG if the path does not
 * fit sockaddr_un. */
int intentd_listen(int socket, const char *path, unsigned mode);
int intentd_connect(int socket, const char *path);
/* bind(2) and listen(2), or connect(2), with a name of the abstract name space, which has no file and no permissions: the
 * listener checks the user of each peer. */
int intentd_listen_abstract(int socket, const char *name);
int intentd_connect_abstract(int socket, const char *name);
/* accept4(2), close-on-exec and non-blocking. */
int intentd_accept(int socket);
/* SO_PEERCRED. */
int intentd_peer(int socket, uint32_t *user, uint32_t *group, int32_t *process);

/* SO_PEERPIDFD: returns a pidfd of the process that connected. Fails with ENOPROTOOPT on kernels without the option. */
int intentd_peer_pidfd(int socket);
/* pidfd_open(2): returns a pidfd of the process that has this pid now. */
int intentd_pidfd_open(int process);
/* PIDFD_GET_INFO: returns the pid of the process's parent in this PID namespace. Fails with ESRCH if the process was
 * reaped or its parent is outside this PID namespace, and with ENOTTY before Linux 6.13. */
int intentd_pidfd_parent(int pidfd);
/* SO_PEERGROUPS: returns the number of the peer's supplementary groups, and stores at most `room` of them. */
int intentd_peer_groups(int socket, uint32_t *groups, size_t room);

/* close(2) for a descriptor from an untrusted peer: first disables SO_LINGER, with which close(2) can block
 * (socket(7)). */
void intentd_close_at_once(int descriptor);
/* Raises the soft RLIMIT_NOFILE to `wanted`, or to the hard limit if that is lower. */
int intentd_raise_descriptor_limit(unsigned long wanted);

int intentd_set_nonblocking(int descriptor);
int intentd_set_close_on_exec(int descriptor, int on);
/* F_DUPFD_CLOEXEC: a duplicate with a number of at least `lowest`. */
int intentd_duplicate(int descriptor, int lowest);
/* dup3(2), close-on-exec: `descriptor` becomes a duplicate of `source`. */
int intentd_replace(int source, int descriptor);
/* Returns O_ACCMODE and O_PATH of F_GETFL: 0 for read-only, 1 for write-only, 2 for both, or the O_PATH bit. */
int intentd_open_flags(int descriptor);

int intentd_memfd(const char *name);
/* Adds F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE. */
int intentd_seal(int descriptor);
/* Returns 1 if F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE are set, 0 if not, -1 if the file does not support seals. */
int intentd_is_sealed(int descriptor);
/* Returns 1 for a memfd (memfd_create(2)), 0 for any other file, -1 on failure. */
int intentd_is_memory(int descriptor);
/* Removes the write permission from an anonymous pipe of the caller's user, so that a process of that user cannot open
 * the pipe for writing through /proc. Open descriptors keep their access. Does nothing to a named pipe or to a pipe of
 * another user. */
int intentd_forbid_writing(int pipe);

/* openat2(2) with O_RDONLY, O_NONBLOCK, O_NOFOLLOW, O_CLOEXEC and
 * RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV. */
int intentd_open_beneath(int directory, const char *path);

/* linkat(2): gives an open file another name. It must already have a name. */
int intentd_link(int file, int folder, const char *name);
/* Copies at most `count` bytes of a regular file, from *position on, and advances *position. Holes stay holes and do
 * not count. The data does not pass through this process's memory if the kernel can copy it. Returns 1 at the end of
 * the file, 0 before it, -1 on failure. */
int intentd_copy_part(int from, int to, int64_t *position, int64_t count);

/* Returns st_mode from statx(2) with AT_STATX_DONT_SYNC, which does not wait for a network file system. */
int intentd_file_mode_without_waiting(int descriptor);
/* The file behind a descriptor, as far as the kernel knows it; the time of modification in nanoseconds since 1970. */
struct intentd_file_identity {
    uint64_t device, inode, byte_count;
    int64_t modified;
};
/* Stores the identity from statx(2) with AT_STATX_DONT_SYNC, which does not wait for a network file system. Returns 0, or
 * -1 on failure. */
int intentd_file_identity_without_waiting(int descriptor, struct intentd_file_identity *identity);
/* open(2) with O_PATH: returns a descriptor that gives no access to the file's content. */
int intentd_open_path(const char *path);
/* openat2(2) with O_PATH. Fails with ELOOP if a component of the path is a symbolic link. */
int intentd_open_path_through_no_link(const char *path);
/* faccessat(2) for an open file, with the effective ids. */
int intentd_may_access(int file, int permission);
/* pipe2(2), close-on-exec: stores the read end, then the write end. */
int intentd_pipe(int *ends);
/* eventfd(2), non-blocking and close-on-exec. The functions create a counter, add 1 to it, and read and reset it. */
int intentd_event_counter(void);
int intentd_event_add(int counter);
uint64_t intentd_event_take(int counter);

/* An atomic store with release order, and an atomic load with acquire order. */
void intentd_store(void *address, uint64_t value);
uint64_t intentd_load(const void *address);

/* Installs signal handlers that copy *from to *to before SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE or SIGABRT kills this
 * process. Both addresses must stay valid until the process ends. */
void intentd_copy_at_fault(const void *from, void *to);

int intentd_pidfd_signal(int pidfd, int signal);
/* waitid(P_PIDFD, WEXITED | WNOHANG | __WALL): returns 1 if the process was reaped, 0 if it still runs. `code` is
 * si_code. */
int intentd_pidfd_reap(int pidfd, int *code, int *status);

/* PR_SET_DUMPABLE 0: disables core dumps, and denies ptrace(2) and access through /proc to other processes of the
 * user. */
int intentd_set_undumpable(void);
/* PR_SET_CHILD_SUBREAPER 1. */
int intentd_become_subreaper(void);
/* Blocks the signals in this thread and in threads that it starts later. */
int intentd_block_signals(const int *signals, size_t count);

/* adjtimex(2): returns 1 if the kernel regards CLOCK_REALTIME as synchronized, 0 if not, -1 on failure. */
int intentd_clock_is_synchronized(void);

/* mallinfo2(3) returns the number of free bytes that malloc(3) keeps; malloc_trim(3) returns them to the kernel. */
size_t intentd_heap_free_byte_count(void);
void intentd_heap_release(void);

#pragma clang assume_nonnull end
#endif
