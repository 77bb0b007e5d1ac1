#define _GNU_SOURCE
#include "CIntentLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timex.h>
#include <sys/xattr.h>
#include <unistd.h>

int intentd_raise_descriptor_limit(unsigned long wanted) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit)) return -1;
    rlim_t value = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    if (value <= limit.rlim_cur) return 0;
    limit.rlim_cur = value;
    return setrlimit(RLIMIT_NOFILE, &limit);
}

int intentd_set_nonblocking(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    return flags < 0 ? -1 : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

int intentd_set_close_on_exec(int descriptor, int on) { return fcntl(descriptor, F_SETFD, on ? FD_CLOEXEC : 0); }

int intentd_duplicate(int descriptor, int lowest) { return fcntl(descriptor, F_DUPFD_CLOEXEC, lowest); }

int intentd_open_flags(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    return flags < 0 ? -1 : flags & (O_ACCMODE | O_PATH);
}

int intentd_memfd(const char *name) { return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); }

size_t intentd_heap_free_byte_count(void) { return mallinfo2().fordblks; }

int intentd_clock_is_synchronized(void) {
    struct timex state = {0};
    int code = adjtimex(&state);
    return code < 0 ? -1 : code != TIME_ERROR;
}

void intentd_heap_release(void) { (void)malloc_trim(0); }

static const int content_seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;

int intentd_seal(int descriptor) { return fcntl(descriptor, F_ADD_SEALS, F_SEAL_SEAL | content_seals); }

int intentd_is_sealed(int descriptor) {
    int seals = fcntl(descriptor, F_GET_SEALS);
    return seals < 0 ? -1 : (seals & content_seals) == content_seals;
}

int intentd_is_memory(int descriptor) {
    /* Only tmpfs and hugetlbfs support seals, so the calls below do not block on a network file system. */
    if (fcntl(descriptor, F_GET_SEALS) < 0) return 0;
    struct stat status, own;
    struct statfs file_system;
    if (fstat(descriptor, &status) || fstatfs(descriptor, &file_system)) return -1;
    if (file_system.f_type == HUGETLBFS_MAGIC) return 1;
    /* All memfds are on the same device, which contains no other files. */
    int memory = intentd_memfd("device");
    if (memory < 0) return -1;
    int result = fstat(memory, &own);
    close(memory);
    return result ? -1 : own.st_dev == status.st_dev;
}

int intentd_forbid_writing(int pipe) {
    struct statx status;
    if (statx(pipe, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MODE | STATX_NLINK | STATX_UID, &status)) return -1;
    /* Named pipes are protected by the permissions of their folders. Only the owner of an anonymous pipe can open it
     * through /proc. */
    int ends[2];
    struct stat own;
    if (status.stx_uid != geteuid()) return 0;
    if (pipe2(ends, O_CLOEXEC)) return -1;
    int result = fstat(ends[0], &own);
    close(ends[0]);
    close(ends[1]);
    if (result) return -1;
    if (own.st_dev != makedev(status.stx_dev_major, status.stx_dev_minor)) return 0;
    return fchmod(pipe, S_IRUSR);
}

int intentd_open_beneath(int directory, const char *path) {
    struct open_how how = {
        .flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV,
    };
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

int intentd_link(int file, int folder, const char *name) {
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW);
}

static ssize_t copy_piece(int from, off_t *position, int to, off_t *target, size_t count) {
    ssize_t copied = copy_file_range(from, position, to, target, count, 0);
    if (copied > 0 || (copied < 0 && errno != EXDEV && errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP))
        return copied;
    /* Fall back to sendfile(2), because copy_file_range(2) fails between some file systems, and always returns 0 on
     * others. */
    if (lseek(to, *target, SEEK_SET) < 0) return -1;
    copied = sendfile(to, from, position, count);
    if (copied > 0) *target += copied;
    return copied;
}

int intentd_copy_part(int from, int to, int64_t *position, int64_t count) {
    struct stat status;
    if (fstat(from, &status)) return -1;
    off_t start = lseek(from, *position, SEEK_DATA);
    if (start < 0 && errno == ENXIO) start = status.st_size; /* the rest of the file is a hole */
    off_t end = start < 0 ? status.st_size : lseek(from, start, SEEK_HOLE);
    if (start < 0) start = *position; /* the file system does not report holes */
    if (end <= start) end = status.st_size;
    if (end - start > count) end = start + count;
    off_t target = start;
    while (start < end) {
        ssize_t copied = copy_piece(from, &start, to, &target, (size_t)(end - start));
        if (copied < 0 && errno == EINTR) continue;
        if (copied < 0) return -1;
        if (copied == 0) status.st_size = end = target; /* the file was truncated during the copy */
    }
    *position = end;
    if (end < status.st_size) return 0;
    return ftruncate(to, status.st_size) ? -1 : 1;
}

int intentd_file_mode_without_waiting(int descriptor) {
    struct statx status;
    if (statx(descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE | STATX_MODE, &status)) return -1;
    return status.stx_mode;
}

int intentd_file_identity_without_waiting(int descriptor, struct intentd_file_identity *identity) {
    struct statx status;
    if (statx(descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_BASIC_STATS, &status)) return -1;
    identity->device = (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor;
    identity->inode = status.stx_ino;
    identity->byte_count = status.stx_size;
    identity->modified = (int64_t)status.stx_mtime.tv_sec * 1000000000 + status.stx_mtime.tv_nsec;
    return 0;
}

int intentd_open_path(const char *path) { return open(path, O_PATH | O_CLOEXEC); }

int intentd_open_path_through_no_link(const char *path) {
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    return (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
}

int intentd_may_access(int file, int permission) { return faccessat(file, "", permission, AT_EACCESS | AT_EMPTY_PATH); }

int intentd_pipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

int intentd_event_counter(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int intentd_event_add(int counter) { return eventfd_write(counter, 1); }

uint64_t intentd_event_take(int counter) {
    eventfd_t count = 0;
    return eventfd_read(counter, &count) ? 0 : count;
}

int intentd_set_undumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

int intentd_become_subreaper(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

int intentd_block_signals(const int *signals, size_t count) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < count; i++) sigaddset(&set, signals[i]);
    int error = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (error == 0) return 0;
    errno = error;
    return -1;
}

void intentd_store(void *address, uint64_t value) {
    __atomic_store_n((uint64_t *)address, value, __ATOMIC_RELEASE);
}

uint64_t intentd_load(const void *address) {
    return __atomic_load_n((const uint64_t *)address, __ATOMIC_ACQUIRE);
}

static const uint64_t *fault_from;
static uint64_t *fault_to;

static void at_fault(int signal) {
    __atomic_store_n(fault_to, __atomic_load_n(fault_from, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
    /* SA_RESETHAND has restored the default action, so this signal kills the process with the core dump and exit status
     * of the fault. */
    raise(signal);
}

void intentd_copy_at_fault(const void *from, void *to) {
    fault_from = from;
    fault_to = to;
    struct sigaction action = {.sa_handler = at_fault, .sa_flags = SA_RESETHAND | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigaction(faults[i], &action, NULL);
}

int intentd_spawn_close_from(void *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int intentd_replace(int source, int descriptor) { return dup3(source, descriptor, O_CLOEXEC); }

ssize_t intentd_access_list(const char *path, void *bytes, size_t count) {
    return getxattr(path, "system.posix_acl_access", bytes, count);
}
