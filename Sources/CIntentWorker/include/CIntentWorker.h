#ifndef CINTENTWORKER_H
#define CINTENTWORKER_H
/* What an app's process needs and Swift cannot say: the runtime's metadata sections, threads and signals.
 *
 * Prototypes only, and no _GNU_SOURCE here: a header that Swift sees must not change the C library's own. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h> /* ssize_t */

#pragma clang assume_nonnull begin

/* Calls found with the metadata of every type that is not generic and conforms to one of the protocols, in no order,
 * and with the protocol's place among them; a type that conforms in two images comes twice. The descriptors are those in
 * the metadata of `any P`. */
void intentd_each_conforming_type(const void *_Nonnull const *_Nonnull protocols, size_t protocol_count,
                                  void (*found)(size_t protocol, const void *metadata, void *context), void *context);

/* Calls found with the name and the descriptor of every protocol that refines the given one, in however many steps, and is
 * declared in another module than that of the name. */
void intentd_each_refining_protocol(const void *protocol, const char *own_module,
                                    void (*found)(const char *name, const void *descriptor, void *context),
                                    void *context);

/* Runs body on a new detached thread with default attributes, twice in a process at most; the number of errno(3), or 0. */
int intentd_start_thread(void (*body)(void *_Nullable context), void *_Nullable context);

/* Takes from this process what no worker needs, by a filter of system calls of its own: to make processes (programs, when
 * allowed, can be started), to change namespaces, and to signal others. Returns 0 or errno. */
int intentd_confine(int allows_subprocesses);

/* 1 when the calling thread is the only one of its process. */
int intentd_is_single_threaded(void);

/* The name of the calling thread, and with it of a process with one thread: at most 15 bytes and a NUL. */
void intentd_get_name(char name[_Nonnull 16]);
void intentd_set_name(const char *name);

/* Where a fork server finds the cgroups of its sandbox, as the launcher opened them for it (CIntentSandbox.h). */
enum { INTENTD_CGROUP_TREE = 5 };

/* A worker to fork. Descriptors belong to the caller. */
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

/* Puts this process's code onto huge pages, as far as it fills any, in private memory: what is forked from it then has
 * all of it at once, instead of finding it in the file, sixteen small pages at a time. Only for a process with one thread.
 * Returns how many bytes that took, at most the limit; 0 where the kernel has no huge pages to give. */
size_t intentd_enlarge_code_pages(size_t limit);

/* Lets go of the pages of variables that nobody wrote to; who reads them gets them from the file again. A fork copies an
 * entry for every page that is there, and each worker takes it down again. Only for a process with one thread. */
void intentd_drop_unchanged_data(void);

/* Starts a thread that allocates, and waits for its end: what it leaves with the C library, a stack and an arena of
 * malloc(3), serves the first thread of whatever is forked from here. Only for a process with one thread, which it is
 * again afterwards. */
void intentd_rehearse_thread(void);

/* What the main thread of a worker does: it serves the main queue, once something is there, and starts the thread that
 * listens, once that is of use. A run that is over before has done without: its own thread listens then.
 *
 * Prepares it, before the run's own thread starts; the number of errno(3), or 0. */
int intentd_prepare_attendance(void);
void intentd_attend(void) __attribute__((noreturn));

/* Said by the run's thread, once: from now on the process is called by that name, listen is what the other thread does,
 * and a record like the acknowledgement on the socket, of 64 bytes at most, ends the process if its run is over. */
void intentd_run_has_begun(const char *process_name, void (*listen)(void *_Nullable context), void *_Nullable context,
                           const uint8_t *acknowledgement, size_t acknowledgement_size);
/* Said by any thread: the listener has something to pass on. */
void intentd_run_has_news(void);
/* Said before the result is sent. */
void intentd_run_is_over(void);
/* Said by the run's thread when it has nothing to do: true when the run is over, and nobody listens yet. */
bool intentd_run_waits(void);
/* True once: it is the caller's to listen, or to have somebody listen. */
bool intentd_takes_attendance(void);
/* eventfd(2): readable when there is news. The listener clears it. */
int intentd_attendance_event(void);

/* Once before the first fork: what all workers have in common is done here, and not in each. Signals are handled as they
 * are at the start of a program, and HOME and TMPDIR are there to be written over. */
void intentd_prepare_to_fork(void);

/* Forks a worker whose parent is the caller's parent, and runs body in it on a new thread, while its main thread
 * attends. Only for a process with one thread.
 * Returns its number in the caller's namespace, or -1 with errno. */
int intentd_fork_worker(const struct intentd_fork_plan *plan, void (*body)(void *_Nullable), void *_Nullable context);

/* From here on a job of Swift's global executor goes to intentd_perform_jobs, when that has nothing to do, and to the
 * runtime's own threads otherwise: a run that needs no second thread never starts them. 0 where the runtime has no
 * such way. */
int intentd_take_jobs(void);
/* Performs them on the calling thread, and waits for them. Returns when the run is over, and it is the caller's to
 * listen. */
void intentd_perform_jobs(void);
/* Performs the one that was given already, on the calling thread; for where no thread waits. */
void intentd_perform_waiting_job(void);

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

/* Makes the memory at `place` the first case without payload of the enum that the metadata tells of. False, and nothing done,
 * when each of its cases has a payload, or it is no enum. The memory holds nothing yet. */
bool intentd_make_empty_case(void *place, const void *metadata);

/* An object of the class that the metadata tells of, with all that its classes declare being zero bytes; null without
 * memory. Nobody may let go of it: its class would take apart what is not there. */
void *_Nullable intentd_allocate_object(const void *class_metadata);

#pragma clang assume_nonnull end
#endif
