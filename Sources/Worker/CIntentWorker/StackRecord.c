/* Reads stacks, and writes them as JSON with addresses relative to files, in functions that are safe in a signal handler. The
 * unwinder is safe since glibc 2.35 and GCC 12, in which it finds its tables without a lock (_dl_find_object(3)). */
#define _GNU_SOURCE
#include "StackRecord.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

sigjmp_buf intentd_recovery;
_Atomic(pid_t) intentd_unwinding;

/* MARK: Text */

void intentd_put(struct report *report, char byte) {
    if (report->length < RECORD_SIZE) report->record[report->length++] = byte;
}

void intentd_put_text(struct report *report, const char *text) {
    while (*text) intentd_put(report, *text++);
}

/* Appends a JSON string. Each character that JSON would escape, and each byte outside ASCII, becomes '?'. */
void intentd_put_string(struct report *report, const char *text, size_t limit) {
    intentd_put(report, '"');
    for (size_t i = 0; i < limit && text[i]; i++)
        intentd_put(report, text[i] < 0x20 || text[i] > 0x7e || text[i] == '"' || text[i] == '\\' ? '?' : text[i]);
    intentd_put(report, '"');
}

void intentd_put_number(struct report *report, long number) {
    char digits[24];
    size_t count = 0;
    unsigned long rest = number < 0 ? 0ul - (unsigned long)number : (unsigned long)number;
    do digits[count++] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (number < 0) intentd_put(report, '-');
    while (count) intentd_put(report, digits[--count]);
}

static void intentd_put_digit(struct report *report, unsigned value) { intentd_put(report, "0123456789abcdef"[value & 15]); }

void intentd_put_address(struct report *report, uintptr_t address) {
    intentd_put_text(report, "\"0x");
    int shift = 60;
    while (shift > 0 && !(address >> shift)) shift -= 4;
    for (; shift >= 0; shift -= 4) intentd_put_digit(report, (unsigned)(address >> shift));
    intentd_put(report, '"');
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
void intentd_read_stack(struct stack *stack, const ucontext_t *context) {
    stack->innermost = program_counter(context);
    /* Return here if the unwinder crashes, for example on a damaged stack. */
    if (sigsetjmp(intentd_recovery, 0) == 0) {
        atomic_store(&intentd_unwinding, gettid());
        _Unwind_Backtrace(unwound, stack);
    } else {
        stack->frame_count = 0;
    }
    atomic_store(&intentd_unwinding, 0);
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
                intentd_put_text(report, ",\"buildID\":\"");
                for (size_t byte = 0; byte < kind->n_descsz; byte++) {
                    intentd_put_digit(report, id[byte] >> 4);
                    intentd_put_digit(report, id[byte]);
                }
                intentd_put(report, '"');
                return;
            }
            note = id + ((kind->n_descsz + 3u) & ~3u);
        }
    }
}

/* MARK: The report */

void intentd_put_frames(struct report *report, const struct stack *stack, size_t limit) {
    intentd_put_text(report, "\"frames\":[");
    for (size_t i = 0; i < stack->frame_count && i < limit; i++) {
        if (i) intentd_put(report, ',');
        int image = image_of(report, stack->frames[i]);
        if (image < 0) {
            intentd_put_text(report, "{}");
            continue;
        }
        intentd_put_text(report, "{\"address\":");
        intentd_put_address(report, stack->frames[i] - report->images[image].map->l_addr);
        intentd_put_text(report, ",\"image\":");
        intentd_put_number(report, image);
        intentd_put(report, '}');
    }
    intentd_put(report, ']');
}

/* Appends the images that the frames so far refer to. */
void intentd_put_images(struct report *report) {
    intentd_put_text(report, ",\"images\":[");
    for (size_t i = 0; i < report->image_count; i++) {
        const struct image *image = &report->images[i];
        if (i) intentd_put(report, ',');
        intentd_put_text(report, "{\"path\":");
        intentd_put_string(report, image->map->l_name ? image->map->l_name : "", PATH_BYTES_MAX);
        put_build_id(report, image);
        intentd_put(report, '}');
    }
    intentd_put(report, ']');
}

/* Leaves room for the frame's length, which is stored last. */
void intentd_begin_report(struct report *report, const char *text) {
    report->length = 4;
    intentd_put_text(report, text);
}

/* Sends nothing if the report was too large or the socket has no room. */
void intentd_send_report(struct report *report, const char *end) {
    intentd_put_text(report, end);
    if (report->length == RECORD_SIZE) return;
    size_t payload = report->length - 4;
    for (int i = 0; i < 4; i++) report->record[i] = (char)(payload >> (24 - 8 * i));
    (void)send(3, report->record, report->length, MSG_DONTWAIT | MSG_NOSIGNAL);
}
