#ifndef CINTENTLINUX_H
#define CINTENTLINUX_H
/* Kernel interfaces that Swift cannot call: variadic calls, ancillary-data macros, newer system calls.
 *
 * Prototypes only, and no _GNU_SOURCE here: a header that Swift sees must not change the C library's own.
 * Every function returns what the kernel does: -1 with errno set on failure. */
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h> /* ssize_t */

#pragma clang assume_nonnull begin

/* One message with descriptors by SCM_RIGHTS (unix(7)); MSG_NOSIGNAL is always set. */
ssize_t intentd_send(int socket, const void *_Nullable bytes, size_t count, const int *_Nullable descriptors,
                     size_t descriptor_count, int flags);

/* One message with all its descriptors: room for 253 (SCM_MAX_FD), their number on return; each is close-on-exec.
 * *truncated is 1 when the record did not fit. This process may have had no numbers left for some descriptors. */
ssize_t intentd_receive(int socket, void *bytes, size_t count, int *descriptors, size_t *descriptor_count,
                        int *truncated, int flags);

/* SO_PASSCRED: each record that is sent from now on comes with the number of the process that sent it. */
int intentd_name_senders(int socket);
/* SO_PASSRIGHTS: the peer's sendmsg(2) fails with EPERM where it has descriptors; ENOPROTOOPT before Linux 6.16. */
int intentd_refuse_descriptors(int socket);
/* One message on such a socket with its sender, by the number that it has in our PID namespace; -1 at the end, where there
 * is no message. *truncated is 1 when the record did not fit or has descriptors, which are closed here: only a look
 * (MSG_PEEK) leaves them where they are. */
ssize_t intentd_receive_named(int socket, void *bytes, size_t count, int *sender, int *truncated, int flags);

/* socketpair(2) with SOCK_CLOEXEC; type is SOCK_STREAM or SOCK_SEQPACKET by number (1 or 5). */
/* SO_PEEK_OFF: where the next look with MSG_PEEK begins. */
int intentd_set_peek_offset(int socket, int offset);
int intentd_socketpair(int type, int *pair);
int intentd_socket(int type);
/* bind(2) and listen(2); the path must fit sockaddr_un. The mode is the file's, whatever the umask. */
int intentd_listen(int socket, const char *path, unsigned mode);
int intentd_connect(int socket, const char *path);
/* accept4(2), close-on-exec and non-blocking. */
int intentd_accept(int socket);
/* SO_PEERCRED. */
int intentd_peer(int socket, uint32_t *user, uint32_t *group, int32_t *process);

/* SO_PEERPIDFD: the process that made the connection; ENOPROTOOPT where the kernel does not know that. */
int intentd_peer_pidfd(int socket);
/* pidfd_open(2): the process that has this number now. */
int intentd_pidfd_open(int process);
/* PIDFD_GET_INFO: the parent of a process, by its number in our PID namespace. Fails with ESRCH when the process was
 * reaped, or has a parent outside of our PID namespace; with ENOTTY before Linux 6.13. */
int intentd_pidfd_parent(int pidfd);
/* SO_PEERGROUPS: the peer's supplementary groups; their number, at most `room` of which are filled in. */
int intentd_peer_groups(int socket, uint32_t *groups, size_t room);

/* close(2) of a descriptor that an untrusted peer passed: a socket does not linger (SO_LINGER of socket(7)). */
void intentd_close_at_once(int descriptor);
/* Raises the soft RLIMIT_NOFILE to `wanted`, or to the hard limit where that is lower. */
int intentd_raise_descriptor_limit(unsigned long wanted);

int intentd_set_nonblocking(int descriptor);
int intentd_set_close_on_exec(int descriptor, int on);
/* F_DUPFD_CLOEXEC: a duplicate at or above lowest. */
int intentd_duplicate(int descriptor, int lowest);
/* dup3(2), close-on-exec: what `descriptor` is from now on is what `source` is. */
int intentd_replace(int source, int descriptor);
/* O_ACCMODE of F_GETFL with O_PATH: 0 read only, 1 write only, 2 both, or the O_PATH bit. */
int intentd_open_flags(int descriptor);

int intentd_memfd(const char *name);
/* Adds F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE. */
int intentd_seal(int descriptor);
/* 1 when F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE are set, 0 when not, -1 when the descriptor is no memory file. */
int intentd_is_sealed(int descriptor);
/* 1 for a memory file (memfd_create(2)), 0 for all others, -1 when it cannot be told. */
int intentd_is_memory(int descriptor);
/* Takes the permission to write from an anonymous pipe of the caller's user, so that a process of that user cannot open
 * its other end through /proc. Descriptors that are open keep their access. Does nothing to a named pipe and to a pipe of
 * another user. */
int intentd_forbid_writing(int pipe);

/* openat2(2) with O_RDONLY, O_NONBLOCK, O_NOFOLLOW, O_CLOEXEC and
 * RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV. */
int intentd_open_beneath(int directory, const char *path);

/* A second name for an open file (linkat(2)): it must have one already. */
int intentd_link(int file, int folder, const char *name);
/* Copies at most `count` bytes of a regular file from *position on, holes as holes and for nothing, without moving them
 * through this process where the kernel can. Moves *position on. Returns 1 at the end of the file, 0 before it, -1 on
 * failure. */
int intentd_copy_part(int from, int to, int64_t *position, int64_t count);

/* st_mode by statx(2) with AT_STATX_DONT_SYNC: the kernel does not ask the file system; -1 on failure. */
int intentd_file_mode_without_waiting(int descriptor);
/* open(2) with O_PATH: a place to refer to, not to read. */
int intentd_open_path(const char *path);
/* A place to refer to, by openat2(2): ELOOP when a component of the path is a link. */
int intentd_open_path_through_no_link(const char *path);
/* faccessat(2) of what a descriptor refers to, for the effective ids. */
int intentd_may_access(int place, int permission);
/* pipe2(2), close-on-exec: the end to read, the end to write. */
int intentd_pipe(int *ends);
/* eventfd(2), non-blocking and close-on-exec; adds to it; reads and resets its count, 0 when nothing was added. */
int intentd_event_counter(void);
int intentd_event_add(int counter);
uint64_t intentd_event_take(int counter);

/* A store that no earlier store of this thread comes after (release), and the load that matches it (acquire). */
void intentd_store(void *place, uint64_t value);
uint64_t intentd_load(const void *place);

/* When a fault of this process's own ends it (SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT), *to becomes *from
 * before. Both places stay for good. */
void intentd_copy_at_fault(const void *from, void *to);

int intentd_pidfd_signal(int pidfd, int signal);
/* waitid(P_PIDFD, WEXITED | WNOHANG | __WALL): 1 when reaped, 0 when still running. code is si_code. */
int intentd_pidfd_reap(int pidfd, int *code, int *status);

/* PR_SET_DUMPABLE 0: no core, no ptrace and no /proc access by other processes of the same user. */
int intentd_set_undumpable(void);
/* PR_SET_CHILD_SUBREAPER 1. */
int intentd_become_subreaper(void);
/* Blocks the signals in this thread and those that it starts. */
int intentd_block_signals(const int *signals, size_t count);

/* What malloc(3) holds and nothing uses (mallinfo2(3)), and its return to the kernel (malloc_trim(3)). */
size_t intentd_heap_free_byte_count(void);
void intentd_heap_release(void);

#pragma clang assume_nonnull end
#endif
