#define _GNU_SOURCE
#include "Attempts.h"
#include "CAttacker.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

void note(struct notes *notes, const char *format, ...) {
    va_list values;
    va_start(values, format);
    int written = vsnprintf(notes->text, notes->room, format, values);
    va_end(values);
    if (written < 0) return;
    size_t step = (size_t)written < notes->room ? (size_t)written : notes->room - 1;
    notes->text += step;
    notes->room -= step;
}

long in_child(long (*body)(const char *detail), const char *detail) {
    pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) _exit(body(detail) < 0 ? errno : 0);
    int status;
    if (waitpid(child, &status, 0) < 0) return -1;
    errno = WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
    return errno == 0 ? 0 : -1;
}

/* True in a sandbox of intentd, judged by its host name, only account, folders and pid 1. */
static int is_inside(void) {
    char text[256] = "";
    if (gethostname(text, sizeof text) || strcmp(text, "intentd")) return 0;
    if (!getcwd(text, sizeof text) || (strncmp(text, "/runs/", 6) && strncmp(text, "/state/", 7) &&
                                       strcmp(text, "/own/tmp")))
        return 0;
    int account = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
    ssize_t count = read(account, text, sizeof text - 1);
    close(account);
    if (count < 6 || strncmp(text, "app:x:", 6) || memchr(text, '\n', (size_t)count) != text + count - 1) return 0;
    int first = open("/proc/1/comm", O_RDONLY | O_CLOEXEC);
    if (first < 0) return access("/proc/self/stat", F_OK) == 0; /* hidden, as it should be */
    count = read(first, text, sizeof text - 1);
    close(first);
    return count >= 12 && !strncmp(text, "intentd-init", 12);
}

/* After a restart of the fork server, this process may have the neighbour's pid. Then no other process has it. */
static int is_own_folder(const char *path) {
    char own[32];
    int count = snprintf(own, sizeof own, "/proc/%d", getpid());
    return !strncmp(path, own, (size_t)count) && (path[count] == '/' || !path[count]);
}

void attacker_try(const char *name, const char *detail, char *text, size_t room) {
    static const struct attempt *const lists[] = {
        file_attempts,   socket_attempts,   process_attempts,  program_attempts, kernel_attempts, resource_attempts,
        search_attempts, metadata_attempts, question_attempts, growth_attempts,  call_attempts,
    };
    struct notes notes = {text, room};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        for (const struct attempt *attempt = lists[i]; attempt->name; attempt++) {
            if (strcmp(attempt->name, name)) continue;
            if (attempt->danger == INSIDE_ONLY && !is_inside()) return note(&notes, "skipped outside a sandbox");
            note(&notes, "done ");
            errno = is_own_folder(detail) ? ENOENT : 0;
            if (!errno && attempt->attempt(detail, &notes) >= 0) return;
            const char *error = strerrorname_np(errno);
            snprintf(text, room, "%s", error ? error : "an unknown errno");
            return;
        }
    }
    note(&notes, "unknown attempt");
}

int attacker_send(const void *bytes, size_t count, const int *descriptors, size_t descriptor_count) {
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(253 * sizeof(int))];
    } control;
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor_count > 0) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(descriptor_count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(descriptor_count * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, descriptor_count * sizeof(int));
    }
    return sendmsg(3, &message, MSG_NOSIGNAL) < 0 ? errno : 0;
}

int attacker_descriptor(const char *kind) {
    if (!strcmp(kind, "folder")) return open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (!strcmp(kind, "device")) return open("/dev/null", O_RDWR | O_CLOEXEC);
    if (!strcmp(kind, "file")) return open("a file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (!strcmp(kind, "self")) return 3;
    int pair[2];
    if (!strcmp(kind, "pipe")) return pipe2(pair, O_CLOEXEC) ? -1 : pair[0];
    int memory = memfd_create("attacker", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0 || write(memory, "memory", 6) != 6) return -1;
    if (!strcmp(kind, "sealed") && fcntl(memory, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE))
        return -1;
    return memory;
}

static char swapped_path[256], swapped_target[256];

static void *swap(void *nothing) {
    char file[300], link[300];
    snprintf(file, sizeof file, "%s.file", swapped_path);
    snprintf(link, sizeof link, "%s.link", swapped_path);
    for (;;) {
        int made = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        ssize_t written = made < 0 ? -1 : write(made, "its own", 7);
        if (written > 0) rename(file, swapped_path);
        if (made >= 0) close(made);
        if (symlink(swapped_target, link) == 0) rename(link, swapped_path);
    }
    return nothing;
}

void attacker_swap(const char *path, const char *target) {
    snprintf(swapped_path, sizeof swapped_path, "%s", path);
    snprintf(swapped_target, sizeof swapped_target, "%s", target);
    pthread_t thread;
    if (pthread_create(&thread, NULL, swap, NULL) == 0) pthread_detach(thread);
}
