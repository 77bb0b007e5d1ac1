/* Reports a crash of this worker, and where its threads are when the run has reached a limit. The report is one record on
 * the worker's socket, in the JSON form of WorkerReport.crashed or WorkerReport.stuck. It contains addresses relative to
 * files and no memory contents: an address in memory would reveal the layout that all workers of a fork server share.
 *
 * The handler calls only functions that are safe in a signal handler. The unwinder is safe since glibc 2.35 and GCC 12,
 * in which it finds its tables without a lock (_dl_find_object(3)). */
#define _GNU_SOURCE
#include "CIntentWorker.h"

#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

/* The limits of CrashReport and StackReport in IntentSharedTypes. */
enum { FRAMES_MAX = 64, IMAGES_MAX = 32, PATH_BYTES_MAX = 512, ID_BYTES_MAX = 32, THREADS_MAX = 16, THREAD_FRAMES_MAX = 24 };
enum { STACK_SIZE = 64 << 10, RECORD_SIZE = 32 << 10 };

/* The signals that a crash causes. */
static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};

struct image {
    const struct link_map *map;
    const uint8_t *start; /* the ELF header in memory */
};

struct stack {
    uintptr_t frames[FRAMES_MAX];
    size_t frame_count;
    uintptr_t innermost;
    bool has_passed_handler;
};

/* Reports are static, because a handler must not allocate memory, and an overflowing stack has no room. Their pages are
 * not written to before they are used, so they do not make forks slower. */
struct report {
    struct image images[IMAGES_MAX];
    size_t image_count;
    char record[RECORD_SIZE];
    size_t length;
};

static void crashed(int signal, siginfo_t *cause, void *context);

static struct report crash_report;
static struct stack crash_stack;

static sigjmp_buf recovery;
/* The thread that reads its own stack, and returns to `recovery` if that fails. */
static _Atomic(pid_t) unwinding;
static atomic_flag has_crashed = ATOMIC_FLAG_INIT;
/* The process that owns a worker's socket. Children of the worker must not send a report. */
static pid_t worker;
static _Thread_local bool has_crash_stack;

/* MARK: Text */

static void put(struct report *report, char byte) {
    if (report->length < RECORD_SIZE) report->record[report->length++] = byte;
}

static void put_text(struct report *report, const char *text) {
    while (*text) put(report, *text++);
}

/* Appends a JSON string. Each character that JSON would escape, and each byte outside ASCII, becomes '?'. */
static void put_string(struct report *report, const char *text, size_t limit) {
    put(report, '"');
    for (size_t i = 0; i < limit && text[i]; i++)
        put(report, text[i] < 0x20 || text[i] > 0x7e || text[i] == '"' || text[i] == '\\' ? '?' : text[i]);
    put(report, '"');
}

static void put_number(struct report *report, long number) {
    char digits[24];
    size_t count = 0;
    unsigned long rest = number < 0 ? 0ul - (unsigned long)number : (unsigned long)number;
    do digits[count++] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (number < 0) put(report, '-');
    while (count) put(report, digits[--count]);
}

static void put_digit(struct report *report, unsigned value) { put(report, "0123456789abcdef"[value & 15]); }

static void put_address(struct report *report, uintptr_t address) {
    put_text(report, "\"0x");
    int shift = 60;
    while (shift > 0 && !(address >> shift)) shift -= 4;
    for (; shift >= 0; shift -= 4) put_digit(report, (unsigned)(address >> shift));
    put(report, '"');
}

/* MARK: The stack */

#if defined(__x86_64__)
static uintptr_t program_counter(const ucontext_t *context) {
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
}
static uintptr_t frame_pointer(const ucontext_t *context) { return (uintptr_t)context->uc_mcontext.gregs[REG_RBP]; }
#else
static uintptr_t program_counter(const ucontext_t *context) { return context->uc_mcontext.pc; }
static uintptr_t frame_pointer(const ucontext_t *context) { return context->uc_mcontext.regs[29]; }
#endif

/* Returns true if the word can be read. rt_sigprocmask(2) reads a set before it refuses an unknown operation. */
static bool is_readable(uintptr_t address) {
    return syscall(SYS_rt_sigprocmask, ~0, address, NULL, 8) != 0 && errno == EINVAL;
}

static void add_frame(struct stack *stack, uintptr_t address) {
    if (stack->frame_count < FRAMES_MAX) stack->frames[stack->frame_count++] = address;
}

static _Unwind_Reason_Code unwound(struct _Unwind_Context *context, void *argument) {
    struct stack *stack = argument;
    int is_exact = 0;
    uintptr_t address = _Unwind_GetIPInfo(context, &is_exact);
    if (!stack->has_passed_handler) {
        if (address != stack->innermost) return _URC_NO_REASON;
        stack->has_passed_handler = true;
    }
    if (address == 0 || stack->frame_count == FRAMES_MAX) return _URC_END_OF_STACK;
    /* A return address may belong to the next function. The preceding byte belongs to the call. */
    add_frame(stack, is_exact ? address : address - 1);
    return _URC_NO_REASON;
}

/* Follows the chain of frame pointers, which Swift code maintains. This finds the callers of a call to an invalid
 * address, for which the unwinder has no table. */
static void follow_frame_pointers(struct stack *stack, const ucontext_t *context) {
    add_frame(stack, stack->innermost);
    struct dl_find_object found;
    if (_dl_find_object((void *)stack->innermost, &found)) {
#if defined(__x86_64__)
        uintptr_t top = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
        if (is_readable(top)) add_frame(stack, *(const uintptr_t *)top - 1);
#else
        add_frame(stack, context->uc_mcontext.regs[30] - 4);
#endif
    }
    uintptr_t frame = frame_pointer(context);
    while (stack->frame_count < FRAMES_MAX && frame % 8 == 0 && is_readable(frame) && is_readable(frame + 8)) {
        const uintptr_t *words = (const uintptr_t *)frame;
        if (words[1] == 0) break;
        add_frame(stack, words[1] - 1);
        /* The stack grows downwards, so a caller's frame has a higher address. */
        if (words[0] <= frame) break;
        frame = words[0];
    }
}

/* Reads the stack of this thread, which a signal has interrupted at `context`. */
static void read_stack(struct stack *stack, const ucontext_t *context) {
    stack->innermost = program_counter(context);
    /* Return here if the unwinder crashes, for example on a damaged stack. */
    if (sigsetjmp(recovery, 0) == 0) {
        atomic_store(&unwinding, gettid());
        _Unwind_Backtrace(unwound, stack);
    } else {
        stack->frame_count = 0;
    }
    atomic_store(&unwinding, 0);
    /* A function without a table ends the unwinder's way, and one without a frame pointer the other's. Keep the longer. */
    static struct stack other;
    other = (struct stack){.innermost = stack->innermost};
    follow_frame_pointers(&other, context);
    if (other.frame_count > stack->frame_count) *stack = other;
}

/* MARK: Images */

/* Returns the index of the image that contains an address, or -1. */
static int image_of(struct report *report, uintptr_t address) {
    struct dl_find_object found;
    if (_dl_find_object((void *)address, &found)) return -1;
    for (size_t i = 0; i < report->image_count; i++)
        if (report->images[i].map == found.dlfo_link_map) return (int)i;
    if (report->image_count == IMAGES_MAX) return -1;
    report->images[report->image_count] = (struct image){found.dlfo_link_map, found.dlfo_map_start};
    return (int)report->image_count++;
}

/* Appends the build ID from the image's notes, if there is one. */
static void put_build_id(struct report *report, const struct image *image) {
    const ElfW(Ehdr) *header = (const void *)image->start;
    if (!is_readable((uintptr_t)header) || memcmp(header->e_ident, ELFMAG, SELFMAG)) return;
    const ElfW(Phdr) *segments = (const void *)(image->start + header->e_phoff);
    for (size_t i = 0; i < header->e_phnum && is_readable((uintptr_t)&segments[i]); i++) {
        if (segments[i].p_type != PT_NOTE) continue;
        const uint8_t *note = (const uint8_t *)image->map->l_addr + segments[i].p_vaddr;
        const uint8_t *end = note + segments[i].p_memsz;
        while (note + sizeof(ElfW(Nhdr)) <= end && is_readable((uintptr_t)note)) {
            const ElfW(Nhdr) *kind = (const void *)note;
            const uint8_t *id = note + sizeof *kind + ((kind->n_namesz + 3u) & ~3u);
            if (kind->n_type == NT_GNU_BUILD_ID && kind->n_namesz == 4 && !memcmp(kind + 1, "GNU", 4)) {
                if (kind->n_descsz == 0 || kind->n_descsz > ID_BYTES_MAX || id + kind->n_descsz > end) return;
                put_text(report, ",\"buildID\":\"");
                for (size_t byte = 0; byte < kind->n_descsz; byte++) {
                    put_digit(report, id[byte] >> 4);
                    put_digit(report, id[byte]);
                }
                put(report, '"');
                return;
            }
            note = id + ((kind->n_descsz + 3u) & ~3u);
        }
    }
}

/* MARK: The report */

static void put_frames(struct report *report, const struct stack *stack, size_t limit) {
    put_text(report, "\"frames\":[");
    for (size_t i = 0; i < stack->frame_count && i < limit; i++) {
        if (i) put(report, ',');
        int image = image_of(report, stack->frames[i]);
        if (image < 0) {
            put_text(report, "{}");
            continue;
        }
        put_text(report, "{\"address\":");
        put_address(report, stack->frames[i] - report->images[image].map->l_addr);
        put_text(report, ",\"image\":");
        put_number(report, image);
        put(report, '}');
    }
    put(report, ']');
}

/* Appends the images that the frames so far refer to. */
static void put_images(struct report *report) {
    put_text(report, ",\"images\":[");
    for (size_t i = 0; i < report->image_count; i++) {
        const struct image *image = &report->images[i];
        if (i) put(report, ',');
        put_text(report, "{\"path\":");
        put_string(report, image->map->l_name ? image->map->l_name : "", PATH_BYTES_MAX);
        put_build_id(report, image);
        put(report, '}');
    }
    put(report, ']');
}

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
    put_text(report, ",\"memory\":{\"byteCount\":");
    put_number(report, kib << 10);
    put_text(report, ",\"limit\":");
    put_number(report, (long)limit.rlim_cur);
    put(report, '}');
}

/* Leaves room for the frame's length, which is stored last. */
static void begin_report(struct report *report, const char *text) {
    report->length = 4;
    put_text(report, text);
}

/* Sends nothing if the report was too large or the socket has no room. */
static void send_report(struct report *report, const char *end) {
    put_text(report, end);
    if (report->length == RECORD_SIZE) return;
    size_t payload = report->length - 4;
    for (int i = 0; i < 4; i++) report->record[i] = (char)(payload >> (24 - 8 * i));
    (void)send(3, report->record, report->length, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void report_crash(struct report *report, int signal, const siginfo_t *cause) {
    begin_report(report, "{\"crash\":{\"code\":");
    put_number(report, cause->si_code);
    /* If si_code is positive, the kernel has sent the signal, and si_addr contains an address. For SIGILL, SIGTRAP and
     * SIGFPE, it is the address of the first frame, which the report already contains. */
    if (cause->si_code > 0 && (signal == SIGSEGV || signal == SIGBUS)) {
        put_text(report, ",\"faultAddress\":");
        put_address(report, (uintptr_t)cause->si_addr);
    }
    put(report, ',');
    put_frames(report, &crash_stack, FRAMES_MAX);
    put_images(report);
    put_memory(report);
    put_text(report, ",\"signal\":");
    put_number(report, signal);
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    put_text(report, ",\"thread\":");
    put_string(report, name, sizeof name);
    send_report(report, "},\"type\":\"crashed\"}");
}

/* MARK: Threads at a limit */

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
static bool is_sampled(int signal, const siginfo_t *cause, const ucontext_t *context) {
    if (signal != SAMPLING_SIGNAL || cause->si_code != SI_TKILL || cause->si_pid != getpid()) return false;
    if (!atomic_load(&sample.is_ready)) return false;
    int error = errno;
    pid_t thread = gettid();
    if (atomic_compare_exchange_strong(&sample.thread, &thread, 0)) {
        read_stack(&sample.stack, context);
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

void intentd_report_stacks(void) {
    struct sigaction current;
    /* The app may have replaced the handler. */
    if (getpid() != worker || sigaction(SAMPLING_SIGNAL, NULL, &current) || current.sa_sigaction != crashed) return;
    DIR *threads = opendir("/proc/self/task");
    if (!threads || sem_init(&sample.is_read, 0, 0)) return;
    atomic_store(&sample.is_ready, true);
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_nsec += 400000000;
    if (deadline.tv_nsec >= 1000000000) deadline.tv_sec++, deadline.tv_nsec -= 1000000000;
    begin_report(&stack_report, "{\"stacks\":{\"callStacks\":[");
    int count = 0;
    for (struct dirent *entry; count < THREADS_MAX && (entry = readdir(threads));) {
        pid_t thread = atoi(entry->d_name);
        if (thread <= 0 || thread == gettid() || !read_stack_of(thread, &deadline)) continue;
        if (count++) put(&stack_report, ',');
        put(&stack_report, '{');
        put_frames(&stack_report, &sample.stack, THREAD_FRAMES_MAX);
        char path[64], name[17] = "";
        snprintf(path, sizeof path, "/proc/self/task/%d/comm", thread);
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file >= 0) {
            ssize_t length = read(file, name, sizeof name - 1);
            close(file);
            name[length > 0 ? strcspn(name, "\n") : 0] = 0;
        }
        put_text(&stack_report, ",\"thread\":");
        put_string(&stack_report, name, sizeof name);
        put(&stack_report, '}');
    }
    closedir(threads);
    put(&stack_report, ']');
    put_images(&stack_report);
    if (count) send_report(&stack_report, "},\"type\":\"stuck\"}");
}

/* MARK: The handler */

static void crashed(int signal, siginfo_t *cause, void *context) {
    if (atomic_load(&unwinding) == gettid()) siglongjmp(recovery, 1);
    if (getpid() == worker && is_sampled(signal, cause, context)) return;
    if (getpid() == worker && !atomic_flag_test_and_set(&has_crashed)) {
        read_stack(&crash_stack, context);
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
        .sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART,
    };
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, NULL);
}

void intentd_report_crashes(void) { worker = getpid(); }

void intentd_use_crash_stack(void) {
    if (has_crash_stack || getpid() != worker) return;
    has_crash_stack = true;
    /* Ignore a failure: this stack is needed only to report a stack overflow. The kernel allocates its pages when the
     * handler writes to them. The stacks are never released, because few threads of a process call perform(). */
    void *stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack != MAP_FAILED) (void)sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = STACK_SIZE}, NULL);
}
