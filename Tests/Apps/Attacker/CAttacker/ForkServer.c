#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A fork server that lies. An app's code also runs before main, in the fork server, which has more privileges than a
 * worker. */

/* Sends the launcher a report: two numbers in network byte order. */
static void report(uint64_t first, uint64_t second, int descriptor) {
    uint64_t words[2] = {__builtin_bswap64(1ULL << 32 | first), __builtin_bswap64(second)};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof descriptor)];
    } control;
    struct iovec part = {words, sizeof words};
    struct msghdr message = {NULL, 0, &part, 1, NULL, 0, 0};
    if (descriptor >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof descriptor);
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    if (sendmsg(3, &message, MSG_NOSIGNAL) >= 0 || !message.msg_control) return;
    /* The launcher's socket accepts no descriptors from here. The numbers alone are a lie, too. */
    message.msg_control = NULL;
    message.msg_controllen = 0;
    (void)sendmsg(3, &message, MSG_NOSIGNAL);
}

/* Sends any record, written as "HEXADECIMAL:DESCRIPTOR". S stands for the eight bytes of the slot's number. The part after
 * the colon names the descriptors to attach, if any. */
static void report_raw(const char *text, uint64_t slot, int sibling) {
    unsigned char record[256];
    size_t count = 0;
    const char *next = text;
    while (*next && *next != ':' && count + 8 < sizeof record) {
        if (*next == 'S') {
            uint64_t number = __builtin_bswap64(slot);
            memcpy(record + count, &number, 8);
            count += 8;
            next++;
        } else {
            char digits[3] = {next[0], next[1], 0};
            record[count++] = (unsigned char)strtoul(digits, NULL, 16);
            next += next[1] ? 2 : 1;
        }
    }
    const char *kind = *next == ':' ? next + 1 : next;
    int numbers[2] = {-1, -1};
    if (!strcmp(kind, "device")) numbers[0] = 0;
    if (!strcmp(kind, "control")) numbers[0] = 3;
    if (!strcmp(kind, "sibling")) numbers[0] = sibling;
    if (!strcmp(kind, "folder") || !strcmp(kind, "two")) numbers[0] = open("/", O_RDONLY | O_DIRECTORY);
    if (!strcmp(kind, "path")) numbers[0] = open("/", O_PATH | O_DIRECTORY);
    if (!strcmp(kind, "process")) numbers[0] = open("/proc/self", O_RDONLY | O_DIRECTORY);
    if (!strcmp(kind, "file")) numbers[0] = open(getenv("ATTACKER_PATH"), O_RDONLY);
    if (!strcmp(kind, "two")) numbers[1] = 0;
    int descriptor_count = (numbers[0] >= 0) + (numbers[1] >= 0);
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof numbers)];
    } control;
    struct iovec part = {record, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor_count) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE((size_t)descriptor_count * sizeof *numbers);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN((size_t)descriptor_count * sizeof *numbers);
        memcpy(CMSG_DATA(header), numbers, (size_t)descriptor_count * sizeof *numbers);
    }
    if (sendmsg(3, &message, MSG_NOSIGNAL) >= 0 || !descriptor_count) return;
    message.msg_control = NULL;
    message.msg_controllen = 0;
    (void)sendmsg(3, &message, MSG_NOSIGNAL);
}

/* Forks a child of the launcher that the launcher did not request. */
static int make_sibling(int *pidfd) {
    struct clone_args arguments = {.flags = CLONE_PARENT | CLONE_PIDFD, .pidfd = (uint64_t)(uintptr_t)pidfd};
    return (int)syscall(SYS_clone3, &arguments, sizeof arguments);
}

/* Counts the open directories from which ".." leads to a host file. `path` begins with a slash. */
static int count_escapes(const char *path) {
    char up[4096] = ".";
    for (int i = 0; i < 32; i++) strcat(up, "/..");
    strcat(up, path);
    int count = 0;
    for (int descriptor = 0; descriptor < 1024; descriptor++) {
        struct stat status;
        if (fstat(descriptor, &status) || !S_ISDIR(status.st_mode)) continue;
        if (openat(descriptor, up, O_PATH) >= 0) count++;
    }
    return count;
}

/* Waits for the first command and its descriptors, and exits with 40 plus the number of directories that lead outside. */
static void look_for_directories(const char *path) {
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(64 * sizeof(int))];
    } control;
    char bytes[64];
    struct iovec part = {bytes, sizeof bytes};
    struct msghdr message = {NULL, 0, &part, 1, &control, sizeof control, 0};
    if (recvmsg(3, &message, 0) <= 0) _exit(9);
    int received = 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        int count = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        for (int i = 0; i < count; i++) {
            int descriptor;
            struct stat status;
            memcpy(&descriptor, CMSG_DATA(header) + (size_t)i * sizeof(int), sizeof descriptor);
            if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) received++;
        }
    }
    _exit(40 + received + count_escapes(path));
}

/* Sends an empty record with a file on a socket. Returns 0 or -1. */
static int send_file(int socket, int file) {
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof file)];
    } control;
    struct iovec part = {NULL, 0};
    struct msghdr message = {NULL, 0, &part, 1, &control, sizeof control, 0};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof file);
    memcpy(CMSG_DATA(header), &file, sizeof file);
    return sendmsg(socket, &message, MSG_NOSIGNAL) < 0 ? -1 : 0;
}

/* Forks a worker in the requested cgroup, which optionally reports itself to the launcher, and exits. */
static void make_worker(uint64_t slot, uint64_t flags, uint64_t leaf, int reports_itself) {
    char name[32] = "run-";
    char digits[21];
    int count = 0;
    do digits[count++] = (char)('0' + leaf % 10); while (leaf /= 10);
    for (int i = 0; i < count; i++) name[4 + i] = digits[count - 1 - i];
    name[4 + count] = 0;
    int pidfd = -1;
    struct clone_args arguments = {.flags = CLONE_PARENT | CLONE_PIDFD, .pidfd = (uint64_t)(uintptr_t)&pidfd};
    if (flags & 1) {
        arguments.flags |= CLONE_INTO_CGROUP;
        /* Descriptor 5 is the folder with the sandbox's cgroups. */
        arguments.cgroup = (uint64_t)openat(5, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    }
    if (syscall(SYS_clone3, &arguments, sizeof arguments) == 0) {
        if (reports_itself) report(2ULL << 16, slot, -1);
        _exit(0);
    }
}

/* Receives one command, and misuses the worker's socket in ways that the launcher must not wait for. */
static void misuse_socket(const char *way) {
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(64 * sizeof(int))];
    } control;
    uint64_t command[6] = {0};
    struct iovec part = {command, sizeof command};
    struct msghdr message = {NULL, 0, &part, 1, &control, sizeof control, 0};
    if (recvmsg(3, &message, 0) <= 0) _exit(9);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    int socket = -1, file = open(getenv("ATTACKER_PATH"), O_RDONLY);
    if (!header || file < 0) _exit(8);
    memcpy(&socket, CMSG_DATA(header), sizeof socket);
    uint64_t slot = __builtin_bswap64(command[1]);
    if (!strcmp(way, "hoard")) {
        make_worker(slot, __builtin_bswap64(command[0]), __builtin_bswap64(command[5]), 1);
        /* Fills the socket, and refills it when it has space again. */
        while (send_file(socket, file) == 0) continue;
        for (;;) pause();
    }
    (void)send_file(socket, file);
    if (!strcmp(way, "exit")) _exit(9);
    report(3ULL << 16 | 11, slot, -1);
    for (;;) pause();
}

static void serve(const char *manner) {
    int first = -1;
    /* These two create a worker, and its exit must not be confused with that of a sibling. */
    int sibling = !strcmp(manner, "stillborn") || !strcmp(manner, "named") ? -1 : make_sibling(&first);
    if (sibling == 0) _exit(0);
    if (!strncmp(manner, "before:", 7)) report_raw(manner + 7, 1, first);
    /* ready, with one thread */
    report(1ULL << 16 | 1, 0, -1);
    if (!strcmp(manner, "early")) _exit(9);
    if (!strcmp(manner, "directories")) look_for_directories(getenv("ATTACKER_PATH"));
    if (!strncmp(manner, "socket:", 7)) misuse_socket(manner + 7);
    uint64_t command[6];
    while (recv(3, command, sizeof command, 0) == sizeof command) {
        uint64_t slot = __builtin_bswap64(command[1]);
        if (!strcmp(manner, "older")) {
            /* An app that was built with another version of the library does this. */
            _exit(76);
        } else if (!strcmp(manner, "silent")) {
            /* Forks a process that exits at once, and never replies. */
            int pidfd = -1;
            if (make_sibling(&pidfd) == 0) _exit(0);
        } else if (!strcmp(manner, "stillborn")) {
            /* The worker exits in its own cgroup before it is reported. */
            make_worker(slot, __builtin_bswap64(command[0]), __builtin_bswap64(command[5]), 0);
        } else if (!strcmp(manner, "named")) {
            make_worker(slot, __builtin_bswap64(command[0]), __builtin_bswap64(command[5]), 1);
            _exit(9);
        } else if (!strncmp(manner, "last:", 5)) {
            report_raw(manner + 5, slot, first);
            _exit(9);
        } else if (!strcmp(manner, "no descriptor")) {
            report(2ULL << 16, slot, -1);
        } else if (!strcmp(manner, "device")) {
            report(2ULL << 16, slot, 0);
        } else if (!strcmp(manner, "other slot")) {
            report(2ULL << 16, slot + 1000, first);
        } else if (!strcmp(manner, "siblings")) {
            for (int i = 0; i < 50; i++) {
                int pidfd = -1;
                if (make_sibling(&pidfd) == 0)
                    for (;;) pause();
                close(pidfd);
            }
            report(3ULL << 16 | 11, slot, -1);
        } else if (!strncmp(manner, "record:", 7)) {
            report_raw(manner + 7, slot, first);
        } else if (!strncmp(manner, "alive:", 6)) {
            int pidfd = -1;
            if (make_sibling(&pidfd) == 0)
                for (;;) pause();
            report_raw(manner + 6, slot, pidfd);
        } else if (!strcmp(manner, "garbage")) {
            (void)send(3, "garbage", 7, MSG_NOSIGNAL);
        } else {
            _exit(9);
        }
    }
    _exit(0);
}

/* Sends one frame: the payload's length in network byte order, and the payload. */
static void say(const char *payload) {
    unsigned char record[8192];
    size_t count = strlen(payload);
    uint32_t length = __builtin_bswap32((uint32_t)count);
    if (count + 4 > sizeof record) return;
    memcpy(record, &length, 4);
    memcpy(record + 4, payload, count);
    (void)send(3, record, count + 4, MSG_NOSIGNAL);
}

static void __attribute__((constructor)) take_over(void) {
    const char *mode = getenv("INTENTD_MODE"), *server = getenv("ATTACKER_SERVER"), *words = getenv("ATTACKER_WORDS");
    if (!mode) return;
    if (server && !strcmp(mode, "serve")) serve(server);
    const char *catalog = getenv("ATTACKER_CATALOG");
    if (catalog && !strcmp(mode, "describe")) {
        say("{\"type\":\"hello\",\"protocolVersion\":1,\"software\":\"x\"}");
        /* Hexadecimal, because Environment= has its own quoting rules. */
        char payload[4096];
        size_t count = 0;
        for (; catalog[0] && catalog[1] && count + 1 < sizeof payload; catalog += 2) {
            char digits[3] = {catalog[0], catalog[1], 0};
            payload[count++] = (char)strtoul(digits, NULL, 16);
        }
        payload[count] = 0;
        say(payload);
        _exit(0);
    }
    if (words && !strcmp(mode, "describe")) {
        static const char text[] = "\033]0;owned\a\033[2J\302\2332J words before the end\n";
        ssize_t written = write(2, text, sizeof text - 1);
        (void)written;
        _exit(3);
    }
}
