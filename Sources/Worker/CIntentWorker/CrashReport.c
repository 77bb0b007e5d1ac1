/* Reports a crash of this worker. The report is one record on the worker's socket, in the JSON form of WorkerReport.crashed.
 * It contains addresses relative to files and no memory contents: an address in memory would reveal the layout that all
 * workers of a fork server share. The handler calls only functions that are safe in a signal handler. */
#define _GNU_SOURCE
#include "CIntentWorker.h"
#include "StackRecord.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STACK_SIZE = 64 << 10 };

/* The signals that a crash causes. */
static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};

static struct report crash_report;
static struct stack crash_stack;
static atomic_flag has_crashed = ATOMIC_FLAG_INIT;
/* The process that owns a worker's socket. Children of the worker must not send a report. */
static pid_t worker;
static _Thread_local bool has_crash_stack;

/* Appends the size of the process's private memory, which RLIMIT_DATA limits, and the limit. Appends nothing if there
 * is no limit. */
static void put_memory(struct report *report) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) || limit.rlim_cur > INT64_MAX) return;
    int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    char text[4096];
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    text[length > 0 ? length : 0] = 0;
    /* The line is, for example, "VmData:\t    5120 kB". */
    const char *digit = strstr(text, "\nVmData:");
    if (!digit) return;
    digit += strcspn(digit, "0123456789");
    long kib = 0;
    while (*digit >= '0' && *digit <= '9') kib = kib * 10 + (*digit++ - '0');
    intentd_put_text(report, ",\"memory\":{\"byteCount\":");
    intentd_put_number(report, kib << 10);
    intentd_put_text(report, ",\"limit\":");
    intentd_put_number(report, (long)limit.rlim_cur);
    intentd_put(report, '}');
}

static void report_crash(struct report *report, int signal, const siginfo_t *cause) {
    intentd_begin_report(report, "{\"crash\":{\"code\":");
    intentd_put_number(report, cause->si_code);
    /* If si_code is positive, the kernel has sent the signal, and si_addr contains an address. For SIGILL, SIGTRAP and
     * SIGFPE, it is the address of the first frame, which the report already contains. */
    if (cause->si_code > 0 && (signal == SIGSEGV || signal == SIGBUS)) {
        intentd_put_text(report, ",\"faultAddress\":");
        intentd_put_address(report, (uintptr_t)cause->si_addr);
    }
    intentd_put(report, ',');
    intentd_put_frames(report, &crash_stack, FRAMES_MAX);
    intentd_put_images(report);
    put_memory(report);
    intentd_put_text(report, ",\"signal\":");
    intentd_put_number(report, signal);
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    intentd_put_text(report, ",\"thread\":");
    intentd_put_string(report, name, sizeof name);
    intentd_send_report(report, "},\"type\":\"crashed\"}");
}

/* MARK: The handler */

void intentd_crashed(int signal, siginfo_t *cause, void *context) {
    if (atomic_load(&intentd_unwinding) == gettid()) siglongjmp(intentd_recovery, 1);
    if (getpid() == worker && intentd_is_sampled(signal, cause, context)) return;
    if (getpid() == worker && !atomic_flag_test_and_set(&has_crashed)) {
        intentd_read_stack(&crash_stack, context);
        report_crash(&crash_report, signal, cause);
    }
    /* The default action ends the process with the same exit status as without the handler. The faulting instruction is
     * executed again. A signal that was sent by a process, such as SIGABRT from abort(3), is sent again. */
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(signal, &standard, NULL);
    if (cause->si_code <= 0) syscall(SYS_tgkill, getpid(), gettid(), signal);
}

void intentd_prepare_crash_reports(void) {
    /* With SA_NODEFER, the handler also receives a signal that the unwinder causes. */
    struct sigaction action = {
        .sa_sigaction = intentd_crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART,
    };
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, NULL);
}

void intentd_report_crashes(void) { worker = getpid(); }

bool intentd_is_worker(void) { return worker != 0 && getpid() == worker; }

void intentd_use_crash_stack(void) {
    if (has_crash_stack || getpid() != worker) return;
    has_crash_stack = true;
    /* Ignore a failure: this stack is needed only to report a stack overflow. The kernel allocates its pages when the
     * handler writes to them. The stacks are never released, because few threads of a process call perform(). */
    void *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack != MAP_FAILED) (void)sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = STACK_SIZE}, NULL);
}
