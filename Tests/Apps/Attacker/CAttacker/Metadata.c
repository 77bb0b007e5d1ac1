#define _GNU_SOURCE
#include "Attempts.h"
#include "CAttacker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

/* Changes of mode, owner and times, by every call that can make them. Where the current value is known, it is set again, so
 * that the next attempt finds the same state. */

enum { FCHMODAT2 = 452, FILE_SETATTR = 469 };

struct target {
    const char *path;
    int file; /* a descriptor of the path */
    struct stat status;
};

typedef long (*change)(const struct target *target);

static mode_t mode_of(const struct target *target) { return target->status.st_mode & 01777; }

static long by_chmod(const struct target *target) { return chmod(target->path, mode_of(target)); }
static long by_fchmod(const struct target *target) { return fchmod(target->file, mode_of(target)); }
static long by_fchmodat(const struct target *target) { return fchmodat(AT_FDCWD, target->path, mode_of(target), 0); }
static long by_fchmodat2(const struct target *target) {
    return syscall(FCHMODAT2, AT_FDCWD, target->path, mode_of(target), AT_SYMLINK_NOFOLLOW);
}
static long by_fchmodat2_descriptor(const struct target *target) {
    return syscall(FCHMODAT2, target->file, "", mode_of(target), AT_EMPTY_PATH);
}
static long by_proc_path(const struct target *target, const char *form, long number) {
    char path[96];
    snprintf(path, sizeof path, form, number, target->file);
    return chmod(path, mode_of(target));
}
static long by_own_descriptor(const struct target *target) { return by_proc_path(target, "/proc/self/fd/%2$d", 0); }
static long by_thread_descriptor(const struct target *target) {
    return by_proc_path(target, "/proc/thread-self/fd/%2$d", 0);
}
static long by_pid(const struct target *target) { return by_proc_path(target, "/proc/%ld/fd/%d", getpid()); }
static long by_task(const struct target *target) {
    return by_proc_path(target, "/proc/self/task/%ld/fd/%d", syscall(SYS_gettid));
}
static long by_link(const struct target *target) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", target->file);
    unlink("link");
    if (symlink(path, "link")) return -1;
    return chmod("link", mode_of(target));
}
static long by_link_to_path(const struct target *target) {
    unlink("link");
    if (symlink(target->path, "link")) return -1;
    return chmod("link", mode_of(target));
}
static long by_folder(const struct target *target) {
    if (!S_ISDIR(target->status.st_mode)) return errno = EPERM, -1;
    return fchmodat(target->file, ".", mode_of(target), 0);
}

static const struct timespec *times_of(const struct target *target) {
    static struct timespec times[2];
    times[0] = target->status.st_atim;
    times[1] = target->status.st_mtim;
    return times;
}
static long by_utimensat(const struct target *target) { return utimensat(AT_FDCWD, target->path, times_of(target), 0); }
static long by_utimensat_of_link(const struct target *target) {
    return utimensat(AT_FDCWD, target->path, times_of(target), AT_SYMLINK_NOFOLLOW);
}
static long by_utimensat_descriptor(const struct target *target) {
    return utimensat(target->file, "", times_of(target), AT_EMPTY_PATH);
}
static long by_futimens(const struct target *target) { return futimens(target->file, times_of(target)); }
static long by_futimens_now(const struct target *target) { return futimens(target->file, NULL); }
#ifdef SYS_utimes
static long by_utimes(const struct target *target) { return syscall(SYS_utimes, target->path, NULL); }
static long by_utime(const struct target *target) {
    struct utimbuf times = {target->status.st_atime, target->status.st_mtime};
    return syscall(SYS_utime, target->path, &times);
}
static long by_futimesat(const struct target *target) { return syscall(SYS_futimesat, AT_FDCWD, target->path, NULL); }
static long by_futimesat_descriptor(const struct target *target) {
    return syscall(SYS_futimesat, target->file, NULL, NULL);
}
static long by_chown(const struct target *target) { return syscall(SYS_chown, target->path, -1, -1); }
static long by_lchown(const struct target *target) {
    return syscall(SYS_lchown, target->path, target->status.st_uid, target->status.st_gid);
}
#endif
static long by_fchown(const struct target *target) { return fchown(target->file, (uid_t)-1, (gid_t)-1); }
static long by_fchownat(const struct target *target) {
    return fchownat(AT_FDCWD, target->path, (uid_t)-1, target->status.st_gid, 0);
}
static long by_fchownat_descriptor(const struct target *target) {
    return fchownat(target->file, "", target->status.st_uid, (gid_t)-1, AT_EMPTY_PATH);
}

/* These are refused for every file. */
static long by_setxattr(const struct target *target) { return setxattr(target->path, "user.attack", "1", 1, 0); }
static long by_fsetxattr(const struct target *target) { return fsetxattr(target->file, "user.attack", "1", 1, 0); }
static long by_removexattr(const struct target *target) { return removexattr(target->path, "user.attack"); }
static long by_flags(const struct target *target) {
    int file = open(target->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    long flags = 0x40; /* FS_NODUMP_FL */
    return ioctl(file < 0 ? target->file : file, FS_IOC_SETFLAGS, &flags);
}
static long by_file_setattr(const struct target *target) {
    unsigned long long attributes[4] = {0};
    return syscall(FILE_SETATTR, AT_FDCWD, target->path, attributes, sizeof attributes, 0);
}

static const struct {
    const char *name;
    change change;
    int is_always_refused;
} changes[] = {
    {"chmod", by_chmod, 0},
    {"fchmod", by_fchmod, 0},
    {"fchmodat", by_fchmodat, 0},
    {"fchmodat2", by_fchmodat2, 0},
    {"fchmodat2 of a descriptor", by_fchmodat2_descriptor, 0},
    {"/proc/self/fd", by_own_descriptor, 0},
    {"/proc/thread-self/fd", by_thread_descriptor, 0},
    {"/proc/PID/fd", by_pid, 0},
    {"/proc/self/task/TID/fd", by_task, 0},
    {"a link to the descriptor", by_link, 0},
    {"a link", by_link_to_path, 0},
    {"a folder's own name", by_folder, 1},
    {"utimensat", by_utimensat, 0},
    {"utimensat of a link", by_utimensat_of_link, 0},
    {"utimensat of a descriptor", by_utimensat_descriptor, 0},
    {"futimens", by_futimens, 0},
    {"futimens now", by_futimens_now, 0},
#ifdef SYS_utimes
    {"utimes", by_utimes, 0},
    {"utime", by_utime, 0},
    {"futimesat", by_futimesat, 0},
    {"futimesat of a descriptor", by_futimesat_descriptor, 0},
    {"chown", by_chown, 0},
    {"lchown", by_lchown, 0},
#endif
    {"fchown", by_fchown, 0},
    {"fchownat", by_fchownat, 0},
    {"fchownat of a descriptor", by_fchownat_descriptor, 0},
    {"setxattr", by_setxattr, 1},
    {"fsetxattr", by_fsetxattr, 1},
    {"removexattr", by_removexattr, 1},
    {"FS_IOC_SETFLAGS", by_flags, 1},
    {"file_setattr", by_file_setattr, 1},
};

/* Tries all changes. Returns the number that succeeded, or -1 with EPERM. */
static long try_all(const struct target *target, struct notes *notes) {
    int done = 0;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        if (changes[i].change(target) < 0) continue;
        if (notes) note(notes, "by %s; ", changes[i].name);
        done++;
    }
    errno = EPERM;
    return done ? done : -1;
}

static long try_path(const char *path, struct notes *notes) {
    struct target target = {.path = path, .file = open(path, O_PATH | O_CLOEXEC)};
    /* A path that cannot be opened may still be changed by name. */
    if (target.file < 0 || fstat(target.file, &target.status)) target.status.st_mode = 0700;
    long result = try_all(&target, notes);
    int error = errno;
    if (target.file >= 0) close(target.file);
    errno = error;
    return result;
}

struct thread_attempt {
    const char *path;
    struct notes *notes;
    long result;
    int error;
};

static void *in_thread(void *pointer) {
    struct thread_attempt *attempt = pointer;
    attempt->result = try_path(attempt->path, attempt->notes);
    attempt->error = errno;
    return NULL;
}

static long try_path_in_thread(const char *path, struct notes *notes) {
    struct thread_attempt attempt = {path, notes, -1, EAGAIN};
    pthread_t thread;
    if (pthread_create(&thread, NULL, in_thread, &attempt) == 0) pthread_join(thread, NULL);
    errno = attempt.error;
    return attempt.result;
}

static long path_alone(const char *path) { return try_path(path, NULL); }

static long try_path_in_child(const char *path, struct notes *notes) {
    (void)notes;
    return in_child(path_alone, path);
}

/* The first regular file among the descriptors passed to the run. */
static int passed_file(void) {
    struct stat status;
    for (int number = 5; number < 256; number++)
        if (fstat(number, &status) == 0 && S_ISREG(status.st_mode)) return number;
    return -1;
}

static long try_passed(const char *detail, struct notes *notes) {
    (void)detail;
    struct target target = {.file = passed_file()};
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", target.file);
    target.path = path;
    if (target.file < 0 || fstat(target.file, &target.status)) return note(notes, "no file was passed"), 0;
    return try_all(&target, notes);
}

static volatile int swaps;
static const char own_path[] = "own file";
static char swapped_text[256];
static int swapped_number;
static const char *foreign_path;
static int foreign_file, own_file;

/* Alternates a string between two paths. */
static void *swap_text(void *nothing) {
    for (; swaps; ) {
        strcpy(swapped_text, own_path);
        strcpy(swapped_text, foreign_path);
    }
    return nothing;
}

static void *swap_descriptor(void *nothing) {
    for (; swaps; ) {
        dup2(own_file, swapped_number);
        dup2(foreign_file, swapped_number);
    }
    return nothing;
}

static void *swap_link(void *nothing) {
    for (; swaps; ) {
        if (symlink(own_path, "fresh") == 0) rename("fresh", "swapped");
        if (symlink(foreign_path, "fresh") == 0) rename("fresh", "swapped");
    }
    return nothing;
}

static long touch_text(void) {
    struct timespec times[2] = {{12345, 0}, {12345, 0}};
    return utimensat(AT_FDCWD, swapped_text, times, 0) | chmod(swapped_text, 0705);
}

static long touch_descriptor(void) {
    struct timespec times[2] = {{12345, 0}, {12345, 0}};
    return futimens(swapped_number, times) | fchmod(swapped_number, 0705);
}

static long touch_link(void) {
    struct timespec times[2] = {{12345, 0}, {12345, 0}};
    return utimensat(AT_FDCWD, "swapped", times, 0) | chmod("swapped", 0705);
}

/* Changes a target that alternates between its own file and a foreign one. Fails with EPERM when its own file was changed
 * and the foreign one was not. */
static long try_swapped(const char *path, void *(*swap)(void *), long (*touch)(void), struct notes *notes) {
    foreign_file = *path ? open(path, O_PATH | O_CLOEXEC) : passed_file();
    char descriptor_path[64];
    snprintf(descriptor_path, sizeof descriptor_path, "/proc/self/fd/%d", foreign_file);
    foreign_path = *path ? path : descriptor_path;
    own_file = open(own_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    swapped_number = fcntl(own_file, F_DUPFD_CLOEXEC, 100);
    struct stat before, after, own;
    if (own_file < 0 || fstat(foreign_file, &before)) return -1;
    swaps = 1;
    pthread_t thread;
    if (pthread_create(&thread, NULL, swap, NULL)) return -1;
    int done = 0;
    for (int i = 0; i < 3000 || (i < 100000 && !done); i++) done += touch() == 0;
    swaps = 0;
    pthread_join(thread, NULL);
    if (fstat(foreign_file, &after) || fstat(own_file, &own)) return -1;
    if (own.st_mtim.tv_sec != 12345) return note(notes, "its own file was not changed"), 0;
    if (after.st_mtim.tv_sec == 12345 || after.st_mode != before.st_mode)
        return note(notes, "the foreign file was changed"), 0;
    return errno = EPERM, -1;
}

static long try_swapped_text(const char *path, struct notes *notes) {
    return try_swapped(path, swap_text, touch_text, notes);
}

static long try_swapped_descriptor(const char *path, struct notes *notes) {
    return try_swapped(path, swap_descriptor, touch_descriptor, notes);
}

static long try_swapped_link(const char *path, struct notes *notes) {
    return try_swapped(path, swap_link, touch_link, notes);
}

/* Tries every call on a file in one of its own folders: "done" with the calls that failed. */
static long try_own(const char *folder, struct notes *notes) {
    char path[512], moved[512];
    snprintf(path, sizeof path, "%s/changed", folder);
    snprintf(moved, sizeof moved, "%s/moved", folder);
    struct target target = {.path = path, .file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
    if (target.file < 0 || fstat(target.file, &target.status)) return -1;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (!changes[i].is_always_refused && changes[i].change(&target) < 0)
            note(notes, "not by %s: %s; ", changes[i].name, strerrorname_np(errno));
    struct timespec times[2] = {{0, UTIME_OMIT}, {98765, 4321}};
    struct stat status;
    if (futimens(target.file, times) || chmod(path, 0751) || stat(path, &status)) return -1;
    if (status.st_mtim.tv_sec != 98765 || status.st_mtim.tv_nsec != 4321 || (status.st_mode & 07777) != 0751)
        note(notes, "the change had no effect");
    if (rename(path, moved) || fchmod(target.file, 0600)) return -1;
    if (unlink(moved) || fchmod(target.file, 0640) || futimens(target.file, NULL)) return -1;
    if (fstat(target.file, &status) || (status.st_mode & 0777) != 0640) note(notes, "not after its name was removed");
    int nameless = open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    if (nameless >= 0 && fchmod(nameless, 0640)) return -1;
    snprintf(path, sizeof path, "%s/folder", folder);
    if (mkdir(path, 0700) || chmod(path, 0755) || utimes(path, NULL) || rmdir(path)) return -1;
    snprintf(path, sizeof path, "%s/a link", folder);
    if (symlink("nowhere", path) || lchown(path, (uid_t)-1, (gid_t)-1)) return -1;
    if (utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW) || unlink(path)) return -1;
    if (chmod(path, 0600) == 0 || errno != ENOENT) note(notes, "not ENOENT: %s", strerrorname_np(errno));
    if (chmod((const char *)1, 0600) == 0 || errno != EFAULT) note(notes, "not EFAULT: %s", strerrorname_np(errno));
    if (fchmod(999, 0600) == 0 || errno != EBADF) note(notes, "not EBADF: %s", strerrorname_np(errno));
    return 0;
}

/* Changes its own file and another one as fast as possible for a number of seconds. */
static long try_many_changes(const char *seconds, struct notes *notes) {
    time_t end = time(NULL) + strtol(seconds, NULL, 10);
    int file = open("changed", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    for (long count = 0;; count++) {
        if (fchmod(file, 0600)) return -1;
        if (chmod("/runs", 0711) == 0) return note(notes, "/runs was changed"), 0;
        if (errno != EPERM) return -1;
        if (count % 64 == 0 && time(NULL) >= end) return note(notes, "changed"), 0;
    }
}

const struct attempt metadata_attempts[] = {
    {"change", try_path, INSIDE_ONLY},
    {"change in a thread", try_path_in_thread, INSIDE_ONLY},
    {"change in a child", try_path_in_child, INSIDE_ONLY},
    {"every change of a passed file", try_passed, INSIDE_ONLY},
    {"change by a swapped path", try_swapped_text, INSIDE_ONLY},
    {"change by a swapped descriptor", try_swapped_descriptor, INSIDE_ONLY},
    {"change by a swapped link", try_swapped_link, INSIDE_ONLY},
    {"change its own", try_own, INSIDE_ONLY},
    {"change for long", try_many_changes, INSIDE_ONLY},
    {NULL, NULL, HARMLESS},
};
