#ifndef CINTENTLINUX_H
#define CINTENTLINUX_H
/* Kernel interfaces that Swift cannot call: variadic functions, ancillary-data macros and newer system calls.
 *
 * This header must not define _GNU_SOURCE, because a header that Swift imports must not change the C library's headers.
 * Unless documented otherwise, a function returns -1 and sets errno on failure. */
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h> /* ssize_t */

#pragma clang assume_nonnull begin

/* Sends a message with descriptors (SCM_RIGHTS of unix(7)). MSG_NOSIGNAL is always set. */
ssize_t intentd_send(int socket, const void *_Nullable bytes, size_t count, const int *_Nullable descriptors,
                     size_t descriptor_count, int flags);

/* Receives a message and its descriptors, each close-on-exec. `descriptors` must have room for 253 descriptors
 * (SCM_MAX_FD), and *descriptor_count is set to the number received. *truncated is 1 if the record did not fit.
 * Descriptors are missing if this process has reached its descriptor limit. */
ssize_t intentd_receive(int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count,
                        int *truncated, int flags);

/* Makes the kernel report the sender's pid with each subsequent record (SO_PASSCRED). */
int intentd_name_senders(int socket);
/* Makes the peer's attempts to send descriptors fail with EPERM (SO_PASSRIGHTS). Fails with ENOPROTOOPT before Linux
 * 6.16. */
int intentd_refuse_descriptors(int socket);
/* Makes the kernel add a pidfd for the sender to each subsequent record (SO_PASSPIDFD). Fails with ENOPROTOOPT before
 * Linux 6.5. */
int intentd_pass_pidfds(int socket);
/* Receives a message on a socket with SO_PASSCRED, and stores the sender's pid in this PID namespace, or -1 at end of
 * file. *truncated is 1 if the record did not fit or contains descriptors. The kernel discards the descriptors, except
 * with MSG_PEEK, which leaves them in the socket.
 *
 * On a socket with SO_PASSPIDFD that refuses descriptors, `pidfd` receives a pidfd for the sender, which the caller
 * owns, or a negative number. NULL on other sockets: a passed descriptor would fit into the room for the pidfd. */
ssize_t intentd_receive_named(int socket, void *bytes, size_t count, int *sender, int *_Nullable pidfd, int *truncated,
                              int flags);

/* Reads a file's POSIX access control list in the format of linux/posix_acl_xattr.h. Fails with ENODATA if the file
 * has no list. */
ssize_t intentd_access_list(const char *path, void *bytes, size_t count);

/* Sets the offset at which the next receive with MSG_PEEK begins (SO_PEEK_OFF). */
int intentd_set_peek_offset(int socket, int offset);
/* Creates a pair of connected sockets with SOCK_CLOEXEC (socketpair(2)). The type is 1 for SOCK_STREAM or 5 for
 * SOCK_SEQPACKET. */
int intentd_socketpair(int type, int *pair);
int intentd_socket(int type);
/* Binds the socket to a path and listens on it. The file has the given mode, regardless of the umask. Fails with
 * ENAMETOOLONG if the path does not fit in sockaddr_un. */
int intentd_listen(int socket, const char *path, unsigned mode);
/* Binds a socket to a new file, or connects to a file (bind(2), connect(2)). The new file's mode is subject to the umask
 * (unix(7)). */
int intentd_bind(int socket, const char *path);
int intentd_connect(int socket, const char *path);
/* Accepts a connection. The new socket is close-on-exec and non-blocking. */
int intentd_accept(int socket);
/* Stores the peer's credentials (SO_PEERCRED). */
int intentd_peer(int socket, uint32_t *user, uint32_t *group, int32_t *process);

/* Returns a pidfd for the process that connected (SO_PEERPIDFD). Fails with ENOPROTOOPT on kernels without the
 * option. */
int intentd_peer_pidfd(int socket);
/* Returns a pidfd for the process that currently has this pid (pidfd_open(2)). */
int intentd_pidfd_open(int process);
/* Returns the pid of the process's parent in this PID namespace (PIDFD_GET_INFO). Fails with ESRCH if the process was
 * reaped or its parent is outside this PID namespace, and with ENOTTY before Linux 6.13. */
int intentd_pidfd_parent(int pidfd);
/* Stores the peer's supplementary groups (SO_PEERGROUPS) and returns their number. Fails with ERANGE if there are more
 * than `room`. */
int intentd_peer_groups(int socket, uint32_t *groups, size_t room);

/* Closes a descriptor from an untrusted peer. Disables SO_LINGER first, because close(2) of a lingering socket can
 * block (socket(7)). Closes the descriptors in the queues of Unix sockets in the same way. */
void intentd_close_at_once(int descriptor);
/* Raises the soft RLIMIT_NOFILE to `wanted`, or to the hard limit if that is lower. */
int intentd_raise_descriptor_limit(unsigned long wanted);

int intentd_set_nonblocking(int descriptor);
int intentd_set_close_on_exec(int descriptor, int on);
/* Returns a close-on-exec duplicate with a number of at least `lowest` (F_DUPFD_CLOEXEC). */
int intentd_duplicate(int descriptor, int lowest);
/* Makes `descriptor` a close-on-exec duplicate of `source` (dup3(2)). */
int intentd_replace(int source, int descriptor);
/* Adds an action that closes all of the child's descriptors from `first` on (posix_spawn_file_actions_t). */
int intentd_spawn_close_from(void *_Nonnull actions, int first);
/* Returns the access mode and O_PATH bit of an open file (F_GETFL). */
int intentd_open_flags(int descriptor);

int intentd_memfd(const char *name);
/* Adds F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE. */
int intentd_seal(int descriptor);
/* Returns 1 if F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE are set, 0 if they are not, and -1 if the file does not
 * support seals. */
int intentd_is_sealed(int descriptor);
/* Returns 1 for a memfd (memfd_create(2)), 0 for any other file, and -1 on failure. */
int intentd_is_memory(int descriptor);
/* Removes write permission from an anonymous pipe that belongs to the caller's user, so that no process of that user
 * can open the pipe for writing through /proc. Open descriptors keep their access. Does nothing to a named pipe or to a
 * pipe that belongs to another user. */
int intentd_forbid_writing(int pipe);

/* Opens a file below a directory with O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY and
 * RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV (openat2(2)). */
int intentd_open_beneath(int directory, const char *path);

/* Creates a hard link to an open file, which must already have a name (linkat(2)). */
int intentd_link(int file, int folder, const char *name);
/* Copies at most `count` bytes of a regular file, starting at *position, and advances *position. Holes are preserved
 * and not counted. The data does not pass through this process's memory if the kernel can copy it. Returns 1 at the end
 * of the file, 0 before the end, and -1 on failure. */
int intentd_copy_part(int from, int to, int64_t *position, int64_t count);

/* Returns the file's mode from statx(2) with AT_STATX_DONT_SYNC, which does not wait for a network file system. */
int intentd_file_mode_without_waiting(int descriptor);
/* The identity of an open file, from the attributes that the kernel has cached. */
struct intentd_file_identity {
    uint64_t device, inode, byte_count;
    int64_t modified; /* the time of the last modification, in nanoseconds since 1970 */
};
/* Stores the identity from statx(2) with AT_STATX_DONT_SYNC, which does not wait for a network file system. Returns 0,
 * or -1 on failure. */
int intentd_file_identity_without_waiting(int descriptor, struct intentd_file_identity *identity);
/* Opens a path with O_PATH. The descriptor does not permit access to the file's contents. */
int intentd_open_path(const char *path);
/* Opens a path with O_PATH. Fails with ELOOP if a component of the path is a symbolic link. */
int intentd_open_path_through_no_link(const char *path);
/* Checks a permission for an open file with the effective ids (faccessat(2)). */
int intentd_may_access(int file, int permission);
/* Creates a pipe with close-on-exec ends. Stores the read end, then the write end. */
int intentd_pipe(int *ends);
/* Creates an event counter, adds 1 to it, or reads and resets it (eventfd(2)). The descriptor is non-blocking and
 * close-on-exec. */
int intentd_event_counter(void);
int intentd_event_add(int counter);
uint64_t intentd_event_take(int counter);

/* Atomic operations: a store with release order, and a load with acquire order. */
void intentd_store(void *address, uint64_t value);
uint64_t intentd_load(const void *address);

/* Installs signal handlers that copy *from to *to before SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE or SIGABRT kills this
 * process. Both addresses must stay valid until the process exits. */
void intentd_copy_at_fault(const void *from, void *to);

/* Disables core dumps, and denies the user's other processes ptrace(2) and access through /proc (PR_SET_DUMPABLE). */
int intentd_set_undumpable(void);
/* Makes this process the parent of its orphaned descendants (PR_SET_CHILD_SUBREAPER). */
int intentd_become_subreaper(void);
/* Blocks the signals in this thread and in threads that it starts later. */
int intentd_block_signals(const int *signals, size_t count);

/* Returns 1 if the kernel regards CLOCK_REALTIME as synchronized (adjtimex(2)), 0 if it does not, and -1 on failure. */
int intentd_clock_is_synchronized(void);

/* Returns the number of free bytes that malloc(3) keeps for reuse (mallinfo2(3)). */
size_t intentd_heap_free_byte_count(void);
/* Releases to the kernel the free memory that malloc(3) keeps for reuse (malloc_trim(3)). */
void intentd_heap_release(void);

/* Starts a program that reads an untrusted file, with `output` as its standard output. The descriptor `silence`, which
 * is open on /dev/null, becomes its standard input and standard error. The child has no capabilities, cannot gain
 * privileges, and has limits for processor time and memory. Landlock, as far as the kernel supports it, and a filter
 * for system calls prevent it from changing files, starting processes, reaching other processes and sockets, and
 * controlling terminals. Returns its process id, or -1 with errno. */
pid_t intentd_start_confined_tool(const char *program, char *_Nullable const *_Nonnull arguments,
                                  char *_Nullable const *_Nonnull environment, int output, int silence);

/* Demangles a Swift name. Returns null for a string that is not a mangled name. The caller frees the result. Not safe
 * for untrusted names: call it only in a confined process. */
char *_Nullable intentd_demangle(const char *name);

#pragma clang assume_nonnull end
#endif
