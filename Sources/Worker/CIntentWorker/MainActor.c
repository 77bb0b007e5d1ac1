#define _GNU_SOURCE
#include "CIntentWorker.h"
#include "MainActor.h"
#include "SwiftJobs.h"

#include <errno.h>
#include <semaphore.h>

/* A function of libdispatch, which every app links. It serves the main queue and never returns. */
void dispatch_main(void) __attribute__((noreturn));

/* Held by the thread that executes code of the main actor. Its initial value of 0 allows no thread to do so. */
static sem_t main_actor;

int intentd_prepare_main_actor(void) { return sem_init(&main_actor, 0, 1) ? errno : 0; }

struct call {
    struct job job;
    void (*body)(void *);
    void *context;
};

static void __attribute__((swiftasynccall)) perform_call(struct job *job) {
    const struct call *call = (const struct call *)job;
    call->body(call->context);
}

bool intentd_perform_on_main_actor(void (*body)(void *), void *context) {
    if (sem_trywait(&main_actor)) return false;
    struct call call = {{.flags = NULLARY_CONTINUATION, .run = perform_call}, body, context};
    swift_job_run(&call.job, swift_task_getMainExecutor());
    sem_post(&main_actor);
    return true;
}

void intentd_serve_main_queue(void) {
    while (sem_wait(&main_actor) && errno == EINTR) continue;
    dispatch_main();
}
