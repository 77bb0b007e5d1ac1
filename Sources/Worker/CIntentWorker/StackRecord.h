/* The record of a crash or of threads: the parts that a signal handler writes. Internal to CIntentWorker. */
#ifndef INTENTD_STACK_RECORD_H
#define INTENTD_STACK_RECORD_H

#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <ucontext.h>

#pragma clang assume_nonnull begin

/* The limits of CrashReport and StackReport in IntentSharedTypes. */
enum { FRAMES_MAX = 64, IMAGES_MAX = 32, PATH_BYTES_MAX = 512, ID_BYTES_MAX = 32, THREADS_MAX = 16, THREAD_FRAMES_MAX = 24 };
enum { RECORD_SIZE = 32 << 10 };

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

/* The thread that reads its own stack, and returns to `intentd_recovery` if that fails. */
extern _Atomic(pid_t) intentd_unwinding;
extern sigjmp_buf intentd_recovery;

/* Reads the stack of this thread, which a signal has interrupted at `context`. */
void intentd_read_stack(struct stack *stack, const ucontext_t *context);

/* Leaves room for the frame's length, which is stored last. */
void intentd_begin_report(struct report *report, const char *text);
void intentd_put(struct report *report, char byte);
void intentd_put_text(struct report *report, const char *text);
/* Appends a JSON string. Each character that JSON would escape, and each byte outside ASCII, becomes '?'. */
void intentd_put_string(struct report *report, const char *text, size_t limit);
void intentd_put_number(struct report *report, long number);
void intentd_put_address(struct report *report, uintptr_t address);
void intentd_put_frames(struct report *report, const struct stack *stack, size_t limit);
/* Appends the images that the frames so far refer to. */
void intentd_put_images(struct report *report);
/* Sends nothing if the report was too large or the socket has no room. */
void intentd_send_report(struct report *report, const char *end);

/* Returns true if the signal asks this thread for its stack, even if too late. */
bool intentd_is_sampled(int signal, const siginfo_t *cause, const ucontext_t *context);
/* The handler of a worker's crashes. */
void intentd_crashed(int signal, siginfo_t *cause, void *context);
/* Returns true in the process that owns a worker's socket. */
bool intentd_is_worker(void);

#pragma clang assume_nonnull end
#endif
