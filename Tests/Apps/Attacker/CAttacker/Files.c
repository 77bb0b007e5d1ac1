#define _GNU_SOURCE
#include "Attempts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <unistd.h>

static long read_from(int file, struct notes *notes) {
    if (file < 0) return -1;
    char bytes[512];
    ssize_t count = read(file, bytes, sizeof bytes - 1);
    if (count < 0) return -1;
    bytes[count] = 0;
    note(notes, "%s", bytes);
    return 0;
}

static long list_of(int folder, struct notes *notes) {
    if (folder < 0) return -1;
    DIR *stream = fdopendir(folder);
    if (!stream) return -1;
    struct dirent *entry;
    while ((entry = readdir(stream)))
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) note(notes, "%s ", entry->d_name);
    closedir(stream);
    return 0;
}

static long try_read(const char *path, struct notes *notes) {
    return read_from(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), notes);
}

static long try_list(const char *path, struct notes *notes) {
    return list_of(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), notes);
}

static long try_write(const char *path, struct notes *notes) {
    (void)notes;
    int file = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    return file < 0 ? -1 : write(file, "0", 1);
}

static long try_create(const char *path, struct notes *notes) {
    (void)notes;
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

static long try_make_folder(const char *path, struct notes *notes) {
    (void)notes;
    return mkdir(path, 0700);
}

static long try_remove(const char *path, struct notes *notes) {
    (void)notes;
    return unlink(path);
}

static long try_rename(const char *path, struct notes *notes) {
    (void)notes;
    return rename(path, "taken");
}

static long try_truncate(const char *path, struct notes *notes) {
    (void)notes;
    return truncate(path, 0);
}

/* Sets the mode that the file already has, so that a call that succeeds changes nothing for the next attempt. */
static long try_chmod(const char *path, struct notes *notes) {
    (void)notes;
    struct stat status;
    return stat(path, &status) ? chmod(path, 0700) : chmod(path, status.st_mode & 07777);
}

static long try_touch(const char *path, struct notes *notes) {
    (void)notes;
    struct stat status;
    if (stat(path, &status)) return utimes(path, NULL);
    struct timespec times[2] = {status.st_atim, status.st_mtim};
    return utimensat(AT_FDCWD, path, times, 0);
}

static long try_stat(const char *path, struct notes *notes) {
    struct stat status;
    if (stat(path, &status)) return -1;
    note(notes, "%lld bytes", (long long)status.st_size);
    return 0;
}

static long try_hard_link(const char *path, struct notes *notes) {
    (void)notes;
    return link(path, "hard");
}

static long try_watch(const char *path, struct notes *notes) {
    (void)notes;
    int watch = inotify_init1(IN_CLOEXEC);
    return watch < 0 ? -1 : inotify_add_watch(watch, path, IN_ALL_EVENTS);
}

static long try_lock(const char *path, struct notes *notes) {
    (void)notes;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    return file < 0 ? -1 : fcntl(file, F_SETLK, &lock);
}

/* Lists a path relative to the run folder, which is descriptor 4. */
static long try_list_above(const char *path, struct notes *notes) {
    return list_of(openat(4, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), notes);
}

static long try_read_above(const char *path, struct notes *notes) {
    return read_from(openat(4, path, O_RDONLY | O_CLOEXEC), notes);
}

/* Opens a path relative to every open descriptor. One that leads to a cgroup or out of the root would succeed. */
static long try_every_descriptor(const char *path, struct notes *notes) {
    long got = -1;
    for (int from = 0; from < 256; from++) {
        int folder = openat(from, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder < 0) continue;
        struct stat there, root;
        /* ".." of the root is the root. */
        if (fstat(folder, &there) == 0 && stat("/", &root) == 0 && there.st_ino == root.st_ino && there.st_dev == root.st_dev)
            continue;
        note(notes, "%d ", from);
        got = 0;
    }
    if (got < 0) errno = EACCES;
    return got;
}

static long try_descriptors(const char *detail, struct notes *notes) {
    (void)detail;
    for (int number = 0; number < 1024; number++) {
        char path[64], target[200];
        snprintf(path, sizeof path, "/proc/self/fd/%d", number);
        ssize_t count = readlink(path, target, sizeof target - 1);
        if (count < 0) continue;
        target[count] = 0;
        char *colon = strchr(target, ':');
        if (colon && strncmp(target, "anon_inode", 10)) *colon = 0;
        note(notes, "%d=%s ", number, target);
    }
    return 0;
}

static long try_processes(const char *detail, struct notes *notes) {
    (void)detail;
    DIR *stream = opendir("/proc");
    if (!stream) return -1;
    struct dirent *entry;
    while ((entry = readdir(stream)))
        if (strspn(entry->d_name, "0123456789") == strlen(entry->d_name) && atoi(entry->d_name) != getpid())
            note(notes, "%s ", entry->d_name);
    closedir(stream);
    return 0;
}

/* Programs that would run as this user when another user starts them on the host. */
static long try_setuid_chmod(const char *path, struct notes *notes) {
    (void)notes;
    close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    long result = chmod(path, 04755);
    int error = errno;
    if (result == 0) chmod(path, 0600);
    unlink(path);
    errno = error;
    return result;
}

static long try_setuid_fchmod(const char *path, struct notes *notes) {
    (void)notes;
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    long result = file < 0 ? -1 : fchmod(file, 02755);
    int error = errno;
    unlink(path);
    errno = error;
    return result;
}

static long try_setuid_create(const char *path, struct notes *notes) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 04755);
    if (file < 0) return -1;
    struct stat status;
    fstat(file, &status);
    unlink(path);
    note(notes, "%o", status.st_mode & 07777);
    errno = EPERM;
    return status.st_mode & 04000 ? 0 : -1;
}

static long try_setuid_openat2(const char *path, struct notes *notes) {
    (void)notes;
    struct {
        unsigned long long flags, mode, resolve;
    } how = {O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 04755, 0};
    long file = syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
    if (file < 0) return -1;
    struct stat status;
    fstat((int)file, &status);
    unlink(path);
    errno = EPERM;
    return status.st_mode & 04000 ? 0 : -1;
}

static long try_is_nosuid(const char *path, struct notes *notes) {
    struct statvfs status;
    if (statvfs(path, &status)) return -1;
    note(notes, "%s %s %s", status.f_flag & ST_NOSUID ? "nosuid" : "suid", status.f_flag & ST_NODEV ? "nodev" : "dev",
         status.f_flag & ST_NOEXEC ? "noexec" : "exec");
    return 0;
}

static long try_make_device(const char *detail, struct notes *notes) {
    (void)detail;
    (void)notes;
    return mknod("device", S_IFCHR | 0600, makedev(1, 3));
}

static long try_make_block_device(const char *detail, struct notes *notes) {
    (void)detail;
    (void)notes;
    return mknod("disk", S_IFBLK | 0600, makedev(8, 0));
}

/* Changes the first regular file among the descriptors passed to the run. */
static long try_change_passed_file(const char *detail, struct notes *notes) {
    for (int number = 5; number < 256; number++) {
        struct stat status;
        if (fstat(number, &status) || !S_ISREG(status.st_mode)) continue;
        if (!strcmp(detail, "chmod")) return fchmod(number, 0666);
        if (!strcmp(detail, "touch")) {
            struct timespec times[2] = {{0, 0}, {0, 0}};
            return futimens(number, times);
        }
        char path[64];
        snprintf(path, sizeof path, "/proc/self/fd/%d", number);
        if (!strcmp(detail, "reopen")) return open(path, O_RDWR | O_CLOEXEC);
        if (!strcmp(detail, "chmod by path")) return chmod(path, 0666);
        return ftruncate(number, 0);
    }
    note(notes, "no file was passed");
    return 0;
}

const struct attempt file_attempts[] = {
    {"read", try_read, HARMLESS},
    {"list", try_list, HARMLESS},
    {"write", try_write, HARMLESS},
    {"create", try_create, HARMLESS},
    {"make folder", try_make_folder, HARMLESS},
    {"remove", try_remove, HARMLESS},
    {"rename", try_rename, HARMLESS},
    {"truncate", try_truncate, HARMLESS},
    {"chmod", try_chmod, HARMLESS},
    {"touch", try_touch, HARMLESS},
    {"stat", try_stat, HARMLESS},
    {"hard link", try_hard_link, HARMLESS},
    {"watch", try_watch, HARMLESS},
    {"lock", try_lock, HARMLESS},
    {"list above", try_list_above, HARMLESS},
    {"read above", try_read_above, HARMLESS},
    {"every descriptor", try_every_descriptor, HARMLESS},
    {"descriptors", try_descriptors, HARMLESS},
    {"processes", try_processes, HARMLESS},
    {"setuid by chmod", try_setuid_chmod, HARMLESS},
    {"setgid by fchmod", try_setuid_fchmod, HARMLESS},
    {"setuid at birth", try_setuid_create, HARMLESS},
    {"setuid by openat2", try_setuid_openat2, HARMLESS},
    {"mount flags", try_is_nosuid, HARMLESS},
    {"make a device", try_make_device, HARMLESS},
    {"make a disk", try_make_block_device, HARMLESS},
    {"change a passed file", try_change_passed_file, HARMLESS},
    {NULL, NULL, HARMLESS},
};
