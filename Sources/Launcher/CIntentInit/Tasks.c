#define _GNU_SOURCE
#include "Tasks.h"

#include <ctype.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

enum {
    NAME_ROOM = 256,
    LINKS_MAX = 40,
    LEAST_PAGE = 4096,
    /* The maximum number of path components to walk, which is the number in the longest possible path. The kernel
     * permits this number again for each symbolic link, because its walk delays only the task itself. This walk delays
     * all runs in the sandbox. */
    STEPS_MAX = PATH_ROOM / 2,
};

int intentd_task_memory(pid_t task, uint64_t address, void *bytes, size_t count) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", task);
    int memory = open(path, O_RDONLY | O_CLOEXEC);
    if (memory < 0) return -1;
    ssize_t got = address > INT64_MAX ? -1 : pread(memory, bytes, count, (off_t)address);
    close(memory);
    return got == (ssize_t)count ? 0 : fail(EFAULT);
}

int intentd_task_text(pid_t task, uint64_t address, char text[PATH_ROOM]) {
    for (size_t done = 0; done < PATH_ROOM;) {
        /* Do not read beyond the end of the page, because the next page may not be mapped. */
        size_t count = LEAST_PAGE - (size_t)((address + done) % LEAST_PAGE);
        if (count > PATH_ROOM - done) count = PATH_ROOM - done;
        if (intentd_task_memory(task, address + done, text + done, count)) return -1;
        if (memchr(text + done, 0, count)) return 0;
        done += count;
    }
    return fail(ENAMETOOLONG);
}

int intentd_task_descriptor(pid_t task, int number) {
    char path[64];
    if (number == AT_FDCWD)
        snprintf(path, sizeof path, "/proc/%d/cwd", task);
    else
        snprintf(path, sizeof path, "/proc/%d/fd/%d", task, number);
    int file = open(path, O_PATH | O_CLOEXEC);
    return file < 0 && errno == ENOENT ? fail(EBADF) : file;
}

int intentd_task_root(pid_t task) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/root", task);
    return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int intentd_identify(int file, struct intentd_identity *identity) {
    struct statx status;
    /* AT_STATX_DONT_SYNC is needed because a client's file may be on a file system that never responds. */
    if (statx(file, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_BASIC_STATS | STATX_MNT_ID, &status)) return -1;
    if (!(status.stx_mask & STATX_MNT_ID)) return fail(ENOTSUP);
    *identity = (struct intentd_identity){
        .mount = status.stx_mnt_id,
        .device = makedev(status.stx_dev_major, status.stx_dev_minor),
        .inode = status.stx_ino,
        .link_count = status.stx_nlink,
        .mode = status.stx_mode,
    };
    return 0;
}

int intentd_name_of(int file, char name[PATH_ROOM]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, name, PATH_ROOM - 1);
    if (length < 0) return -1;
    if (length == PATH_ROOM - 1) return fail(ENAMETOOLONG);
    name[length] = 0;
    if (name[0] != '/') return fail(ENOENT);
    /* Check that the name refers to this file. The kernel also reports a name for a file outside this root, and the
     * name of a removed file may have been reused. */
    struct open_how how = {.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS};
    int found = (int)syscall(SYS_openat2, AT_FDCWD, name, &how, sizeof how);
    if (found < 0) return fail(ENOENT);
    struct intentd_identity here, there;
    int is_same = intentd_identify(found, &here) == 0 && intentd_identify(file, &there) == 0 &&
                  here.mount == there.mount && here.device == there.device && here.inode == there.inode;
    close(found);
    return is_same ? 0 : fail(ENOENT);
}

/* Opens one name in a folder without following a link. In /proc, only the task's own directory can be opened. */
static int open_step(pid_t task, int folder, const char *name, int is_root_of_proc) {
    char path[64];
    int is_self = !strcmp(name, "self") || !strcmp(name, "thread-self");
    if (!is_root_of_proc || !(is_self || isdigit((unsigned char)name[0])))
        return openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (!is_self) {
        /* Accept the pid of the task's own process. */
        if (strlen(name) > 10) return fail(ENOENT);
        snprintf(path, sizeof path, "/proc/%s/task/%d", name, task);
        /* Use stat(2) instead of access(2), which ignores the capabilities of a process with a real user id other than
         * 0. */
        struct stat status;
        if (stat(path, &status)) return fail(ENOENT);
    }
    snprintf(path, sizeof path, "%d", task);
    return openat(folder, path, O_PATH | O_CLOEXEC);
}

/* The state of a walk along a path. */
struct walk {
    pid_t task;
    int at;                 /* the current folder or file, which the walk closes when it continues */
    struct intentd_identity facts; /* the identity of `at` */
    int root;               /* the task's root */
    struct intentd_identity root_facts;
    struct intentd_identity proc;  /* the identity of /proc in this root */
    int link_count;
    int step_count;
    char *next;             /* the remaining part of the path in `rest` */
    char rest[2 * PATH_ROOM];
};

static int move_to(struct walk *walk, int descriptor) {
    if (descriptor < 0) return -1;
    if (walk->at >= 0) close(walk->at);
    walk->at = descriptor;
    return intentd_identify(descriptor, &walk->facts);
}

static int is_in_proc(const struct walk *walk, const struct intentd_identity *facts) {
    return facts->mount == walk->proc.mount;
}

/* Replaces a link in the path with the link's target. The rest of the path begins at `end`. */
static int follow(struct walk *walk, int link, const char *end) {
    char target[PATH_ROOM];
    ssize_t length = readlinkat(link, "", target, sizeof target);
    if (length < 0) return -1;
    if (length == 0) return fail(ENOENT);
    size_t left = strlen(end) + 1;
    if (length == sizeof target || (size_t)length + left > sizeof walk->rest) return fail(ENAMETOOLONG);
    memmove(walk->rest + length, end, left);
    memcpy(walk->rest, target, (size_t)length);
    walk->next = walk->rest;
    return target[0] == '/' ? move_to(walk, fcntl(walk->root, F_DUPFD_CLOEXEC, 0)) : 0;
}

static int is_root(const struct walk *walk) {
    return walk->facts.mount == walk->root_facts.mount && walk->facts.inode == walk->root_facts.inode;
}

/* Walks one component of the path. `next` is empty after the last component. */
static int walk_name(struct walk *walk, int follows_last) {
    char name[NAME_ROOM];
    if (++walk->step_count > STEPS_MAX) return fail(walk->link_count ? ELOOP : ENAMETOOLONG);
    char *end = strchrnul(walk->next, '/');
    size_t length = (size_t)(end - walk->next);
    if (length >= sizeof name) return fail(ENAMETOOLONG);
    memcpy(name, walk->next, length);
    name[length] = 0;
    int is_root_of_proc = is_in_proc(walk, &walk->facts) && walk->facts.inode == walk->proc.inode;
    /* A run's root is below the root of pid 1. As in the kernel, no path leads out of it. */
    const char *step = !strcmp(name, "..") && is_root(walk) ? "." : name;
    int found = open_step(walk->task, walk->at, step, is_root_of_proc);
    if (found < 0) return -1;
    struct intentd_identity facts;
    if (intentd_identify(found, &facts)) return close_keeping_error(found);
    walk->next = end;
    if (!S_ISLNK(facts.mode) || (!*end && !follows_last)) return move_to(walk, found);
    if (++walk->link_count > LINKS_MAX) {
        close(found);
        return fail(ELOOP);
    }
    if (!is_in_proc(walk, &facts)) {
        int result = follow(walk, found, end);
        if (result) return close_keeping_error(found);
        return close(found);
    }
    /* Let the kernel follow a link in /proc/PID, because such a link refers to an open file, not to a path. */
    close(found);
    if (move_to(walk, openat(walk->at, name, O_PATH | O_CLOEXEC))) return -1;
    char own[PATH_ROOM];
    return *end ? intentd_name_of(walk->at, own) : 0;
}

int intentd_task_path(pid_t task, int folder, const char *path, int follows_last) {
    static struct walk walk;
    size_t length = strlen(path);
    if (length == 0) return fail(ENOENT);
    if (length >= PATH_ROOM) return fail(ENAMETOOLONG);
    memcpy(walk.rest, path, length + 1);
    walk.task = task;
    walk.at = -1;
    walk.link_count = 0;
    walk.step_count = 0;
    walk.next = walk.rest;
    walk.root = intentd_task_root(task);
    if (walk.root < 0) return -1;
    int proc = openat(walk.root, "proc", O_PATH | O_CLOEXEC);
    if (proc < 0 || intentd_identify(walk.root, &walk.root_facts) || intentd_identify(proc, &walk.proc)) goto failed;
    if (path[0] == '/') {
        if (move_to(&walk, fcntl(walk.root, F_DUPFD_CLOEXEC, 0))) goto failed;
    } else {
        char own[PATH_ROOM];
        if (intentd_name_of(folder, own) || move_to(&walk, fcntl(folder, F_DUPFD_CLOEXEC, 0))) goto failed;
    }
    for (;;) {
        int must_be_folder = *walk.next == '/';
        while (*walk.next == '/') walk.next++;
        if (must_be_folder && !S_ISDIR(walk.facts.mode)) {
            errno = ENOTDIR;
            goto failed;
        }
        if (!*walk.next) break;
        if (walk_name(&walk, follows_last)) goto failed;
    }
    close(proc);
    close(walk.root);
    return walk.at;
failed:
    if (proc >= 0) close_keeping_error(proc);
    if (walk.at >= 0) close_keeping_error(walk.at);
    return close_keeping_error(walk.root);
}
