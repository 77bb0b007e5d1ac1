#ifndef MAINACTOR_H
#define MAINACTOR_H
/* The main actor of a worker. Its code is executed by libdispatch once the main queue has work. Until then, the run's
 * thread may execute a function as the main actor (intentd_perform_on_main_actor).
 *
 * The main thread of a forked worker must execute no Swift code. The runtime and libdispatch cache the id of a thread
 * when they first need it, so that thread would claim locks with the id of the fork server (see ForkServer.c). */

/* Called before the first thread starts. Returns 0 or an error number. */
int intentd_prepare_main_actor(void);

/* Waits until the run's thread has left the main actor, then lets libdispatch serve the main queue. Called on the main
 * thread, which ends. */
void intentd_serve_main_queue(void) __attribute__((noreturn));

#endif
