#ifndef CINTENTWORKER_H
#define CINTENTWORKER_H
/* Parts of an app's process that cannot be written in Swift: access to the runtime's metadata, threads, signals, and
 * the fork of workers.
 *
 * This header contains only prototypes and does not define _GNU_SOURCE, because a header that Swift imports must not
 * change the C library's headers. */
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h> /* ssize_t */

#pragma clang assume_nonnull begin

/* Calls `found` for each conformance of a non-generic type to one of the protocols, with the index of the protocol and
 * the metadata of the type, in unspecified order. If two images declare the conformance, `found` is called twice.
 * `protocols` are protocol descriptors, as in the metadata of `any P`. */
void intentd_each_conforming_type(const void *_Nonnull const *_Nonnull protocols, size_t protocol_count,
                                  void (*found)(size_t protocol, const void *metadata, void *context), void *context);

/* Calls `found` with the name and the descriptor of each protocol that refines `protocol`, directly or indirectly, and
 * is not declared in `own_module`. */
void intentd_each_refining_protocol(const void *protocol, const char *own_module,
                                    void (*found)(const char *name, const void *descriptor, void *context),
                                    void *context);

/* Calls `body` on a new detached thread with default attributes. May be called at most twice in a process. Returns 0 or
 * an error number. */
int intentd_start_thread(void (*body)(void *_Nullable context), void *_Nullable context);

/* Loads a system call filter into this process. The filter forbids changing namespaces and, unless subprocesses are
 * allowed, creating processes and signalling other processes. Returns 0 or an error number. */
int intentd_confine(int allows_subprocesses);

/* Returns 1 if the calling thread is the only thread of the process. */
int intentd_is_single_threaded(void);

/* Gets or sets the name of the calling thread, at most 15 bytes and a NUL. The name of the main thread is the name of
 * the process. */
void intentd_get_name(char name[_Nonnull 16]);
void intentd_set_name(const char *name);

/* The descriptor for the root of the sandbox's cgroups, which the launcher passes to fork servers
 * (CIntentSandbox.h). */
enum { INTENTD_CGROUP_TREE = 5 };

/* A worker to fork. The caller owns the descriptors. */
struct intentd_fork_plan {
    int socket; /* becomes 3; its first record is the name of the run folder below /runs */
    int output; /* becomes 1 */
    int error; /* becomes 2 */
    bool has_leaf; /* the worker starts in the cgroup run-LEAF below INTENTD_CGROUP_TREE */
    uint64_t leaf;
    const int *shared_folders; /* open with O_PATH; the worker can access the files below them */
    size_t shared_folder_count;
    uint64_t file_access; /* the rights that the worker's Landlock layer handles and allows below the shared folders */
    uint64_t scopes; /* the scopes of the worker's Landlock layer */
    uint64_t open_file_count; /* RLIMIT_NOFILE */
    int allows_subprocesses;
    /* The worker's first report to the launcher. The worker itself sends it, on the fork server's descriptor 3, because
     * the launcher identifies the worker by the pid that the kernel attaches to the record (SCM_CREDENTIALS). */
    const void *report;
    size_t report_size;
};

/* Moves the parts of this process's code that fill whole huge pages into private huge pages. Processes that are forked
 * later have this code mapped from the start, instead of faulting it in from the file, sixteen small pages at a time.
 * The process must be single-threaded. Returns the number of bytes moved, at most `limit`, or 0 if the kernel has no
 * huge pages. */
size_t intentd_enlarge_code_pages(size_t limit);

/* Removes never-written pages of data segments from memory. A later access reads them from the file again. Fewer pages
 * make forks and exits of workers faster: a fork copies the page table entry of each page in memory, and the worker's
 * exit removes the entry again. The process must be single-threaded. */
void intentd_drop_unchanged_data(void);

/* Starts a thread that allocates memory, and waits until it has exited. The C library caches the thread's stack and
 * malloc(3) arena, and the first thread of each process forked later reuses them. The process must be single-threaded,
 * and is single-threaded again afterwards. */
void intentd_rehearse_thread(void);

/* Attendance: a worker's main thread waits for events from its run. It serves the main queue once the queue has work,
 * and starts a listening thread, the listener, once there is something to report. A run that ends earlier needs neither
 * the main queue nor the listener. After the run, the run's thread becomes the listener.
 *
 * intentd_prepare_attendance prepares the main thread before the run's thread starts, and returns 0 or an error number.
 * intentd_attend is the main thread's loop. */
int intentd_prepare_attendance(void);
void intentd_attend(void) __attribute__((noreturn));

/* Reports that the run has begun. Called once, on the run's thread. Afterwards the main thread sets the name of the
 * process, and the listener calls `listen`. A record on the socket that equals the acknowledgement, at most 64
 * bytes, ends the process once its run has ended. */
void intentd_run_has_begun(const char *process_name, void (*listen)(void *_Nullable context), void *_Nullable context,
                           const uint8_t *acknowledgement, size_t acknowledgement_size);
/* Signals that the run has something to report. May be called on any thread. */
void intentd_run_has_events(void);
/* Reports that the run has ended. Called before the result is sent. */
void intentd_run_is_over(void);
/* Called on the run's thread while it is idle. Returns true if the run has ended and there is no listener yet. */
bool intentd_run_waits(void);
/* Returns true to only one caller, which must become or start the listener. */
bool intentd_claim_attendance(void);
/* Returns an eventfd(2) that is readable when there is something to report. The listener clears it. */
int intentd_attendance_event(void);

/* Calls `body` on the calling thread, which is the main actor meanwhile: the thread is isolated to the main actor, and
 * work on the main queue waits. Returns false, and does not call `body`, if the main queue is being served. Called by
 * a task on the run's thread, which remains the current task. */
bool intentd_perform_on_main_actor(void (*body)(void *_Nullable context), void *_Nullable context);

/* Resets all signals to their default actions, except crash signals, and sets HOME and TMPDIR, so that workers can
 * overwrite the values in place. Called once, before the first fork. */
void intentd_prepare_to_fork(void);

/* Writes the changed values of Foundation's UserDefaults, and discards all values that were read. Does nothing in a
 * program without Foundation. */
void intentd_flush_preferences(void);

/* Forks a worker as a sibling: its parent is the caller's parent. In the worker, a new thread calls `body` while the
 * main thread runs intentd_attend. The caller must be single-threaded. Returns the worker's process id in the caller's
 * PID namespace, or -1 with errno. */
int intentd_fork_worker(const struct intentd_fork_plan *plan, void (*body)(void *_Nullable), void *_Nullable context);

/* Returns the number of strong references to the Swift object at an address; 0 if the runtime cannot report it. */
size_t intentd_reference_count(uintptr_t address);

/* Crash reports: when the process crashes, a signal handler sends intentd the addresses of the active calls. The signal
 * then ends the process in the same way as without the handler.
 *
 * intentd_prepare_crash_reports installs the handler, which forked workers inherit. intentd_report_crashes permits the
 * handler to send a report, and is called in a worker, in which descriptor 3 is the socket. intentd_use_crash_stack
 * gives a worker's calling thread a stack for the handler, so that it can report a stack overflow. The kernel keeps
 * such a stack per thread (sigaltstack(2)), and Swift may perform any job on any libdispatch thread. Therefore, each
 * thread calls the function before it executes the app's code. */
void intentd_prepare_crash_reports(void);
/* Reports where each thread but the calling one is, without ending it: at most 16 threads, for at most 400 ms. Called by one
 * thread, once. */
void intentd_report_stacks(void);
/* Copies the stack of a thread, or of the newest threads but the calling one for 0, in the JSON form of StackReport, and
 * returns their length in bytes; 0 if they could not be read or are longer than `size`. At most 16 threads are read, in at
 * most 5 s. For a process that is no worker, such as a test; no two calls may be in progress. */
size_t intentd_copy_stacks(pid_t thread, char *_Nonnull text, size_t size);
/* Returns the number of the calling thread (gettid(2)), which Swift's Glibc module does not have. */
pid_t intentd_thread_number(void);
void intentd_report_crashes(void);
void intentd_use_crash_stack(void);

/* Passes jobs from Swift's global executor to intentd_perform_jobs if it is waiting for a job, and to the runtime's own
 * threads otherwise. A run that needs no second thread then never starts the runtime's threads. Returns 0 if the
 * runtime does not support this. */
int intentd_take_jobs(void);
/* Performs jobs on the calling thread, and waits for more. Returns when the run has ended and the caller must become
 * the listener. */
void intentd_perform_jobs(void);
/* Performs the waiting job, if there is one. Called by threads that do not call intentd_perform_jobs. */
void intentd_perform_waiting_job(void);

/* Creates, signals or clears an eventfd(2), which is non-blocking and close-on-exec. */
int intentd_event_create(void);
void intentd_event_signal(int event);
void intentd_event_clear(int event);

/* Makes the first SIGINT signal the event, and the second SIGINT end the process immediately with exit status 130. */
int intentd_interrupts_signal(int event);

/* Adds an action that changes the child's working directory (posix_spawn_file_actions_addchdir_np(3)). Returns 0 or
 * an error number. */
int intentd_add_change_directory(posix_spawn_file_actions_t *actions, const char *path);

/* Opens a new terminal of this size, which neither echoes its input nor changes line ends (pty(7)). Stores the path of
 * the program's end, and returns the other end, or -1 with errno. */
int intentd_open_terminal(int columns, int rows, char name[_Nonnull 32]);
/* Returns the process group in the foreground of a terminal, or a number below 1 if it has exited. */
int intentd_foreground_group(int terminal);

/* Signals the event whenever a child process has exited, and ignores SIGPIPE. Returns 0 or an error number. */
int intentd_exits_signal(int event);

/* Makes a piped stdout line-buffered. Call it before anything is written. */
void intentd_buffer_lines(void);
void intentd_flush_output(void);

/* Copies all bytes between two descriptors, starting at their current offsets, inside the kernel if possible.
 * Returns the number of bytes, or -1 with errno. */
int64_t intentd_copy(int from, int to);

/* Initializes the memory at `address`, which must not contain a value, with the first payload-free case of the
 * enumeration that the metadata describes. Does nothing and returns false if every case has a payload, or if the type
 * is not an enumeration. */
bool intentd_make_empty_case(void *address, const void *metadata);

/* Allocates an object of the class that the metadata describes, and sets all bytes of its fields to zero. Returns null
 * if the class has no valid instance size. The object must never be released, because its class would destroy fields
 * that were not initialized. */
void *_Nullable intentd_allocate_object(const void *class_metadata);

#pragma clang assume_nonnull end
#endif
