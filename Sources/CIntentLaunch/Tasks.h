/* What pid 1 of a sandbox reads of a task that asks it, and what that task's paths lead to. Only for the C files of
 * this folder.
 *
 * A task is named by its thread's number in the sandbox. All of it can change at any time, by other threads of its own:
 * what was opened is looked at, never the name again. -1 and errno in all. */
#ifndef INTENTD_TASKS_H
#define INTENTD_TASKS_H
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { PATH_ROOM = 4096 /* PATH_MAX, with the NUL */ };

/* So many bytes of its memory. EFAULT where they are not there. */
int intentd_task_memory(pid_t task, uint64_t address, void *bytes, size_t count);
/* A text of its memory that ends with NUL: ENAMETOOLONG where PATH_ROOM bytes have none. */
int intentd_task_text(pid_t task, uint64_t address, char text[PATH_ROOM]);

/* A descriptor of its own, opened anew with O_PATH: EBADF where it is none. AT_FDCWD is its working directory. */
int intentd_task_descriptor(pid_t task, int number);
/* What a path leads to from that folder (O_PATH), as the kernel would walk it for the task: /proc/self is the task's.
 * Only in this root: no file system that is not mounted here is asked anything. The walk takes a bounded number of steps,
 * those of all links together: ELOOP or ENAMETOOLONG beyond. */
int intentd_task_path(pid_t task, int folder, const char *path, int follows_last);

/* The absolute path of an open file in this root. ENOENT where it has none: it was removed, or belongs elsewhere. */
int intentd_name_of(int file, char name[PATH_ROOM]);

/* Facts of an open file, without waiting for its file system. */
struct intentd_identity {
    uint64_t mount;
    uint64_t device;
    uint64_t inode;
    uint32_t link_count;
    uint16_t mode;
};
int intentd_identify(int file, struct intentd_identity *identity);

#endif
