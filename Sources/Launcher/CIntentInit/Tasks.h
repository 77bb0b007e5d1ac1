/* Accesses the memory, descriptors and paths of a task that made a call. Private to the C files in this folder.
 *
 * A task is a thread, identified by its thread id in the sandbox's PID namespace. Other threads of its process may
 * change its memory and files at any time. Once a file is open, only its descriptor is therefore used, never the
 * path. All functions return -1 and set errno on failure. */
#ifndef INTENTD_TASKS_H
#define INTENTD_TASKS_H
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <unistd.h>

static inline int fail(int error) {
    errno = error;
    return -1;
}

/* Closes the file, preserves errno, and returns -1. */
static inline int close_keeping_error(int file) {
    int error = errno;
    close(file);
    return fail(error);
}

enum { PATH_ROOM = 4096 /* PATH_MAX, with the NUL */ };

/* Copies bytes from the task's memory. Fails with EFAULT if they are not mapped. */
int intentd_task_memory(pid_t task, uint64_t address, void *bytes, size_t count);
/* Copies a NUL-terminated string from the task's memory. Fails with ENAMETOOLONG if the first PATH_ROOM bytes contain
 * no NUL. */
int intentd_task_text(pid_t task, uint64_t address, char text[PATH_ROOM]);

/* Uses O_PATH to open the file that the task's descriptor refers to. AT_FDCWD refers to the task's working directory.
 * Fails with EBADF if the task does not have the descriptor. */
int intentd_task_descriptor(pid_t task, int number);
/* Uses O_PATH to open the task's root directory, which is this root, or the root of the task's run below it. */
int intentd_task_root(pid_t task);
/* Opens a path with O_PATH as the kernel would for the task, so that / and /proc/self are the task's directories. The
 * path may be relative to the folder. The walk stays in the task's root and does not access file systems that are not
 * mounted there. Fails with ELOOP or ENAMETOOLONG if the path, with its links, has too many components. */
int intentd_task_path(pid_t task, int folder, const char *path, int follows_last);

/* Stores the absolute path of an open file in this root. Fails with ENOENT if the file was removed or is outside this
 * root. */
int intentd_name_of(int file, char name[PATH_ROOM]);

/* The identity of an open file, read without waiting for its file system. */
struct intentd_identity {
    uint64_t mount;
    uint64_t device;
    uint64_t inode;
    uint32_t link_count;
    uint16_t mode;
};
int intentd_identify(int file, struct intentd_identity *identity);

#endif
