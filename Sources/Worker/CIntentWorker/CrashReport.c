/* Reports a crash of this worker. The signal handler writes the report to the worker's socket as one record, in the
 * JSON form of WorkerReport.crashed. The report contains addresses relative to files and no memory contents: an address
 * in memory would reveal the layout that all workers of a fork server share.
 *
 * The handler calls only functions that are safe in a signal handler. The unwinder is safe since glibc 2.35 and GCC 12,
 * in which it finds its tables without a lock (_dl_find_object(3)). */
#define _GNU_SOURCE
#include "CIntentWorker.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

/* The limits of CrashReport in IntentSharedTypes. */
enum { FRAMES_MAX = 64, IMAGES_MAX = 32, PATH_BYTES_MAX = 512, ID_BYTES_MAX = 32 };
enum { STACK_SIZE = 64 << 10, RECORD_SIZE = 32 << 10 };

/* The signals that a crash causes. */
static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};

struct image {
    const struct link_map *map;
    const uint8_t *start; /* the ELF header in memory */
};

/* The report is static, because a handler must not allocate memory, and an overflowing stack has no room. Its pages are
 * not written to before a crash, so they do not make forks slower. */
static struct {
    uintptr_t frames[FRAMES_MAX];
    size_t frame_count;
    struct image images[IMAGES_MAX];
    size_t image_count;
    uintptr_t crashed_at;
    bool has_passed_handler;
    char record[RECORD_SIZE];
    size_t length;
} report;

static sigjmp_buf recovery;
static volatile sig_atomic_t is_unwinding;
static atomic_flag has_crashed = ATOMIC_FLAG_INIT;
/* The process that owns a worker's socket. Children of the worker must not send a report. */
static pid_t worker;
static _Thread_local bool has_crash_stack;

/* MARK: Text */

static void put(char byte) {
    if (report.length < RECORD_SIZE) report.record[report.length++] = byte;
}

static void put_text(const char *text) {
    while (*text) put(*text++);
}

/* Appends a JSON string. Each character that JSON would escape, and each byte outside ASCII, becomes '?'. */
static void put_string(const char *text, size_t limit) {
    put('"');
    for (size_t i = 0; i < limit && text[i]; i++)
        put(text[i] < 0x20 || text[i] > 0x7e || text[i] == '"' || text[i] == '\\' ? '?' : text[i]);
    put('"');
}

static void put_number(long number) {
    char digits[24];
    size_t count = 0;
    unsigned long rest = number < 0 ? 0ul - (unsigned long)number : (unsigned long)number;
    do digits[count++] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (number < 0) put('-');
    while (count) put(digits[--count]);
}

static void put_digit(unsigned value) { put("0123456789abcdef"[value & 15]); }

static void put_address(uintptr_t address) {
    put_text("\"0x");
    int shift = 60;
    while (shift > 0 && !(address >> shift)) shift -= 4;
    for (; shift >= 0; shift -= 4) put_digit((unsigned)(address >> shift));
    put('"');
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

static void add_frame(uintptr_t address) {
    if (report.frame_count < FRAMES_MAX) report.frames[report.frame_count++] = address;
}

static _Unwind_Reason_Code unwound(struct _Unwind_Context *context, void *unused) {
    (void)unused;
    int is_exact = 0;
    uintptr_t address = _Unwind_GetIPInfo(context, &is_exact);
    if (!report.has_passed_handler) {
        if (address != report.crashed_at) return _URC_NO_REASON;
        report.has_passed_handler = true;
    }
    if (address == 0 || report.frame_count == FRAMES_MAX) return _URC_END_OF_STACK;
    /* A return address may belong to the next function. The preceding byte belongs to the call. */
    add_frame(is_exact ? address : address - 1);
    return _URC_NO_REASON;
}

/* Follows the chain of frame pointers, which Swift code maintains. This finds the callers of a call to an invalid
 * address, for which the unwinder has no table. */
static void follow_frame_pointers(const ucontext_t *context) {
    report.frame_count = 0;
    add_frame(report.crashed_at);
#if defined(__x86_64__)
    uintptr_t top = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
    if (is_readable(top)) add_frame(*(const uintptr_t *)top - 1);
#else
    add_frame(context->uc_mcontext.regs[30] - 4);
#endif
    uintptr_t frame = frame_pointer(context);
    while (report.frame_count < FRAMES_MAX && frame % 8 == 0 && is_readable(frame) && is_readable(frame + 8)) {
        const uintptr_t *words = (const uintptr_t *)frame;
        if (words[1] == 0) break;
        add_frame(words[1] - 1);
        /* The stack grows downwards, so a caller's frame has a higher address. */
        if (words[0] <= frame) break;
        frame = words[0];
    }
}

/* MARK: Images */

/* Returns the index of the image that contains an address, or -1. */
static int image_of(uintptr_t address) {
    struct dl_find_object found;
    if (_dl_find_object((void *)address, &found)) return -1;
    for (size_t i = 0; i < report.image_count; i++)
        if (report.images[i].map == found.dlfo_link_map) return (int)i;
    if (report.image_count == IMAGES_MAX) return -1;
    report.images[report.image_count] = (struct image){found.dlfo_link_map, found.dlfo_map_start};
    return (int)report.image_count++;
}

/* Appends the build ID from the image's notes, if there is one. */
static void put_build_id(const struct image *image) {
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
                put_text(",\"buildID\":\"");
                for (size_t byte = 0; byte < kind->n_descsz; byte++) {
                    put_digit(id[byte] >> 4);
                    put_digit(id[byte]);
                }
                put('"');
                return;
            }
            note = id + ((kind->n_descsz + 3u) & ~3u);
        }
    }
}

/* MARK: The report */

static void put_frames(void) {
    put_text("\"frames\":[");
    for (size_t i = 0; i < report.frame_count; i++) {
        if (i) put(',');
        int image = image_of(report.frames[i]);
        if (image < 0) {
            put_text("{}");
            continue;
        }
        put_text("{\"address\":");
        put_address(report.frames[i] - report.images[image].map->l_addr);
        put_text(",\"image\":");
        put_number(image);
        put('}');
    }
    put_text("],\"images\":[");
    for (size_t i = 0; i < report.image_count; i++) {
        const struct image *image = &report.images[i];
        if (i) put(',');
        put_text("{\"path\":");
        put_string(image->map->l_name ? image->map->l_name : "", PATH_BYTES_MAX);
        put_build_id(image);
        put('}');
    }
    put(']');
}

/* Appends the size of the process's private memory, which RLIMIT_DATA limits, and the limit. Appends nothing if there
 * is no limit. */
static void put_memory(void) {
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
    put_text(",\"memory\":{\"byteCount\":");
    put_number(kib << 10);
    put_text(",\"limit\":");
    put_number((long)limit.rlim_cur);
    put('}');
}

static void send_report(int signal, const siginfo_t *cause) {
    report.length = 4; /* room for the frame's length, which is stored last */
    put_text("{\"crash\":{\"code\":");
    put_number(cause->si_code);
    /* If si_code is positive, the kernel has sent the signal, and si_addr contains an address. For SIGILL, SIGTRAP and
     * SIGFPE, it is the address of the first frame, which the report already contains. */
    if (cause->si_code > 0 && (signal == SIGSEGV || signal == SIGBUS)) {
        put_text(",\"faultAddress\":");
        put_address((uintptr_t)cause->si_addr);
    }
    put(',');
    put_frames();
    put_memory();
    put_text(",\"signal\":");
    put_number(signal);
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    put_text(",\"thread\":");
    put_string(name, sizeof name);
    put_text("},\"type\":\"crashed\"}");
    if (report.length == RECORD_SIZE) return;
    size_t payload = report.length - 4;
    for (int i = 0; i < 4; i++) report.record[i] = (char)(payload >> (24 - 8 * i));
    (void)send(3, report.record, report.length, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void crashed(int signal, siginfo_t *cause, void *context) {
    if (is_unwinding) siglongjmp(recovery, 1);
    if (getpid() == worker && !atomic_flag_test_and_set(&has_crashed)) {
        report.crashed_at = program_counter(context);
        /* Return here if the unwinder crashes, for example on a damaged stack. */
        if (sigsetjmp(recovery, 0) == 0) {
            is_unwinding = true;
            _Unwind_Backtrace(unwound, NULL);
        } else {
            report.frame_count = 0;
        }
        is_unwinding = false;
        if (report.frame_count < 2) follow_frame_pointers(context);
        send_report(signal, cause);
    }
    /* The default action ends the process with the same exit status as without the handler. The faulting instruction is
     * executed again. A signal that was sent by a process, such as SIGABRT from abort(3), is sent again. */
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(signal, &standard, NULL);
    if (cause->si_code <= 0) syscall(SYS_tgkill, getpid(), gettid(), signal);
}

void intentd_prepare_crash_reports(void) {
    /* With SA_NODEFER, the handler also receives a signal that the unwinder causes. */
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
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
