#define _GNU_SOURCE
#include "Metadata.h"
#include "Tasks.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

/* Later than the headers of some distributions. */
enum { FCHMODAT2 = 452 };

/* A call that changes a file's mode, owner or times: which file, and what of it. */
struct change {
    enum { MODE, OWNER, TIMES } kind;
    int folder;    /* of the task's; where there is no path, the file itself */
    uint64_t path; /* in the task's memory; 0: none */
    int flags;     /* AT_SYMLINK_NOFOLLOW, AT_EMPTY_PATH */
    mode_t mode;
    uid_t user;
    gid_t group;
    int has_times;
    struct timespec times[2];
};

static int fail(int error) {
    errno = error;
    return -1;
}

static int take_path(struct change *change, uint64_t folder, uint64_t path, uint64_t flags) {
    change->folder = (int)folder;
    change->path = path;
    change->flags = (int)flags;
    if (change->flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)) return fail(EINVAL);
    return path ? 0 : fail(EFAULT);
}

static int take_mode(struct change *change, uint64_t mode) {
    change->kind = MODE;
    change->mode = (mode_t)mode & 07777;
    /* The filter refuses them too: see SystemCallFilter+Arguments.swift. */
    return change->mode & (S_ISUID | S_ISGID) ? fail(EPERM) : 0;
}

static int take_owner(struct change *change, uint64_t user, uint64_t group) {
    change->kind = OWNER;
    change->user = (uid_t)user;
    change->group = (gid_t)group;
    return 0;
}

static int take_times(struct change *change, pid_t task, uint64_t address) {
    change->kind = TIMES;
    change->has_times = address != 0;
    return address ? intentd_task_memory(task, address, change->times, sizeof change->times) : 0;
}

#ifdef SYS_utimes
static int take_microseconds(struct change *change, pid_t task, uint64_t address) {
    struct timeval times[2];
    change->kind = TIMES;
    change->has_times = address != 0;
    if (!address) return 0;
    if (intentd_task_memory(task, address, times, sizeof times)) return -1;
    for (int i = 0; i < 2; i++) {
        if (times[i].tv_usec < 0 || times[i].tv_usec >= 1000000) return fail(EINVAL);
        change->times[i] = (struct timespec){times[i].tv_sec, times[i].tv_usec * 1000};
    }
    return 0;
}

static int take_seconds(struct change *change, pid_t task, uint64_t address) {
    long times[2]; /* struct utimbuf of utime(2) */
    change->kind = TIMES;
    change->has_times = address != 0;
    if (!address) return 0;
    if (intentd_task_memory(task, address, times, sizeof times)) return -1;
    for (int i = 0; i < 2; i++) change->times[i] = (struct timespec){times[i], 0};
    return 0;
}
#endif

/* Those of chmod(2), chown(2), utimensat(2), utime(2) and futimesat(2), whose places differ. */
static int understand(struct change *change, const struct seccomp_notif *asked) {
    const __u64 *args = asked->data.args;
    pid_t task = (pid_t)asked->pid;
    switch (asked->data.nr) {
    case SYS_fchmod: change->folder = (int)args[0]; return take_mode(change, args[1]);
    case SYS_fchown: change->folder = (int)args[0]; return take_owner(change, args[1], args[2]);
    case SYS_fchmodat: return take_path(change, args[0], args[1], 0) || take_mode(change, args[2]) ? -1 : 0;
    case FCHMODAT2: return take_path(change, args[0], args[1], args[3]) || take_mode(change, args[2]) ? -1 : 0;
    case SYS_fchownat:
        return take_path(change, args[0], args[1], args[4]) || take_owner(change, args[2], args[3]) ? -1 : 0;
    case SYS_utimensat:
        if (take_times(change, task, args[2])) return -1;
        if (args[1] || (int)args[0] == AT_FDCWD) return take_path(change, args[0], args[1], args[3]);
        change->folder = (int)args[0];
        return args[3] ? fail(EINVAL) : 0;
#ifdef SYS_utimes
    case SYS_chmod: return take_path(change, (uint64_t)AT_FDCWD, args[0], 0) || take_mode(change, args[1]) ? -1 : 0;
    case SYS_chown:
        return take_path(change, (uint64_t)AT_FDCWD, args[0], 0) || take_owner(change, args[1], args[2]) ? -1 : 0;
    case SYS_lchown:
        return take_path(change, (uint64_t)AT_FDCWD, args[0], AT_SYMLINK_NOFOLLOW) ||
                       take_owner(change, args[1], args[2]) ? -1 : 0;
    case SYS_utime:
        return take_seconds(change, task, args[1]) || take_path(change, (uint64_t)AT_FDCWD, args[0], 0) ? -1 : 0;
    case SYS_utimes:
        return take_microseconds(change, task, args[1]) || take_path(change, (uint64_t)AT_FDCWD, args[0], 0) ? -1 : 0;
    case SYS_futimesat:
        if (take_microseconds(change, task, args[2])) return -1;
        if (args[1] || (int)args[0] == AT_FDCWD) return take_path(change, args[0], args[1], 0);
        change->folder = (int)args[0];
        return 0;
#endif
    }
    return fail(ENOSYS);
}

/* The file that the call is about, opened with O_PATH. */
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
    int error = errno;
    if (folder >= 0) close(folder);
    errno = error;
    return target;
}

/* The number of the run that a task is of, by its cgroup, which nothing inside can change; -1: of none. */
static long run_of(pid_t task) {
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

/* Who asks, as far as rules care. */
struct asker {
    pid_t task;
    int has_leaf;
};

static int is_below(const char *name, const struct intentd_metadata_rule *rule, const struct asker *asker) {
    size_t length = strlen(rule->path);
    if (strncmp(name, rule->path, length) || name[length] != '/') return 0;
    name += length + 1;
    if (!rule->is_of_runs) return *name != 0;
    char *end;
    long number = strtol(name, &end, 10);
    const char *inside = strchr(end, '/');
    if (end == name || *end != '-' || !inside) return 0;
    /* Without cgroups it is the name alone that keeps runs apart: nobody can guess another's. */
    return !asker->has_leaf || number == run_of(asker->task);
}

/* A file that lost its last name, or never had one: it is the run's when its mount is that of a rule. */
static int is_nameless_there(const struct intentd_identity *file, const struct intentd_metadata_rule *rule) {
    if (!S_ISREG(file->mode) || file->link_count > 0) return 0;
    int place = open(rule->path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (place < 0) return 0;
    struct intentd_identity identity;
    int result = intentd_identify(place, &identity) == 0 && identity.mount == file->mount;
    close(place);
    return result;
}

static int is_granted(int target, const struct intentd_metadata *metadata, pid_t task) {
    struct asker asker = {task, metadata->has_leaves};
    char name[PATH_ROOM];
    struct intentd_identity identity;
    if (intentd_identify(target, &identity)) return 0;
    int has_name = intentd_name_of(target, name) == 0;
    for (size_t i = 0; i < metadata->rule_count; i++) {
        const struct intentd_metadata_rule *rule = &metadata->rules[i];
        if (has_name ? is_below(name, rule, &asker) : is_nameless_there(&identity, rule)) return 1;
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
        /* fchmod(2) takes no O_PATH; this leads to the same open file. */
        snprintf(path, sizeof path, "/proc/self/fd/%d", target);
        return chmod(path, change->mode);
    case OWNER: return fchownat(target, "", change->user, change->group, AT_EMPTY_PATH);
    case TIMES: return utimensat(target, "", change->has_times ? change->times : NULL, AT_EMPTY_PATH);
    }
    return fail(ENOSYS);
}

/* An owner that the app itself could have given: pid 1 has an id of its own, and could give more. */
static int may_own(const struct change *change, int64_t owner) {
    if (change->kind != OWNER || owner < 0) return 1;
    return (change->user == (uid_t)-1 || change->user == (uid_t)owner) &&
           (change->group == (gid_t)-1 || change->group == (gid_t)owner);
}

static int decide(int listener, const struct seccomp_notif *asked, const struct intentd_metadata *metadata) {
    struct change change = {.folder = AT_FDCWD};
    if (understand(&change, asked)) return -1;
    if (!may_own(&change, metadata->owner)) return fail(EPERM);
    int target = open_target(&change, (pid_t)asked->pid);
    if (target < 0) return -1;
    int result = is_granted(target, metadata, (pid_t)asked->pid) ? 0 : fail(EPERM);
    /* Still waiting: so the number was the task's all the time, and no other's after its end. */
    if (result == 0) result = ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &asked->id);
    if (result == 0) result = make_change(&change, target);
    int error = errno;
    close(target);
    errno = error;
    return result;
}

enum { QUESTIONS_MAX = 4096, TURNS_MAX = 256 };

/* Calls that were received and wait for their answer, in the order in which they came. A call that finds no room waits in
 * the kernel. */
static struct question {
    struct seccomp_notif asked;
    long run;
    int has_run;
} questions[QUESTIONS_MAX];
static size_t question_count;

/* When runs had their latest answers. A run that was forgotten counts as one that never had any. */
static struct {
    long run;
    uint64_t turn;
} turns[TURNS_MAX];
static uint64_t last_turn;

static uint64_t turn_of(long run) {
    for (size_t i = 0; i < TURNS_MAX; i++)
        if (turns[i].turn && turns[i].run == run) return turns[i].turn;
    return 0;
}

static void note_turn(long run) {
    size_t place = 0;
    for (size_t i = 0; i < TURNS_MAX; i++) {
        if (turns[i].turn && turns[i].run == run) {
            place = i;
            break;
        }
        if (turns[i].turn < turns[place].turn) place = i;
    }
    turns[place].run = run;
    turns[place].turn = ++last_turn;
}

/* Takes what waits at the listener. -1 when the listener is of no use any more. */
static int receive_questions(int listener) {
    /* The kernel may know more than the structure has: seccomp_unotify(2). */
    static union {
        struct seccomp_notif asked;
        char room[1024];
    } received;
    /* The kernel's call waits where nothing does. */
    struct pollfd waiting = {listener, POLLIN, 0};
    while (question_count < QUESTIONS_MAX && poll(&waiting, 1, 0) == 1 && waiting.revents & POLLIN) {
        memset(&received, 0, sizeof received);
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &received.asked)) {
            /* It was ended in between. */
            if (errno == ENOENT || errno == EINTR) continue;
            return -1;
        }
        questions[question_count++] = (struct question){.asked = received.asked};
    }
    return 0;
}

/* Which of several questions is next: the first of the run whose latest answer lies furthest back. */
static size_t next_question(const struct intentd_metadata *metadata) {
    size_t next = 0;
    uint64_t oldest = UINT64_MAX;
    if (question_count == 1) return 0;
    for (size_t i = 0; i < question_count && oldest; i++) {
        struct question *question = &questions[i];
        if (!question->has_run) {
            pid_t task = (pid_t)question->asked.pid;
            /* Without cgroups each worker leads a session of its own. */
            question->run = metadata->has_leaves ? run_of(task) : getsid(task);
            question->has_run = 1;
        }
        uint64_t turn = turn_of(question->run);
        if (turn >= oldest) continue;
        oldest = turn;
        next = i;
    }
    note_turn(questions[next].run);
    return next;
}

int intentd_answer_metadata(int listener, const struct intentd_metadata *metadata) {
    if (receive_questions(listener)) return -1;
    if (question_count == 0) return 0;
    size_t next = next_question(metadata);
    struct seccomp_notif asked = questions[next].asked;
    question_count--;
    memmove(&questions[next], &questions[next + 1], (question_count - next) * sizeof *questions);
    /* Of a task that was ended while it waited nothing is read. */
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &asked.id)) return question_count > 0;
    static union {
        struct seccomp_notif_resp answer;
        char room[1024];
    } reply;
    int result = decide(listener, &asked, metadata);
    memset(&reply, 0, sizeof reply);
    reply.answer.id = asked.id;
    reply.answer.error = result ? -errno : 0;
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply.answer) && errno != ENOENT) return -1;
    return question_count > 0;
}
