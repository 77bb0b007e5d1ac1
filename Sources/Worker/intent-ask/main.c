/* intent-ask(1) and intent-progress(1). A program that an intent runs uses them to ask a question or to report
 * progress. Both names refer to one program, which uses only the C library. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* The exit statuses other than 0. */
enum { DECLINED = 1, USAGE = 64, UNAVAILABLE = 69, UNANSWERED = 75 };

/* The maximum size of a request, which intentd-command enforces, and the maximum size of an answer. */
enum { LONGEST_REQUEST = 4 << 10, LONGEST_ANSWER = 256 << 10 };

static const char *program;

static void __attribute__((noreturn, format(printf, 2, 3))) fail(int status, const char *format, ...) {
    fprintf(stderr, "%s: ", program);
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    __builtin_va_end(arguments);
    fputc('\n', stderr);
    exit(status);
}

/* Opens a datagram socket, and stores the address of the run's socket. The variable contains the socket's path. */
static int open_socket(const char *variable, struct sockaddr_un *address, const char *hint) {
    const char *path = getenv(variable);
    if (!path || !*path) fail(UNAVAILABLE, "%s is not set: %s", variable, hint);
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address->sun_path) fail(UNAVAILABLE, "the socket path in %s is too long", variable);
    strcpy(address->sun_path, path);
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) fail(UNAVAILABLE, "socket failed: %s", strerror(errno));
    return descriptor;
}

/* Sends a datagram, and passes a descriptor with it unless `passed` is -1. Waits while the socket is full. */
static void send_datagram(int descriptor, const struct sockaddr_un *address, const void *bytes, size_t count, int passed) {
    struct iovec part = {(void *)bytes, count};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_name = (void *)address,
        .msg_namelen = sizeof *address,
        .msg_iov = &part,
        .msg_iovlen = 1,
    };
    if (passed >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(&control.header), &passed, sizeof passed);
    }
    while (sendmsg(descriptor, &message, MSG_NOSIGNAL) < 0)
        if (errno != EINTR) fail(UNAVAILABLE, "cannot reach the run: %s", strerror(errno));
}

/* MARK: intent-progress */

static void __attribute__((noreturn)) progress_usage(void) {
    fputs("usage: intent-progress DONE/TOTAL|PERCENT% [TEXT]\n       intent-progress --status TEXT\n", stderr);
    exit(USAGE);
}

static int report_progress(int count, char **words) {
    const char *progress = NULL, *status = NULL;
    if (count == 3 && !strcmp(words[1], "--status")) {
        status = words[2];
    } else if (count == 2 || count == 3) {
        progress = words[1];
        if (count == 3) status = words[2];
        if (!*progress || strspn(progress, "0123456789./% ") != strlen(progress)) progress_usage();
    } else {
        progress_usage();
    }
    struct sockaddr_un address;
    int descriptor = open_socket("NOTIFY_SOCKET", &address, "the intent needs Progress=notify");
    static char text[LONGEST_REQUEST];
    int length = snprintf(text, sizeof text, "%s%s%s%s%s", progress ? "X_PROGRESS=" : "", progress ? progress : "",
                          progress && status ? "\n" : "", status ? "STATUS=" : "", status ? status : "");
    if (length >= (int)sizeof text) fail(USAGE, "the text is too long");
    /* Replace line ends, because a line end would start another assignment. */
    for (char *byte = strstr(text, "STATUS="); byte && *byte; byte++)
        if (*byte == '\n') *byte = ' ';
    send_datagram(descriptor, &address, text, (size_t)length, -1);
    return 0;
}

/* MARK: intent-ask */

static void __attribute__((noreturn)) ask_usage(void) {
    fputs("usage: intent-ask [--type text|integer|number|date] [--default VALUE] QUESTION\n"
          "       intent-ask --choice A,B,... [--default A] QUESTION\n"
          "       intent-ask --confirm QUESTION\n"
          "Prints the answer. Exits with 1 if the user declines, and with 75 if no client answers.\n",
          stderr);
    exit(USAGE);
}

struct request {
    char bytes[LONGEST_REQUEST];
    size_t count;
};

static void append(struct request *request, const char *text, size_t length) {
    if (request->count + length + 1 > sizeof request->bytes) fail(USAGE, "the question is too long");
    memcpy(request->bytes + request->count, text, length);
    request->count += length;
    request->bytes[request->count++] = 0;
}

static int ask(int count, char **words) {
    const char *kind = "text", *value = "", *choices = NULL, *question = NULL;
    for (int i = 1; i < count; i++) {
        const char *word = words[i];
        int has_value = i + 1 < count;
        if (!strcmp(word, "--type") && has_value) {
            kind = words[++i];
        } else if (!strcmp(word, "--default") && has_value) {
            value = words[++i];
        } else if (!strcmp(word, "--choice") && has_value) {
            kind = "choice";
            choices = words[++i];
        } else if (!strcmp(word, "--confirm")) {
            kind = "confirm";
        } else if (!strcmp(word, "--") && i + 2 == count) {
            question = words[++i];
        } else if (word[0] == '-' || question) {
            ask_usage();
        } else {
            question = word;
        }
    }
    if (!question || !*question) ask_usage();

    static struct request request;
    /* The first byte distinguishes a question from an sd_notify(3) datagram. */
    append(&request, "", 0);
    append(&request, kind, strlen(kind));
    append(&request, value, strlen(value));
    append(&request, question, strlen(question));
    for (const char *start = choices; start;) {
        const char *end = strchrnul(start, ',');
        append(&request, start, (size_t)(end - start));
        start = *end ? end + 1 : NULL;
    }
    struct sockaddr_un address;
    int descriptor = open_socket("INTENT_SOCKET", &address, "run the program as an intent");
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        fail(UNAVAILABLE, "socketpair failed: %s", strerror(errno));
    send_datagram(descriptor, &address, request.bytes, request.count, ends[1]);
    close(ends[1]);

    static char answer[LONGEST_ANSWER];
    ssize_t length;
    while ((length = recv(ends[0], answer, sizeof answer - 1, 0)) < 0)
        if (errno != EINTR) fail(UNAVAILABLE, "cannot receive the answer: %s", strerror(errno));
    if (length == 0) return UNANSWERED;
    switch (answer[0]) {
    case 'A':
        answer[length] = '\n';
        fwrite(answer + 1, 1, (size_t)length, stdout);
        return fflush(stdout) ? UNAVAILABLE : 0;
    case 'D': return DECLINED;
    case 'R': answer[length] = 0; fail(USAGE, "%s", answer + 1);
    default: return UNANSWERED;
    }
}

int main(int count, char **words) {
    const char *slash = count > 0 ? strrchr(words[0], '/') : NULL;
    program = slash ? slash + 1 : count > 0 ? words[0] : "intent-ask";
    return !strcmp(program, "intent-progress") ? report_progress(count, words) : ask(count, words);
}
