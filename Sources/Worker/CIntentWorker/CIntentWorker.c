#define _GNU_SOURCE
#include "CIntentWorker.h"
#include "SwiftMetadata.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

struct conformance {
    int32_t protocol; /* relative; bit 0: refers to a pointer */
    int32_t type;     /* relative; `flags` contain the kind of reference */
    int32_t witnesses;
    uint32_t flags;
};

struct type_descriptor {
    uint32_t flags;
    int32_t parent;
    int32_t name;
    int32_t accessor; /* relative, to a function */
};

struct metadata_response {
    const void *metadata;
    size_t state;
};

typedef struct metadata_response (*metadata_accessor)(size_t request) __attribute__((swiftcall));

struct search {
    const void *const *protocols;
    size_t protocol_count;
    void (*found)(size_t, const void *, void *);
    void *context;
};

static bool search_image(const struct metadata_sections *sections, void *context) {
    const struct search *search = context;
    const int32_t *entry = (const int32_t *)sections->conformances.start;
    size_t count = sections->conformances.byte_count / sizeof *entry;
    for (size_t i = 0; i < count; i++, entry++) {
        const struct conformance *conformance = pointer(entry, *entry, 0);
        const void *protocol = pointer(&conformance->protocol, conformance->protocol, 1);
        size_t index = 0;
        while (index < search->protocol_count && search->protocols[index] != protocol) index++;
        if (index == search->protocol_count) continue;

        uint32_t kind = conformance->flags >> 3 & 7;
        if (kind > 1) continue; /* an Objective-C class */
        const struct type_descriptor *type = pointer(&conformance->type, conformance->type, 0);
        if (kind == 1) type = *(const struct type_descriptor *const *)type;
        if (type == NULL || type->flags & 0x80) continue; /* weakly linked and absent, or generic */

        metadata_accessor accessor = (metadata_accessor)pointer(&type->accessor, type->accessor, 0);
        search->found(index, accessor(0).metadata, search->context);
    }
    return true;
}

void intentd_each_conforming_type(const void *const *protocols, size_t protocol_count,
                                  void (*found)(size_t, const void *, void *), void *context) {
    struct search search = {protocols, protocol_count, found, context};
    swift_enumerateAllMetadataSections(search_image, &search);
}

struct thread_body {
    void (*run)(void *);
    void *context;
};

/* The array is static, because a worker starts at most two threads. */
static struct thread_body threads[2];
static atomic_uint thread_count;

static void *intentd_run_thread(void *body) {
    const struct thread_body *thread = body;
    /* Block the signals that libdispatch's threads block. The main thread then receives signals to the process, and a
     * write beyond RLIMIT_FSIZE on this thread fails with EFBIG instead of ending the process with SIGXFSZ. */
    static const int own[] = {SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGPIPE, SIGPROF, SIGSYS};
    sigset_t others;
    sigfillset(&others);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) sigdelset(&others, own[i]);
    pthread_sigmask(SIG_BLOCK, &others, NULL);
    thread->run(thread->context);
    return NULL;
}

int intentd_start_thread(void (*body)(void *), void *context) {
    unsigned number = atomic_fetch_add(&thread_count, 1);
    if (number >= sizeof threads / sizeof *threads) return EAGAIN;
    threads[number] = (struct thread_body){body, context};
    pthread_t thread;
    int error = pthread_create(&thread, NULL, intentd_run_thread, &threads[number]);
    if (error) atomic_fetch_sub(&thread_count, 1);
    return error ? error : pthread_detach(thread);
}

static void *rehearse_thread(void *unused) {
    /* Without volatile, the compiler would remove the unused allocation. */
    void *volatile memory = malloc(64);
    free(memory);
    return unused;
}

void intentd_rehearse_thread(void) {
    pthread_t thread;
    if (!intentd_is_single_threaded() || pthread_create(&thread, NULL, rehearse_thread, NULL)) return;
    pthread_join(thread, NULL);
    /* pthread_join(3) can return shortly before the thread has exited, because the kernel clears the thread id first
     * (set_tid_address(2)). */
    while (!intentd_is_single_threaded()) sched_yield();
}

int intentd_event_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void intentd_event_signal(int event) {
    /* The write fails only if the counter is at its maximum. In that case, the event is already signalled. */
    (void)eventfd_write(event, 1);
}

void intentd_event_clear(int event) {
    eventfd_t count;
    /* The read fails if the counter is zero. In that case, the event is already clear. */
    (void)eventfd_read(event, &count);
}

static volatile int interrupt_event = -1;
static atomic_int interrupt_count;

static void interrupted(int number) {
    (void)number;
    int error = errno;
    if (atomic_fetch_add(&interrupt_count, 1) > 0) _exit(130);
    intentd_event_signal(interrupt_event);
    errno = error;
}

int intentd_interrupts_signal(int event) {
    interrupt_event = event;
    struct sigaction action = {.sa_handler = interrupted, .sa_flags = SA_RESTART};
    return sigaction(SIGINT, &action, NULL);
}

int intentd_add_change_directory(posix_spawn_file_actions_t *actions, const char *path) {
    return posix_spawn_file_actions_addchdir_np(actions, path);
}

int intentd_open_terminal(int columns, int rows, char name[32]) {
    int unlocked = 0, number;
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    struct termios modes;
    int terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0) return -1;
    if (ioctl(terminal, TIOCSPTLCK, &unlocked) || ioctl(terminal, TIOCGPTN, &number) ||
        ioctl(terminal, TIOCSWINSZ, &size) || tcgetattr(terminal, &modes))
        goto failed;
    /* Print what the program prints, and nothing else. */
    modes.c_lflag &= ~(tcflag_t)ECHO;
    modes.c_oflag &= ~(tcflag_t)ONLCR;
    if (tcsetattr(terminal, TCSANOW, &modes)) goto failed;
    snprintf(name, 32, "/dev/pts/%d", number);
    return terminal;
failed:;
    int error = errno;
    close(terminal);
    errno = error;
    return -1;
}

int intentd_foreground_group(int terminal) { return tcgetpgrp(terminal); }

static volatile int exit_event = -1;

static void child_exited(int number) {
    (void)number;
    int error = errno;
    intentd_event_signal(exit_event);
    errno = error;
}

int intentd_exits_signal(int event) {
    exit_event = event;
    struct sigaction action = {.sa_handler = child_exited, .sa_flags = SA_RESTART | SA_NOCLDSTOP};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    /* Unblock SIGCHLD, because a process inherits its signal mask through execve(2), and a parent process may have
     * blocked the signal. */
    sigset_t exits;
    sigemptyset(&exits);
    sigaddset(&exits, SIGCHLD);
    int error = pthread_sigmask(SIG_UNBLOCK, &exits, NULL);
    if (error) return error;
    return sigaction(SIGCHLD, &action, NULL) || sigaction(SIGPIPE, &ignore, NULL) ? errno : 0;
}

void intentd_buffer_lines(void) { (void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ); }

void intentd_flush_output(void) {
    (void)fflush(stdout);
    (void)fflush(stderr);
}

int64_t intentd_copy(int from, int to) {
    static const size_t step = 64 << 20;
    int64_t total = 0;
    ssize_t copied;
    while ((copied = copy_file_range(from, NULL, to, NULL, step, 0)) > 0) total += copied;
    if (copied == 0 && total > 0) return total;
    if (copied < 0 && (total > 0 || (errno != EXDEV && errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP)))
        return -1;

    /* Fall back to read(2) and write(2) for pipes, for file systems without copy_file_range(2), and for files in /proc,
     * which have a size of 0. */
    char buffer[1 << 16];
    for (;;) {
        ssize_t received = read(from, buffer, sizeof buffer);
        if (received < 0 && errno == EINTR) continue;
        if (received <= 0) return received < 0 ? -1 : total;
        for (ssize_t written = 0; written < received;) {
            ssize_t count = write(to, buffer + written, (size_t)(received - written));
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) return -1;
            written += count;
        }
        total += received;
    }
}

/* The Swift runtime exports this function for tools (stdlib/public/runtime/HeapObject.cpp). The reference is weak,
 * because a later runtime may lack it. */
extern size_t swift_retainCount(void *object) __attribute__((weak));

size_t intentd_reference_count(uintptr_t address) {
    return swift_retainCount ? swift_retainCount((void *)address) : 0;
}
