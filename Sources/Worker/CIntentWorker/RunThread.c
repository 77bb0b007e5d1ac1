#define _GNU_SOURCE
#include "CIntentWorker.h"
#include "SwiftJobs.h"

#include <semaphore.h>
#include <stdatomic.h>

/* The Swift runtime calls this hook, if it is set, with every job for the global executor
 * (stdlib/public/Concurrency/ConcurrencyHooks.cpp). The reference is weak. A runtime without the hook performs
 * every job on its own threads, which is slower. */
typedef void enqueue_global(void *job) __attribute__((swiftcall));
typedef void enqueue_global_hook(void *job, enqueue_global *original) __attribute__((swiftcall));
extern enqueue_global_hook *swift_task_enqueueGlobal_hook __attribute__((weak));

/* The state of the run's thread: null while it performs a job, &waiting while it waits for a job, otherwise the next
 * job. */
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

int intentd_take_jobs(void) {
    if (&swift_task_enqueueGlobal_hook == NULL) return 0;
    if (swift_task_enqueueGlobal_hook == give) return 1;
    if (sem_init(&is_given, 0, 0)) return 0;
    atomic_store(&given, &waiting);
    swift_task_enqueueGlobal_hook = give;
    return 1;
}

static void intentd_perform_job(void) {
    /* The runtime's generic executor, which has no identity. */
    static const struct executor any = {NULL, 0};
    swift_job_run(atomic_exchange(&given, NULL), any);
    atomic_store(&given, &waiting);
}

void intentd_perform_waiting_job(void) {
    if (sem_trywait(&is_given) == 0) intentd_perform_job();
}

/* Diverts all later jobs to the runtime's own threads. Returns false, and changes nothing, if a job has arrived. */
static bool divert_later_jobs(void) {
    void *expected = &waiting;
    return atomic_compare_exchange_strong(&given, &expected, NULL);
}

/* Returns true if the run has ended and this thread must become the listener. Jobs that arrived earlier are
 * performed first. If a job never returns, another thread becomes the listener. */
static bool is_to_listen(void) {
    if (!intentd_run_waits() || !divert_later_jobs()) return false;
    if (intentd_claim_attendance()) return true;
    atomic_store(&given, &waiting);
    return false;
}

void intentd_perform_jobs(void) {
    while (true) {
        /* Check for a job before each decision, because sem_wait(3) also returns if a signal handler interrupts it. */
        while (sem_trywait(&is_given) == 0) intentd_perform_job();
        if (is_to_listen()) return;
        if (sem_wait(&is_given) == 0) intentd_perform_job();
    }
}
