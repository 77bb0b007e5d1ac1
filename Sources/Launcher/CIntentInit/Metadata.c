#define _GNU_SOURCE
#include "Calls.h"
#include "Tasks.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>

/* A system call number that the headers of some distributions lack. */
enum { FCHMODAT2 = 452 };

/* A change that a task requests, and the file to change. */
struct change {
    enum { MODE, OWNER, TIMES } kind;
    int folder;    /* the task's descriptor of the folder, or of the file itself if there is no path */
    uint64_t path; /* the address of the path in the task's memory, or 0 if there is no path */
    int flags;     /* AT_SYMLINK_NOFOLLOW, AT_EMPTY_PATH */
    mode_t mode;
    uid_t user;
    gid_t group;
    int has_times;
    struct timespec times[2];
};

static int read_path(struct change *change, uint64_t folder, uint64_t path, uint64_t flags) {
    change->folder = (int)folder;
    change->path = path;
    change->flags = (int)flags;
    if (change->flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)) return fail(EINVAL);
    return path ? 0 : fail(EFAULT);
}

static int read_mode(struct change *change, uint64_t mode) {
    change->kind = MODE;
    change->mode = (mode_t)mode & 07777;
    /* The filter refuses these bits as well (SystemCallFilter+Arguments.swift). */
    return change->mode & (S_ISUID | S_ISGID) ? fail(EPERM) : 0;
}

static int read_owner(struct change *change, uint64_t user, uint64_t group) {
    change->kind = OWNER;
    change->user = (uid_t)user;
    change->group = (gid_t)group;
    return 0;
}

/* Reads the bytes of two times, unless the address is 0, which means the current time. */
static int read_times(struct change *change, pid_t task, uint64_t address, void *times, size_t size) {
    change->kind = TIMES;
    change->has_times = address != 0;
    return address ? intentd_task_memory(task, address, times, size) : 0;
}

#ifdef SYS_utimes
static int read_microseconds(struct change *change, pid_t task, uint64_t address) {
    struct timeval times[2];
    if (read_times(change, task, address, times, sizeof times)) return -1;
    for (int i = 0; change->has_times && i < 2; i++) {
        if (times[i].tv_usec < 0 || times[i].tv_usec >= 1000000) return fail(EINVAL);
        change->times[i] = (struct timespec){times[i].tv_sec, times[i].tv_usec * 1000};
    }
    return 0;
}

static int read_seconds(struct change *change, pid_t task, uint64_t address) {
    long times[2]; /* struct utimbuf of utime(2) */
    if (read_times(change, task, address, times, sizeof times)) return -1;
    for (int i = 0; change->has_times && i < 2; i++) change->times[i] = (struct timespec){times[i], 0};
    return 0;
}
#endif

/* Reads the arguments of chmod(2), chown(2), utimensat(2), utime(2), futimesat(2) and their variants. The order of
 * the arguments differs from call to call. */
static int parse_call(struct change *change, const struct seccomp_notif *asked) {
    const __u64 *args = asked->data.args;
    pid_t task = (pid_t)asked->pid;
    switch (asked->data.nr) {
    case SYS_fchmod: change->folder = (int)args[0]; return read_mode(change, args[1]);
    case SYS_fchown: change->folder = (int)args[0]; return read_owner(change, args[1], args[2]);
    case SYS_fchmodat: return read_path(change, args[0], args[1], 0) || read_mode(change, args[2]) ? -1 : 0;
    case FCHMODAT2: return read_path(change, args[0], args[1], args[3]) || read_mode(change, args[2]) ? -1 : 0;
    case SYS_fchownat:
        return read_path(change, args[0], args[1], args[4]) || read_owner(change, args[2], args[3]) ? -1 : 0;
    case SYS_utimensat:
        if (read_times(change, task, args[2], change->times, sizeof change->times)) return -1;
        if (args[1] || (int)args[0] == AT_FDCWD) return read_path(change, args[0], args[1], args[3]);
        change->folder = (int)args[0];
        return args[3] ? fail(EINVAL) : 0;
#ifdef SYS_utimes
    case SYS_chmod: return read_path(change, (uint64_t)AT_FDCWD, args[0], 0) || read_mode(change, args[1]) ? -1 : 0;
    case SYS_chown:
        return read_path(change, (uint64_t)AT_FDCWD, args[0], 0) || read_owner(change, args[1], args[2]) ? -1 : 0;
    case SYS_lchown:
        return read_path(change, (uint64_t)AT_FDCWD, args[0], AT_SYMLINK_NOFOLLOW) ||
                       read_owner(change, args[1], args[2]) ? -1 : 0;
    case SYS_utime:
        return read_seconds(change, task, args[1]) || read_path(change, (uint64_t)AT_FDCWD, args[0], 0) ? -1 : 0;
    case SYS_utimes:
        return read_microseconds(change, task, args[1]) || read_path(change, (uint64_t)AT_FDCWD, args[0], 0) ? -1 : 0;
    case SYS_futimesat:
        if (read_microseconds(change, task, args[2])) return -1;
        if (args[1] || (int)args[0] == AT_FDCWD) return read_path(change, args[0], args[1], 0);
        change->folder = (int)args[0];
        return 0;
#endif
    }
    return fail(ENOSYS);
}

/* Uses O_PATH to open the file that the call changes. */
static int open_target(const struct change *change, pid_t task) {
    char path[PATH_ROOM];
    path[0] = 0;
    if (change->path && intentd_task_text(task, change->path, path)) return -1;
    if (change->path && !path[0] && !(change->flags & AT_EMPTY_PATH)) return fail(ENOENT);
    int folder = -1;
    if (path[0] != '/') {
        folder = intentd_task_descriptor(task, change->folder);
        if (folder < 0 || !path[0]) return folder;
    }
    int target = intentd_task_path(task, folder, path, !(change->flags & AT_SYMLINK_NOFOLLOW));
    if (folder >= 0) close_keeping_error(folder);
    return target;
}

long intentd_run_of_task(pid_t task) {
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/%d/cgroup", task);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t count = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    if (count < 0) return -1;
    text[count] = 0;
    for (char *line = text; line; line = strchr(line, '\n')) {
        if (*line == '\n') line++;
        if (!strncmp(line, "0::/run-", 8)) return strtol(line + 8, NULL, 10);
    }
    return -1;
}

/* The task that made the call. */
struct caller {
    pid_t task;
    int has_leaf; /* 1 if each run has its own cgroup */
};

/* Returns the name in the root of the caller's run, or in this root. */
static const char *name_in_root(const char *name, const struct caller *caller) {
    static const char roots[] = "/roots/";
    if (strncmp(name, roots, sizeof roots - 1)) return name;
    char *end;
    long number = strtol(name + sizeof roots - 1, &end, 10);
    return *end == '/' && number == intentd_run_of_task(caller->task) ? end : "";
}

static int is_below(const char *name, const struct intentd_metadata_rule *rule, const struct caller *caller) {
    size_t length = strlen(rule->path);
    name = name_in_root(name, caller);
    if (strncmp(name, rule->path, length) || name[length] != '/') return 0;
    name += length + 1;
    if (!rule->is_of_runs) return *name != 0;
    char *end;
    long number = strtol(name, &end, 10);
    const char *inside = strchr(end, '/');
    if (end == name || *end != '-' || !inside) return 0;
    /* Without cgroups, runs are separated only by the secret in the names of their folders. */
    return !caller->has_leaf || number == intentd_run_of_task(caller->task);
}

/* Returns 1 if the file is a regular file without a name in the mount of the rule's folder in the task's root. A file
 * has no name if it was removed or created with O_TMPFILE. */
static int is_nameless_there(const struct intentd_identity *file, const struct intentd_metadata_rule *rule,
                             const struct caller *caller) {
    if (!S_ISREG(file->mode) || file->link_count > 0) return 0;
    int root = intentd_task_root(caller->task);
    if (root < 0) return 0;
    int descriptor = openat(root, rule->path + 1, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    close(root);
    if (descriptor < 0) return 0;
    struct intentd_identity identity;
    int result = intentd_identify(descriptor, &identity) == 0 && identity.mount == file->mount;
    close(descriptor);
    return result;
}

static int is_granted(int target, const struct intentd_metadata *metadata, pid_t task) {
    struct caller caller = {task, metadata->has_leaves};
    char name[PATH_ROOM];
    struct intentd_identity identity;
    if (intentd_identify(target, &identity)) return 0;
    int has_name = intentd_name_of(target, name) == 0;
    for (size_t i = 0; i < metadata->rule_count; i++) {
        const struct intentd_metadata_rule *rule = &metadata->rules[i];
        if (has_name ? is_below(name, rule, &caller) : is_nameless_there(&identity, rule, &caller)) return 1;
    }
    return 0;
}

static int make_change(const struct change *change, int target) {
    struct stat status;
    char path[64];
    switch (change->kind) {
    case MODE:
        if (fstat(target, &status)) return -1;
        if (S_ISLNK(status.st_mode)) return fail(EOPNOTSUPP);
        /* fchmod(2) fails for an O_PATH descriptor, so use a path that refers to the open file. */
        snprintf(path, sizeof path, "/proc/self/fd/%d", target);
        return chmod(path, change->mode);
    case OWNER: return fchownat(target, "", change->user, change->group, AT_EMPTY_PATH);
    case TIMES: return utimensat(target, "", change->has_times ? change->times : NULL, AT_EMPTY_PATH);
    }
    return fail(ENOSYS);
}

/* Returns 1 if the app itself could set the requested owner. This check is needed because pid 1 has CAP_CHOWN and could
 * set any owner. */
static int may_own(const struct change *change, int64_t owner) {
    if (change->kind != OWNER || owner < 0) return 1;
    return (change->user == (uid_t)-1 || change->user == (uid_t)owner) &&
           (change->group == (gid_t)-1 || change->group == (gid_t)owner);
}

int intentd_perform_call(int listener, const struct seccomp_notif *asked, const struct intentd_metadata *metadata) {
    struct change change = {.folder = AT_FDCWD};
    if (parse_call(&change, asked)) return -1;
    if (!may_own(&change, metadata->owner)) return fail(EPERM);
    int target = open_target(&change, (pid_t)asked->pid);
    if (target < 0) return -1;
    int result = is_granted(target, metadata, (pid_t)asked->pid) ? 0 : fail(EPERM);
    /* A task exists as long as its call is waiting. If the call is still waiting, the task's id has not been reused,
     * and the files and memory that were read above belong to this task. */
    if (result == 0) result = ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &asked->id);
    if (result == 0) result = make_change(&change, target);
    close_keeping_error(target);
    return result;
}
