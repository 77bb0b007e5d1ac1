/* intentd-starter [--id-range FIRST:COUNT] PROGRAM [ARGUMENT…]
 *
 * Creates a user namespace that maps the caller's own id and the ids of the sandboxes, then executes PROGRAM, the
 * launcher, in it. Appends `--ids FIRST:COUNT` to the arguments of PROGRAM, or `--no-ids REASON` if the namespace could
 * not be created.
 *
 * Mapping other users' ids requires CAP_SETUID and CAP_SETGID in the parent user namespace (user_namespaces(7)). The
 * starter has both capabilities if it runs as root or if its unit grants them. Without them, newuidmap(1) and
 * newgidmap(1) write the maps. The launcher has capabilities only in the new namespace.
 *
 * A starter with the capabilities maps the range given by `--id-range`. Without this option, it runs `PROGRAM
 * --id-range ARGUMENT…`, without capabilities unless the user is root, and reads the range as FIRST:COUNT from the
 * program's standard output. A starter without the capabilities reads the range from subuid(5) and subgid(5), and
 * ignores the option. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pwd.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PROBLEM_SIZE = 512,
    COUNT_MAX = 1 << 16,
    NOBODY = 65534,
};

struct range {
    unsigned first, count;
};

/* The program that writes the id maps: this program, or newuidmap(1) and newgidmap(1). */
enum writer { BY_CAPABILITY, BY_NEWUIDMAP };

/* The message of the latest failure. */
static char problem[PROBLEM_SIZE];

static int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem, sizeof problem, format, arguments);
    va_end(arguments);
    return -1;
}

/* Makes the next execve(2) keep the capabilities if `keep` is set. Otherwise drops all of them. */
static int change_capabilities(int keep) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2] = {0};
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    if (keep && syscall(SYS_capget, &header, sets)) return -1;
    for (int i = 0; i < 2; i++) sets[i].inheritable = sets[i].permitted;
    if (syscall(SYS_capset, &header, sets)) return -1;
    for (int number = 0; keep && number < 64; number++)
        if (sets[number / 32].permitted & 1u << number % 32 &&
            prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, number, 0, 0))
            return -1;
    return 0;
}

static int may_write_maps(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2] = {0};
    uint32_t needed = 1u << CAP_SETUID | 1u << CAP_SETGID;
    return syscall(SYS_capget, &header, sets) == 0 && (sets[0].effective & needed) == needed;
}

/* Forks a child, which returns 0. The child receives the write end of a pipe, and the parent the read end. */
static pid_t start_child(int *end) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) return fail("pipe: %s", strerror(errno));
    pid_t child = fork();
    *end = ends[child == 0];
    if (child == 0) return 0;
    close(ends[1]);
    if (child > 0) return child;
    close(ends[0]);
    return fail("fork: %s", strerror(errno));
}

/* Ends a child. If it has failed, writes the message of the failure to the pipe. */
static void __attribute__((noreturn)) end_child(int result, int pipe) {
    if (result == 0) _exit(0);
    (void)!write(pipe, problem, strlen(problem));
    _exit(1);
}

/* Reads the first line of a child's output, at most size - 1 bytes, and waits until the child exits. Returns the
 * child's exit code, or -1. */
static int read_child(pid_t child, int pipe, char *text, size_t size) {
    size_t count = 0;
    ssize_t got;
    while (count < size - 1 && ((got = read(pipe, text + count, size - 1 - count)) > 0 || (got < 0 && errno == EINTR)))
        if (got > 0) count += (size_t)got;
    text[count] = 0;
    text[strcspn(text, "\n")] = 0;
    close(pipe);
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int parse_range(const char *text, struct range *range) {
    char end;
    if (sscanf(text, "%u:%u%c", &range->first, &range->count, &end) == 2) return 0;
    return fail("expected a range of ids as FIRST:COUNT, got '%s'", text);
}

/* Runs the launcher's program with --id-range, and parses the range of ids that the program prints. */
static int ask_range(char **words, struct range *range) {
    size_t count = 0;
    while (words[count]) count++;
    char **question = calloc(count + 2, sizeof *question);
    if (!question) return fail("out of memory");
    question[0] = words[0];
    question[1] = "--id-range";
    for (size_t i = 1; i < count; i++) question[i + 1] = words[i];
    int answer;
    pid_t child = start_child(&answer);
    if (child == 0) {
        /* Drop the capabilities, unless the user is root. The child parses configuration files, and a bug in the parser
         * must not give access to the capabilities. */
        if (getuid() != 0 && change_capabilities(0)) _exit(126);
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || dup2(answer, 1) < 0) _exit(126);
        execv(question[0], question);
        _exit(126);
    }
    free(question);
    if (child < 0) return -1;
    char text[PROBLEM_SIZE];
    int code = read_child(child, answer, text, sizeof text);
    return code == 0 ? parse_range(text, range) : fail("%s", *text ? text : "the launcher printed no range of ids");
}

/* Finds the user's first range in /etc/subuid or /etc/subgid (subuid(5)). */
static int find_subordinates(const char *path, const char *name, uid_t user, struct range *range) {
    FILE *file = fopen(path, "re");
    if (!file) return -1;
    char line[256], number[16];
    snprintf(number, sizeof number, "%u", user);
    int found = -1;
    while (found && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (!colon) continue;
        *colon = 0;
        if (strcmp(line, name) && strcmp(line, number)) continue;
        if (sscanf(colon + 1, "%u:%u", &range->first, &range->count) == 2) found = 0;
    }
    fclose(file);
    return found;
}

/* Finds the range of numbers that are both subordinate user ids and subordinate group ids of the user. A sandbox uses
 * the same number for both. */
static int find_range(uid_t user, struct range *range) {
    struct passwd *account = getpwuid(user);
    if (!account) return fail("user %u has no account", user);
    struct range users, groups;
    if (find_subordinates("/etc/subuid", account->pw_name, user, &users) ||
        find_subordinates("/etc/subgid", account->pw_name, user, &groups))
        return fail("'%s' has no subordinate ids: add them with usermod --add-subuids and --add-subgids",
                    account->pw_name);
    unsigned first = users.first > groups.first ? users.first : groups.first;
    uint64_t users_end = (uint64_t)users.first + users.count, groups_end = (uint64_t)groups.first + groups.count;
    uint64_t end = users_end < groups_end ? users_end : groups_end;
    if (end < (uint64_t)first + 2)
        return fail("the subordinate user and group id ranges of '%s' must have at least two ids in common",
                    account->pw_name);
    uint64_t count = end - first;
    *range = (struct range){first, (unsigned)(count > COUNT_MAX ? COUNT_MAX : count & ~1ull)};
    return 0;
}

static int put(pid_t process, const char *name, const char *text) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", process, name);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return fail("%s: %s", path, strerror(errno));
    ssize_t written = write(file, text, strlen(text));
    int error = errno;
    close(file);
    return written == (ssize_t)strlen(text) ? 0 : fail("write to %s: %s", path, strerror(error));
}

static int run_mapper(const char *program, pid_t process, unsigned own, struct range range) {
    char numbers[4][16];
    snprintf(numbers[0], sizeof numbers[0], "%d", process);
    snprintf(numbers[1], sizeof numbers[1], "%u", own);
    snprintf(numbers[2], sizeof numbers[2], "%u", range.first);
    snprintf(numbers[3], sizeof numbers[3], "%u", range.count);
    int answer;
    pid_t child = start_child(&answer);
    if (child == 0) {
        if (dup2(answer, 2) < 0) _exit(126);
        execlp(program, program, numbers[0], numbers[1], numbers[1], "1", numbers[2], numbers[2], numbers[3], NULL);
        dprintf(2, "%s", strerror(errno));
        _exit(126);
    }
    if (child < 0) return -1;
    char text[256];
    int code = read_child(child, answer, text, sizeof text);
    return code == 0 ? 0 : fail("%s: %s", program, *text ? text : "failed without a message");
}

static int write_maps(enum writer writer, pid_t process, uid_t user, gid_t group, struct range range) {
    char ids[2][96];
    switch (writer) {
    case BY_NEWUIDMAP:
        return run_mapper("newgidmap", process, group, range) || run_mapper("newuidmap", process, user, range) ? -1 : 0;
    case BY_CAPABILITY:
        for (int i = 0; i < 2; i++) {
            unsigned own = i ? group : user;
            int length = snprintf(ids[i], sizeof ids[i], "%u %u 1\n%u %u %u\n", own, own, range.first, range.first,
                                  range.count);
            /* Also map id 65534 for a launcher that runs as root. Its apps have this group instead of root's group.
             * plain-english: nobody (the account of that id) */
            if (user == 0) snprintf(ids[i] + length, sizeof ids[i] - (size_t)length, "%d %d 1\n", NOBODY, NOBODY);
        }
        return put(process, "gid_map", ids[1]) || put(process, "uid_map", ids[0]) ? -1 : 0;
    }
    return -1;
}

/* Creates a user namespace, and keeps it until `gate` is at its end. Writes one zero byte to the pipe once the namespace
 * exists, or the message of the failure. */
static void __attribute__((noreturn)) hold_namespace(int gate, int pipe) {
    /* Make this process dumpable. In /proc, the files of a process that is not dumpable belong to root (proc(5)), so
     * the parent could not write the maps. */
    prctl(PR_SET_DUMPABLE, 1);
    if (unshare(CLONE_NEWUSER)) end_child(fail("cannot create a user namespace: %s", strerror(errno)), pipe);
    char end;
    if (write(pipe, "", 1) == 1)
        while (read(gate, &end, 1) < 0 && errno == EINTR) continue;
    _exit(0);
}

/* Writes the id maps of the user namespace of `holder`, then moves the calling process to this namespace and to a new
 * mount namespace. The process is the only thread, and it created `holder`, so it has all capabilities in the namespace
 * (user_namespaces(7)). */
static int enter_namespace(enum writer writer, pid_t holder, struct range range) {
    if (write_maps(writer, holder, getuid(), getgid(), range)) return -1;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/ns/user", holder);
    int namespace = open(path, O_RDONLY | O_CLOEXEC);
    if (namespace < 0) return fail("%s: %s", path, strerror(errno));
    int result = setns(namespace, CLONE_NEWUSER);
    int error = errno;
    close(namespace);
    if (result) return fail("cannot enter the user namespace: %s", strerror(error));
    /* Do not enter a mount namespace of the holder: setns(2) would change the root and the working directory. */
    return unshare(CLONE_NEWNS) ? fail("cannot create a mount namespace: %s", strerror(errno)) : 0;
}

/* Moves the calling process to a new user namespace and a new mount namespace. A child creates the user namespace, and
 * this process enters it only when the maps are written: a process that has entered a namespace without maps cannot
 * leave it. */
static int enter(enum writer writer, struct range range) {
    int gate[2], answer;
    if (pipe2(gate, O_CLOEXEC)) return fail("pipe: %s", strerror(errno));
    pid_t child = start_child(&answer);
    if (child == 0) {
        close(gate[1]);
        hold_namespace(gate[0], answer);
    }
    close(gate[0]);
    int result = -1;
    if (child > 0) {
        char text[PROBLEM_SIZE] = "";
        ssize_t got;
        while ((got = read(answer, text, 1)) < 0 && errno == EINTR) continue;
        int exists = got == 1 && text[0] == 0;
        if (exists) result = enter_namespace(writer, child, range);
        close(gate[1]);
        size_t count = strlen(text);
        read_child(child, answer, text + count, sizeof text - count);
        if (!exists) fail("%s", *text ? text : "the process that creates the user namespace ended unexpectedly");
    } else {
        close(gate[1]);
    }
    return result;
}

static int make_namespace(const char *given, char **words, struct range *range) {
    if (may_write_maps()) {
        if (given ? parse_range(given, range) : ask_range(words, range)) return -1;
        return enter(BY_CAPABILITY, *range);
    }
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
        return fail("newuidmap cannot gain privileges: the unit sets NoNewPrivileges=, or a setting that implies it");
    if (find_range(getuid(), range)) return -1;
    return enter(BY_NEWUIDMAP, *range);
}

int main(int count, char **words) {
    const char *given = NULL;
    if (count >= 3 && strcmp(words[1], "--id-range") == 0) {
        given = words[2];
        words += 2;
        count -= 2;
    }
    if (count < 2) {
        fprintf(stderr, "usage: intentd-starter [--id-range FIRST:COUNT] PROGRAM [ARGUMENT...]\n");
        return 64;
    }
    struct range range = {0, 0};
    int has_ids = make_namespace(given, words + 1, &range) == 0;
    char **command = calloc((size_t)count + 2, sizeof *command);
    char text[32];
    if (!command) return 71;
    memcpy(command, words + 1, (size_t)(count - 1) * sizeof *command);
    snprintf(text, sizeof text, "%u:%u", range.first, range.count);
    command[count - 1] = has_ids ? "--ids" : "--no-ids";
    command[count] = has_ids ? text : problem;
    /* The launcher needs capabilities in the new namespace. Without a new namespace, it must have no capabilities. */
    if (getuid() != 0 && change_capabilities(has_ids)) {
        fprintf(stderr, "intentd-starter: cannot set capabilities: %s\n", strerror(errno));
        return 71;
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return 71;
    execv(command[0], command);
    fprintf(stderr, "intentd-starter: cannot execute '%s': %s\n", command[0], strerror(errno));
    return 126;
}
