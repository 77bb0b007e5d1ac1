#define _GNU_SOURCE
#include "Calls.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { QUESTIONS_MAX = 4096, TURNS_MAX = 256 };

/* The calls that have been received but not answered yet, oldest first. While the array is full, additional calls wait
 * in the kernel. */
static struct question {
    struct seccomp_notif asked;
    long run;
    int has_run;
} questions[QUESTIONS_MAX];
static size_t question_count;

/* The number of each run's latest answer. Answers are numbered consecutively across all runs. A run without an entry
 * has not received an answer recently. */
static struct {
    long run;
    uint64_t turn;
} turns[TURNS_MAX];
static uint64_t last_turn;

static uint64_t turn_of(long run) {
    for (size_t i = 0; i < TURNS_MAX; i++)
        if (turns[i].turn && turns[i].run == run) return turns[i].turn;
    return 0;
}

static void note_turn(long run) {
    size_t entry = 0;
    for (size_t i = 0; i < TURNS_MAX; i++) {
        if (turns[i].turn && turns[i].run == run) {
            entry = i;
            break;
        }
        if (turns[i].turn < turns[entry].turn) entry = i;
    }
    turns[entry].run = run;
    turns[entry].turn = ++last_turn;
}

/* Receives the calls waiting on the listener. Returns -1 if the listener no longer works. */
static int receive_questions(int listener) {
    /* The kernel's structure may be larger than the structure in the header (seccomp_unotify(2)). */
    static union {
        struct seccomp_notif asked;
        char room[1024];
    } received;
    /* Poll first, because SECCOMP_IOCTL_NOTIF_RECV blocks while no call is waiting. */
    struct pollfd waiting = {listener, POLLIN, 0};
    while (question_count < QUESTIONS_MAX && poll(&waiting, 1, 0) == 1 && waiting.revents & POLLIN) {
        memset(&received, 0, sizeof received);
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &received.asked)) {
            /* Continue if the task exited between poll(2) and this call. */
            if (errno == ENOENT || errno == EINTR) continue;
            return -1;
        }
        questions[question_count++] = (struct question){.asked = received.asked};
    }
    return 0;
}

/* Returns the index of the next call to answer: the oldest call from the least recently answered run. */
static size_t next_question(const struct intentd_metadata *metadata) {
    size_t next = 0;
    uint64_t oldest = UINT64_MAX;
    if (question_count == 1) return 0;
    for (size_t i = 0; i < question_count && oldest; i++) {
        struct question *question = &questions[i];
        if (!question->has_run) {
            pid_t task = (pid_t)question->asked.pid;
            /* Without cgroups, identify a run by its session, which its worker leads. */
            question->run = metadata->has_leaves ? intentd_run_of_task(task) : getsid(task);
            question->has_run = 1;
        }
        uint64_t turn = turn_of(question->run);
        if (turn >= oldest) continue;
        oldest = turn;
        next = i;
    }
    note_turn(questions[next].run);
    return next;
}

int intentd_init_answer(int listener, const struct intentd_metadata *metadata) {
    if (receive_questions(listener)) return -1;
    if (question_count == 0) return 0;
    size_t next = next_question(metadata);
    struct seccomp_notif asked = questions[next].asked;
    question_count--;
    memmove(&questions[next], &questions[next + 1], (question_count - next) * sizeof *questions);
    /* Skip a call if its task exited while the call was waiting. */
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &asked.id)) return question_count > 0;
    static union {
        struct seccomp_notif_resp answer;
        char room[1024];
    } reply;
    int result = intentd_perform_call(listener, &asked, metadata);
    memset(&reply, 0, sizeof reply);
    reply.answer.id = asked.id;
    reply.answer.error = result ? -errno : 0;
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply.answer) && errno != ENOENT) return -1;
    return question_count > 0;
}
