#define _GNU_SOURCE
#include "Attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MEBIBYTE = 1 << 20, STEP = 16 * MEBIBYTE };

/* Allocates disk space without writing to it. */
static long allocate(int file, long mebibytes) {
    if (file < 0) return -1;
    for (long done = 0; done < mebibytes; done += 16)
        if (fallocate(file, 0, done * MEBIBYTE, STEP)) return -1;
    return 0;
}

static long try_large_file(const char *mebibytes, struct notes *notes) {
    (void)notes;
    signal(SIGXFSZ, SIG_IGN);
    return allocate(open("large", O_RDWR | O_CREAT | O_CLOEXEC, 0600), atol(mebibytes));
}

static long try_large_file_killed(const char *mebibytes, struct notes *notes) {
    (void)notes;
    return allocate(open("large", O_RDWR | O_CREAT | O_CLOEXEC, 0600), atol(mebibytes));
}

static long try_many_files(const char *mebibytes, struct notes *notes) {
    (void)notes;
    for (long done = 0; done < atol(mebibytes); done += 16) {
        char name[32];
        snprintf(name, sizeof name, "many-%ld", done);
        int file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        long result = allocate(file, 16);
        if (file >= 0) close(file);
        if (result < 0) return -1;
    }
    /* Where the file system does not enforce the limit, a periodic check may. */
    sleep(5);
    return 0;
}

static long try_many_names(const char *count, struct notes *notes) {
    (void)notes;
    for (long done = 0; done < atol(count); done++) {
        char name[32];
        snprintf(name, sizeof name, "empty-%ld", done);
        int file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (file < 0) return -1;
        close(file);
    }
    return 0;
}

static long touch_all(char *memory, long mebibytes) {
    if (memory == MAP_FAILED) return -1;
    for (long at = 0; at < mebibytes * MEBIBYTE; at += 4096) memory[at] = 1;
    return 0;
}

static long try_memory(const char *mebibytes, struct notes *notes) {
    (void)notes;
    for (long done = 0; done < atol(mebibytes); done += 16) {
        void *memory = mmap(NULL, STEP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (touch_all(memory, 16)) return -1;
    }
    return 0;
}

static long try_shared_memory(const char *mebibytes, struct notes *notes) {
    (void)notes;
    for (long done = 0; done < atol(mebibytes); done += 16) {
        void *memory = mmap(NULL, STEP, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (touch_all(memory, 16)) return -1;
    }
    return 0;
}

/* No limit of a process counts memory that can grow downwards. */
static long try_stacks(const char *mebibytes, struct notes *notes) {
    (void)notes;
    for (long done = 0; done < atol(mebibytes); done += 16) {
        void *memory = mmap(NULL, STEP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0);
        if (touch_all(memory, 16)) return -1;
    }
    return 0;
}

static long try_memory_files(const char *mebibytes, struct notes *notes) {
    (void)notes;
    for (long done = 0; done < atol(mebibytes); done += 16)
        if (allocate(memfd_create("memory", MFD_CLOEXEC), 16)) return -1;
    return 0;
}

static void *wait_forever(void *nothing) {
    for (;;) pause();
    return nothing;
}

static long try_threads(const char *count, struct notes *notes) {
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    for (long made = 0; made < atol(count); made++) {
        pthread_t thread;
        int error = pthread_create(&thread, &small, wait_forever, NULL);
        if (error) {
            errno = error;
            return -1;
        }
    }
    note(notes, "%s", count);
    return 0;
}

/* "COUNT SECONDS": holds the threads for a while. */
static long try_hold_threads(const char *detail, struct notes *notes) {
    long result = try_threads(detail, notes);
    const char *blank = strchr(detail, ' ');
    fprintf(stderr, "%s\n", result < 0 ? strerrorname_np(errno) : "threads are there");
    sleep(blank ? (unsigned)atoi(blank) : 0);
    return result;
}

static long try_descriptors(const char *count, struct notes *notes) {
    (void)notes;
    for (long made = 0; made < atol(count); made++)
        if (dup(0) < 0) return -1;
    return 0;
}

static long try_more_descriptors(const char *count, struct notes *notes) {
    (void)notes;
    struct rlimit limit = {(rlim_t)atol(count), (rlim_t)atol(count)};
    return setrlimit(RLIMIT_NOFILE, &limit);
}

/* Descriptors in flight in a socket count against the user, in all processes (unix(7), ETOOMANYREFS). */
static long try_descriptors_in_flight(const char *seconds, struct notes *notes) {
    int many[250], sent = 0;
    for (int i = 0; i < 250; i++) many[i] = 0;
    for (int pairs = 0; pairs < 16; pairs++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) break;
        char control[CMSG_SPACE(sizeof many)];
        struct iovec part = {"x", 1};
        struct msghdr message = {NULL, 0, &part, 1, control, sizeof control, 0};
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof many);
        memcpy(CMSG_DATA(header), many, sizeof many);
        for (int messages = 0; messages < 64; messages++)
            if (sendmsg(pair[0], &message, MSG_DONTWAIT | MSG_NOSIGNAL) > 0) sent += 250;
    }
    fprintf(stderr, "%d descriptors are in flight\n", sent);
    if (sent == 0) return -1;
    note(notes, "%d", sent);
    sleep((unsigned)atoi(seconds));
    return 0;
}

static long try_print(const char *mebibytes, struct notes *notes) {
    (void)notes;
    static char text[65536];
    memset(text, 'x', sizeof text);
    for (long done = 0; done < atol(mebibytes) * 16; done++)
        if (write(1, text, sizeof text) < 0) return -1;
    return 0;
}

static long try_burn(const char *seconds, struct notes *notes) {
    (void)notes;
    time_t end = time(NULL) + atoi(seconds);
    while (time(NULL) < end) {}
    return 0;
}

/* Holds a lease and ignores its break: open(2) of the file blocks, unless it is non-blocking. */
static long try_lease(const char *path, struct notes *notes) {
    (void)notes;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    signal(SIGIO, SIG_IGN);
    return file < 0 ? -1 : fcntl(file, F_SETLEASE, F_WRLCK);
}

static long try_deep_folders(const char *depth, struct notes *notes) {
    (void)notes;
    for (int i = 0; i < atoi(depth); i++)
        if (mkdir("deep", 0700) || chdir("deep")) return -1;
    return chdir("/tmp");
}

/* A folder with content that only its owner could make accessible again. */
static long try_locked_folder(const char *detail, struct notes *notes) {
    (void)detail;
    (void)notes;
    if (mkdir("locked", 0700) || mkdir("locked/inner", 0700)) return -1;
    return chmod("locked", 0);
}

const struct attempt resource_attempts[] = {
    {"large file", try_large_file, INSIDE_ONLY},
    {"large file, killed", try_large_file_killed, INSIDE_ONLY},
    {"many files", try_many_files, INSIDE_ONLY},
    {"many names", try_many_names, INSIDE_ONLY},
    {"memory", try_memory, INSIDE_ONLY},
    {"shared memory", try_shared_memory, INSIDE_ONLY},
    {"memory files", try_memory_files, INSIDE_ONLY},
    {"stacks", try_stacks, INSIDE_ONLY},
    {"threads", try_threads, INSIDE_ONLY},
    {"hold threads", try_hold_threads, INSIDE_ONLY},
    {"many descriptors", try_descriptors, HARMLESS},
    {"raise the limit of descriptors", try_more_descriptors, HARMLESS},
    {"descriptors in flight", try_descriptors_in_flight, INSIDE_ONLY},
    {"print", try_print, HARMLESS},
    {"burn", try_burn, HARMLESS},
    {"lease", try_lease, HARMLESS},
    {"deep folders", try_deep_folders, INSIDE_ONLY},
    {"locked folder", try_locked_folder, INSIDE_ONLY},
    {NULL, NULL, HARMLESS},
};
