#define _GNU_SOURCE
#include "CIntentWorker.h"
#include "MainActor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* A function of libdispatch, which every app links. It is intended for other run loops, and returns a descriptor that
 * is readable when the main queue has work. */
int _dispatch_get_main_queue_handle_4CF(void) __attribute__((weak));

enum {
    SOCKET = 3,
    /* A run that ends within this time and never waits does not wake the main thread. */
    ATTENDED_AFTER_NANOSECONDS = 1000000,
    /* The time after which the main thread starts the listener even if there is nothing to report, because the app
     * may reach its thread limit later. */
    LISTENER_AFTER_MILLISECONDS = 20,
    /* The delay before another attempt to start the listener when the thread limit is reached. */
    NEXT_TRY_MILLISECONDS = 10,
};

static int event = -1, timer = -1;
/* The members are written before has_begun is set, and only read afterwards. */
static struct {
    char process_name[16];
    uint8_t acknowledgement[64];
    size_t acknowledgement_size;
    void (*listen)(void *);
    void *context;
} run;
static atomic_bool has_begun, has_events, is_over;
/* Set by the thread that becomes or starts the listener: the main thread or, after the run, the run's thread. */
static atomic_bool is_attended;

int intentd_prepare_attendance(void) {
    event = intentd_event_create();
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    return event < 0 || timer < 0 ? errno : intentd_prepare_main_actor();
}

bool intentd_claim_attendance(void) { return !atomic_exchange(&is_attended, true); }

int intentd_attendance_event(void) { return event; }

void intentd_run_has_begun(const char *process_name, void (*listen)(void *), void *context,
                           const uint8_t *acknowledgement, size_t acknowledgement_size) {
    snprintf(run.process_name, sizeof run.process_name, "%s", process_name);
    if (acknowledgement_size <= sizeof run.acknowledgement) {
        memcpy(run.acknowledgement, acknowledgement, acknowledgement_size);
        run.acknowledgement_size = acknowledgement_size;
    }
    run.listen = listen;
    run.context = context;
    atomic_store(&has_begun, true);
    struct itimerspec span = {.it_value.tv_nsec = ATTENDED_AFTER_NANOSECONDS};
    /* If the run already has something to report, the event is signalled, and the timer has no effect. */
    timerfd_settime(timer, 0, &span, NULL);
}

bool intentd_run_waits(void) {
    if (atomic_load(&is_attended)) return false;
    if (atomic_load(&is_over)) return true;
    intentd_event_signal(event);
    return false;
}

void intentd_run_has_events(void) {
    atomic_store(&has_events, true);
    intentd_event_signal(event);
}

void intentd_run_is_over(void) { atomic_store(&is_over, true); }

/* ps(1) shows the name of the main thread. */
static void name_process(void) {
    if (gettid() == getpid()) {
        intentd_set_name(run.process_name);
        return;
    }
    /* The name is only for display, so ignore a failure. */
    int file = open("/proc/self/comm", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    (void)!write(file, run.process_name, strlen(run.process_name));
    close(file);
}

/* Waits until the run begins. The listener starts before the run if the main queue has work. */
static void await_begin(void) {
    struct pollfd sources[] = {{event, POLLIN, 0}, {timer, POLLIN, 0}};
    while (!atomic_load(&has_begun))
        if (poll(sources, 2, -1) > 0) intentd_event_clear(event);
}

static void listen_from_begin_on(void *is_named) {
    await_begin();
    if (!is_named) name_process();
    run.listen(run.context);
}

/* Receives the acknowledgement. Leaves any other record in the socket for the listener. */
static bool takes_acknowledgement(void) {
    uint8_t record[sizeof run.acknowledgement];
    ssize_t size = recv(SOCKET, record, sizeof record, MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);
    return size > 0 && (size_t)size == run.acknowledgement_size && !memcmp(record, run.acknowledgement, (size_t)size) &&
           /* Receive the record, because closing the socket with unread data would give the peer ECONNRESET. */
           recv(SOCKET, record, sizeof record, MSG_DONTWAIT) == size;
}

static void leave_if_acknowledged(void) {
    if (!atomic_load(&is_over) || !takes_acknowledgement()) return;
    intentd_flush_output();
    _exit(0);
}

static void start_listener(bool is_named) {
    /* Work on the main queue waits until the listener has started. */
    while (intentd_start_thread(listen_from_begin_on, is_named ? &run : NULL)) {
        poll(NULL, 0, NEXT_TRY_MILLISECONDS);
        /* Exit if the run was acknowledged in the meantime. The run may end before the app releases a thread for the
         * listener. */
        leave_if_acknowledged();
    }
}

void intentd_attend(void) {
    int queue = _dispatch_get_main_queue_handle_4CF ? _dispatch_get_main_queue_handle_4CF() : -1;
    bool is_attending = false, has_listener = false;
    /* Serve the queue only once it has work. dispatch_main ends this thread, which loads the unwinder, and libdispatch
     * starts two threads. Together they take as long as the rest of a short run. A run that uses the main actor only to
     * create the app puts no work into the queue, because the run's thread creates the app
     * (intentd_perform_on_main_actor). */
    while (queue >= 0) {
        struct pollfd sources[] = {
            {queue, POLLIN, 0},
            {has_listener ? -1 : event, POLLIN, 0},
            {is_attending ? -1 : timer, POLLIN, 0},
            {is_attending && !has_listener ? SOCKET : -1, POLLIN, 0},
        };
        int limit = is_attending && !has_listener ? LISTENER_AFTER_MILLISECONDS : -1;
        int count = poll(sources, sizeof sources / sizeof *sources, limit);
        if (count < 0 && errno == EINTR) continue;
        /* The queue has work, or poll(2) failed. */
        if (count < 0 || sources[0].revents) break;
        if (!is_attending) {
            intentd_event_clear(event);
            if (!atomic_load(&has_begun)) continue;
            is_attending = true;
            has_listener = !intentd_claim_attendance();
            if (has_listener) continue;
            name_process();
            if (!atomic_load(&has_events)) continue;
        } else if (sources[3].revents) {
            leave_if_acknowledged();
        }
        /* The run has something to report, a command has arrived, or LISTENER_AFTER_MILLISECONDS have passed. */
        start_listener(true);
        has_listener = true;
    }
    if (!has_listener && (is_attending || intentd_claim_attendance())) start_listener(is_attending);
    intentd_serve_main_queue();
}
