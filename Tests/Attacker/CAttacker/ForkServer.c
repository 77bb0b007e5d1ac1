#define _GNU_SOURCE
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* An app's code runs before main too: in the fork server, which has more rights than a worker. */

/* A report to the launcher: two numbers in network order. */
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
    (void)sendmsg(3, &message, MSG_NOSIGNAL);
}

/* A child of the launcher's that it never asked for. */
static int make_brother(int *pidfd) {
    struct clone_args arguments = {.flags = CLONE_PARENT | CLONE_PIDFD, .pidfd = (uint64_t)(uintptr_t)pidfd};
    return (int)syscall(SYS_clone3, &arguments, sizeof arguments);
}

static void serve(const char *manner) {
    int first = -1;
    int brother = make_brother(&first);
    if (brother == 0) _exit(0);
    /* ready, with one thread */
    report(1ULL << 16 | 1, 0, -1);
    uint64_t command[4];
    while (recv(3, command, sizeof command, 0) == sizeof command) {
        uint64_t slot = __builtin_bswap64(command[1]);
        if (!strcmp(manner, "silent")) {
            /* One that is dead already, and no word. */
            int pidfd = -1;
            if (make_brother(&pidfd) == 0) _exit(0);
        } else if (!strcmp(manner, "nobody")) {
            report(2ULL << 16, slot, -1);
        } else if (!strcmp(manner, "device")) {
            report(2ULL << 16, slot, 0);
        } else if (!strcmp(manner, "other slot")) {
            report(2ULL << 16, slot + 1000, first);
        } else if (!strcmp(manner, "brothers")) {
            for (int i = 0; i < 50; i++) {
                int pidfd = -1;
                if (make_brother(&pidfd) == 0)
                    for (;;) pause();
                close(pidfd);
            }
            report(3ULL << 16 | 11, slot, -1);
        } else if (!strcmp(manner, "garbage")) {
            (void)send(3, "garbage", 7, MSG_NOSIGNAL);
        } else {
            _exit(9);
        }
    }
    _exit(0);
}

static void __attribute__((constructor)) take_over(void) {
    const char *mode = getenv("INTENTD_MODE"), *server = getenv("ATTACKER_SERVER"), *words = getenv("ATTACKER_WORDS");
    if (!mode) return;
    if (server && !strcmp(mode, "serve")) serve(server);
    if (words && !strcmp(mode, "describe")) {
        static const char text[] = "\033]0;owned\a\033[2J\302\2332J words before the end\n";
        ssize_t written = write(2, text, sizeof text - 1);
        (void)written;
        _exit(3);
    }
}
