#ifndef SWIFTJOBS_H
#define SWIFTJOBS_H
/* The Swift runtime's jobs and executors (include/swift/ABI/Task.h and Executor.h). */
#include <stddef.h>
#include <stdint.h>

struct executor {
    void *identity;
    uintptr_t implementation;
};

/* Performs a job on the calling thread. While it does so, the calling thread is isolated to the executor's actor. */
void swift_job_run(void *job, struct executor executor) __attribute__((swiftcall));
struct executor swift_task_getMainExecutor(void) __attribute__((swiftcall));

/* The kind of a job that is not a task. The runtime calls `run`, and does not retain the job. */
enum { NULLARY_CONTINUATION = 195 };

struct job {
    void *object[2];
    void *scheduler_private[2];
    uint32_t flags; /* the lowest byte contains the kind */
    uint32_t id;
    void *voucher;
    void *reserved;
    void (*run)(struct job *job) __attribute__((swiftasynccall));
} __attribute__((aligned(2 * sizeof(void *))));

#endif
