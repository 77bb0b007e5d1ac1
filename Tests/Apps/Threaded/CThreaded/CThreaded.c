#include "CThreaded.h"

#include <pthread.h>
#include <unistd.h>

static void *wait_for_ever(void *nothing) {
    for (;;) pause();
    return nothing;
}

__attribute__((constructor)) static void start(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_ever, NULL);
}

int threaded_is_linked(void) { return 1; }
