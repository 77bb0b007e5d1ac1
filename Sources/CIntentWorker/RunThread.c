#define _GNU_SOURCE
#include "CIntentWorker.h"

#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

/* Swift's ABI: a job goes to the global executor through this hook, where one is set (stdlib/public/Concurrency/
 * ConcurrencyHooks.cpp). Weak: a runtime without it performs every job on its own threads, which is slower. */
typedef void enqueue_global(void *job) __attribute__((swiftcall));
typedef void enqueue_global_hook(void *job, enqueue_global *original) __attribute__((swiftcall));
extern enqueue_global_hook *swift_task_enqueueGlobal_hook __attribute__((weak));

struct executor {
    void *identity;
    uintptr_t implementation;
};
void swift_job_run(void *job, struct executor executor) __attribute__((swiftcall));

/* What the run's thread does: it is at work, it waits, or this job was given to it. */
static char waiting;
static _Atomic(void *) given;
static sem_t is_given;

static void __attribute__((swiftcall)) give(void *job, enqueue_global *original) {
    void *expected = &waiting;
    if (atomic_compare_exchange_strong(&given, &expected, job))
        sem_post(&is_given);
    else
        original(job);
}

void intentd_take_jobs(void) {
    if (&swift_task_enqueueGlobal_hook == NULL || sem_init(&is_given, 0, 0)) return;
    atomic_store(&given, &waiting);
    swift_task_enqueueGlobal_hook = give;
}

void intentd_perform_jobs(void) {
    /* The generic executor: nothing but a thread. */
    static const struct executor any = {NULL, 0};
    for (;;) {
        /* Interrupted by a signal's handler, or given. */
        while (sem_wait(&is_given))
            ;
        swift_job_run(atomic_exchange(&given, NULL), any);
        atomic_store(&given, &waiting);
    }
}
