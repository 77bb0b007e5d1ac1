/* Reads the stacks of the threads of a process: of a worker at a limit of time, as WorkerReport.stuck, and of a test. */
#define _GNU_SOURCE
#include "CIntentWorker.h"
#include "StackRecord.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* libdispatch blocks most signals in its threads, but not the signals of a crash. */
enum { SAMPLING_SIGNAL = SIGTRAP };

static struct report stack_report;
static struct {
    struct stack stack;
    _Atomic(pid_t) thread; /* the thread that is to read its stack; 0 when it has begun */
    sem_t is_read;
    atomic_bool is_ready; /* true once a thread may still receive the signal */
} sample;

/* Returns true if the signal asks this thread for its stack, even if too late. */
bool intentd_is_sampled(int signal, const siginfo_t *cause, const ucontext_t *context) {
    if (signal != SAMPLING_SIGNAL || cause->si_code != SI_TKILL || cause->si_pid != getpid()) return false;
    if (!atomic_load(&sample.is_ready)) return false;
    int error = errno;
    pid_t thread = gettid();
    if (atomic_compare_exchange_strong(&sample.thread, &thread, 0)) {
        intentd_read_stack(&sample.stack, context);
        sem_post(&sample.is_read);
    }
    errno = error;
    return true;
}

/* Makes another thread read its stack. Returns false if it has not done so until the deadline of CLOCK_MONOTONIC. */
static bool read_stack_of(pid_t thread, const struct timespec *deadline) {
    sample.stack.frame_count = 0;
    sample.stack.has_passed_handler = false;
    atomic_store(&sample.thread, thread);
    if (syscall(SYS_tgkill, getpid(), thread, SAMPLING_SIGNAL)) return false;
    while (sem_clockwait(&sample.is_read, CLOCK_MONOTONIC, deadline))
        if (errno != EINTR) {
            /* A thread that has begun uses the stack. */
            if (atomic_exchange(&sample.thread, 0) != 0) return false;
            while (sem_wait(&sample.is_read)) {}
        }
    return true;
}

/* Appends the stack of a thread. Returns false if the thread has not read it until the deadline. */
static bool put_call_stack(struct report *report, pid_t thread, const struct timespec *deadline, bool is_next) {
    if (!read_stack_of(thread, deadline)) return false;
    if (is_next) intentd_put(report, ',');
    intentd_put(report, '{');
    intentd_put_frames(report, &sample.stack, THREAD_FRAMES_MAX);
    char path[64], name[17] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/comm", thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        ssize_t length = read(file, name, sizeof name - 1);
        close(file);
        name[length > 0 ? strcspn(name, "\n") : 0] = 0;
    }
    intentd_put_text(report, ",\"thread\":");
    intentd_put_string(report, name, sizeof name);
    intentd_put(report, '}');
    return true;
}

/* Appends the stacks of at most THREADS_MAX threads but the calling one, and the images of the frames. Returns the number of
 * threads. The newest threads come first if `order` is negative. A worker is killed soon; a test waits longer. */
static int put_call_stacks(struct report *report, const pid_t *ids, int id_count, int order, long milliseconds) {
    if (sem_init(&sample.is_read, 0, 0)) return 0;
    atomic_store(&sample.is_ready, true);
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += milliseconds / 1000;
    deadline.tv_nsec += milliseconds % 1000 * 1000000;
    if (deadline.tv_nsec >= 1000000000) deadline.tv_sec++, deadline.tv_nsec -= 1000000000;
    intentd_put_text(report, "\"callStacks\":[");
    int count = 0;
    for (int i = order < 0 ? id_count - 1 : 0; count < THREADS_MAX && i >= 0 && i < id_count; i += order)
        if (ids[i] != gettid() && put_call_stack(report, ids[i], &deadline, count > 0)) count++;
    intentd_put(report, ']');
    intentd_put_images(report);
    return count;
}

/* Stores the numbers of this process's threads, in the order in which they began. */
static int list_threads(pid_t *ids, int limit) {
    DIR *threads = opendir("/proc/self/task");
    int count = 0;
    for (struct dirent *entry; threads && count < limit && (entry = readdir(threads));)
        if (atoi(entry->d_name) > 0) ids[count++] = atoi(entry->d_name);
    if (threads) closedir(threads);
    return count;
}

enum { LISTED_MAX = 1024 };

void intentd_report_stacks(void) {
    struct sigaction current;
    /* The app may have replaced the handler. */
    if (!intentd_is_worker() || sigaction(SAMPLING_SIGNAL, NULL, &current) || current.sa_sigaction != intentd_crashed) return;
    intentd_begin_report(&stack_report, "{\"stacks\":{");
    pid_t ids[LISTED_MAX];
    if (put_call_stacks(&stack_report, ids, list_threads(ids, LISTED_MAX), 1, 400)) intentd_send_report(&stack_report, "},\"type\":\"stuck\"}");
}

/* MARK: Threads of a test */

/* The signals that the handler of a test's process receives, and the actions that it replaces. The unwinder causes the two
 * others on a damaged stack. */
static const int sampling_signals[] = {SAMPLING_SIGNAL, SIGSEGV, SIGBUS};
enum { SAMPLING_SIGNAL_COUNT = sizeof sampling_signals / sizeof *sampling_signals };
static struct sigaction replaced[SAMPLING_SIGNAL_COUNT];

static void sampled(int signal, siginfo_t *cause, void *context) {
    if (atomic_load(&intentd_unwinding) == gettid()) siglongjmp(intentd_recovery, 1);
    if (intentd_is_sampled(signal, cause, context)) return;
    /* The process has crashed, or another program has sent the signal. Its own action follows, as in `crashed`. */
    for (int i = 0; i < SAMPLING_SIGNAL_COUNT; i++)
        if (sampling_signals[i] == signal) sigaction(signal, &replaced[i], NULL);
    if (cause->si_code <= 0) syscall(SYS_tgkill, getpid(), gettid(), signal);
}

size_t intentd_copy_stacks(pid_t thread, char *text, size_t size) {
    static bool is_installed;
    struct sigaction action = {.sa_sigaction = sampled, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
    /* The handler stays: a thread that is too late receives the signal after this function has returned. */
    for (int i = 0; i < SAMPLING_SIGNAL_COUNT && !is_installed; i++) sigaction(sampling_signals[i], &action, &replaced[i]);
    is_installed = true;
    struct sigaction current;
    if (sigaction(SAMPLING_SIGNAL, NULL, &current) || current.sa_sigaction != sampled) return 0;
    stack_report.image_count = 0;
    intentd_begin_report(&stack_report, "{");
    pid_t ids[LISTED_MAX] = {thread};
    int count = thread > 0 ? 1 : list_threads(ids, LISTED_MAX);
    if (!put_call_stacks(&stack_report, ids, count, -1, 5000)) return 0;
    intentd_put(&stack_report, '}');
    size_t length = stack_report.length - 4;
    if (stack_report.length == RECORD_SIZE || length > size) return 0;
    memcpy(text, stack_report.record + 4, length);
    return length;
}

pid_t intentd_thread_number(void) { return gettid(); }
