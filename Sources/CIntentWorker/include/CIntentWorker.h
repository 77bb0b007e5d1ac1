#ifndef CINTENTWORKER_H
#define CINTENTWORKER_H
/* What an app's process needs and Swift cannot say: the runtime's metadata sections, threads and signals.
 *
 * Prototypes only, and no _GNU_SOURCE here: a header that Swift sees must not change the C library's own. */
#include <stdint.h>
#include <sys/types.h> /* ssize_t */

#pragma clang assume_nonnull begin

/* Calls found with the metadata of every type that is not generic and conforms to the protocol, in no order; a type
 * that conforms in two images comes twice. The descriptor is the one in the metadata of `any P`. */
void intentd_each_conforming_type(const void *protocol, void (*found)(const void *metadata, void *context),
                                  void *context);

/* Runs body on a new detached thread with default attributes; the number of errno(3), or 0. */
int intentd_start_thread(void (*body)(void *context), void *context);

/* eventfd(2), non-blocking and close-on-exec. */
int intentd_event_create(void);
void intentd_event_signal(int event);
void intentd_event_clear(int event);

/* The first SIGINT signals the event; the next ends the process at once with 130. */
int intentd_interrupts_signal(int event);

/* Whole lines leave a piped stdout at once. Before anything was written. */
void intentd_buffer_lines(void);
void intentd_flush_output(void);

/* All bytes from one descriptor's offset on to another, without reading them into memory where the kernel can. */
int64_t intentd_copy(int from, int to);

#pragma clang assume_nonnull end
#endif
