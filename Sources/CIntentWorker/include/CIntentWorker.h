#ifndef CINTENTWORKER_H
#define CINTENTWORKER_H
/* Facilities of an app's process that Swift cannot express: the runtime's metadata sections, threads and signals.
 *
 * Prototypes only, and no _GNU_SOURCE: a header that Swift imports must not change the C library's headers. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h> /* ssize_t */

#pragma clang assume_nonnull begin

/* Calls found with the metadata of every type that is not generic and conforms to one of the protocols, in no order,
 * and with the index of that protocol. A type that conforms in two images is passed twice. The descriptors are those
 * in the metadata of `any P`. */
void intentd_each_conforming_type(const void *_Nonnull const *_Nonnull protocols, size_t protocol_count,
                                  void (*found)(size_t protocol, const void *metadata, void *context), void *context);

/* Calls found with the name and the descriptor of every protocol that refines the given one, in any number of steps,
 * and is declared in another module than the named one. */
void intentd_each_refining_protocol(const void *protocol, const char *own_module,
                                    void (*found)(const char *name, const void *descriptor, void *context),
                                    void *context);

/* Runs body on a new detached thread with default attributes. Call it at most twice in a process. Returns
 * an error number, or 0. */
int intentd_start_thread(void (*body)(void *_Nullable context), void *_Nullable context);

/* Removes permissions that no worker needs from this process with a system call filter: creating processes (unless
 * programs may be started), changing namespaces, and signalling other processes. Returns 0 or errno. */
int intentd_confine(int allows_subprocesses);

/* 1 if the calling thread is the only one in its process. */
int intentd_is_single_threaded(void);

/* Sets the name of the calling thread, which for a single-threaded process is the process's name: at most 15 bytes
 * and a NUL. */
void intentd_get_name(char name[_Nonnull 16]);
void intentd_set_name(const char *name);

/* The cgroups of a fork server's sandbox, as descriptors that the launcher has opened (CIntentSandbox.h). */
enum { INTENTD_CGROUP_TREE = 5 };

/* A worker to fork. The caller owns the descriptors. */
struct intentd_fork_plan {
    int socket; /* becomes 3; its first record is the name of the worker's own directory below /runs */
    int output; /* becomes 1 */
    int error; /* becomes 2 */
    bool has_leaf; /* to be born in a cgroup of its own: the directory run-LEAF below the descriptor INTENTD_CGROUP_TREE */
    uint64_t leaf;
    const int *shared_folders; /* open with O_PATH: what is below them stays within reach */
    size_t shared_folder_count;
    uint64_t file_access; /* Landlock: handled by its own layer; all of them allowed below the folders */
    uint64_t scopes;
    uint64_t open_file_count; /* RLIMIT_NOFILE */
    int allows_subprocesses;
    const void *report; /* the worker's first word to the launcher, on descriptor 3 of the caller's: who sent it, the kernel tells */
    size_t report_size;
};

/* Moves the code of this process into private huge pages as far as it fills whole ones. Processes that are forked
 * later have all of this code mapped from the start, instead of mapping the file sixteen small pages at a time. Call
 * it only in a single-threaded process. Returns the number of bytes moved, at most the limit; 0 if the kernel has no
 * huge pages. */
size_t intentd_enlarge_code_pages(size_t limit);

/* Drops pages of variables that were never written; reading them loads them from the file again. A fork copies a
 * page table entry for every page in memory, and each worker removes it again. Call it only in a single-threaded
 * process. */
void intentd_drop_unchanged_data(void);

/* Starts a thread that allocates memory, and waits for its end. The C library keeps the thread's stack and its
 * malloc(3) arena, which the first thread of each process forked later uses. Call it only in a single-threaded
 * process; the process is single-threaded again afterwards. */
void intentd_rehearse_thread(void);

/* The main thread of a worker serves the main queue once the queue has work, and starts the listening thread once
 * there is something to report. A run that ends before needs neither: its own thread then listens.
 *
 * Prepares the main thread before the run's thread starts. Returns an error number, or 0. */
int intentd_prepare_attendance(void);
void intentd_attend(void) __attribute__((noreturn));

/* Called once, on the run's thread. From now on the process has that name, and the second thread runs listen. A
 * record on the socket that equals the acknowledgement, of at most 64 bytes, ends the process if its run has ended. */
void intentd_run_has_begun(const char *process_name, void (*listen)(void *_Nullable context), void *_Nullable context,
                           const uint8_t *acknowledgement, size_t acknowledgement_size);
/* Called on any thread when the listener has something to send. */
void intentd_run_has_news(void);
/* Called before the result is sent. */
void intentd_run_is_over(void);
/* Called on the run's thread when it has nothing to do. True if the run has ended and no thread listens yet. */
bool intentd_run_waits(void);
/* True for only one caller, which must listen or start the listener. */
bool intentd_takes_attendance(void);
/* An eventfd(2) that is readable when there is something to report. The listener clears it. */
int intentd_attendance_event(void);

/* Called once before the first fork: does the work that all workers have in common. Signal handling is as at the
 * start of a program, and HOME and TMPDIR exist, so that workers can overwrite them. */
void intentd_prepare_to_fork(void);

/* Forks a worker as a sibling, with the caller's parent as its parent. In the worker, body runs on a new thread
 * while the main thread attends. Call it only in a single-threaded process. Returns the worker's process id in the
 * caller's namespace, or -1 with errno. */
int intentd_fork_worker(const struct intentd_fork_plan *plan, void (*body)(void *_Nullable), void *_Nullable context);

/* From now on, jobs of Swift's global executor go to intentd_perform_jobs when it is idle, and to the runtime's own
 * threads otherwise: a run that needs no second thread never starts these. Returns 0 if the runtime does not support
 * this. */
int intentd_take_jobs(void);
/* Performs jobs on the calling thread, and waits for more. Returns when the run has ended and the caller must become
 * the listener. */
void intentd_perform_jobs(void);
/* Performs the job that was already received, on the calling thread. For use when no thread waits. */
void intentd_perform_waiting_job(void);

/* eventfd(2), non-blocking and close-on-exec. */
int intentd_event_create(void);
void intentd_event_signal(int event);
void intentd_event_clear(int event);

/* The first SIGINT signals the event; the second ends the process at once with 130. */
int intentd_interrupts_signal(int event);

/* Makes a piped stdout line-buffered. Call it before anything is written. */
void intentd_buffer_lines(void);
void intentd_flush_output(void);

/* Copies all bytes from a descriptor's offset on to another descriptor, inside the kernel if possible. */
int64_t intentd_copy(int from, int to);

/* Turns the memory at `address`, which must not contain a value, into the first case without payload of the
 * enumeration with this metadata. Returns false and does nothing if every case has a payload, or if the type is not
 * an enumeration. */
bool intentd_make_empty_case(void *address, const void *metadata);

/* Allocates an object of the class with this metadata, with all declared fields zero; null without memory. It must
 * never be released: its class would destroy fields that have no values. */
void *_Nullable intentd_allocate_object(const void *class_metadata);

#pragma clang assume_nonnull end
#endif
