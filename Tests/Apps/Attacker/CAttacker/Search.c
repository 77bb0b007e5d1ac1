#define _GNU_SOURCE
#include "Attempts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* Searches memory, /proc and folders for the name of the run folder of a neighbour. */

static char own[256];

/* True when `text` is the name of a run folder other than its own: NUMBER-HEXADECIMAL. */
static int is_name(const char *text, const char *end) {
    const char *next = text;
    while (next < end && isdigit((unsigned char)*next)) next++;
    if (next == text || next == end || *next != '-') return 0;
    const char *secret = ++next;
    while (next < end && isxdigit((unsigned char)*next)) next++;
    if (next - secret < 20) return 0;
    size_t length = (size_t)(next - text);
    /* Its own name may be cut off at the end of the bytes. */
    if (next == end && length < strlen(own) && memcmp(text, own, length) == 0) return 0;
    return length != strlen(own) || memcmp(text, own, length) != 0;
}

static int look_through(const char *bytes, size_t count, struct notes *notes, const char *where) {
    static const char mark[] = {'/', 'r', 'u', 'n', 's', '/'};
    const char *end = bytes + count, *next = bytes;
    while ((next = memmem(next, (size_t)(end - next), mark, sizeof mark))) {
        next += sizeof mark;
        if (!is_name(next, end)) continue;
        note(notes, "in %s", where);
        return 1;
    }
    return 0;
}

static int look_into_file(const char *path, struct notes *notes) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    static char bytes[1 << 16];
    ssize_t count = read(file, bytes, sizeof bytes);
    close(file);
    return count > 0 && look_through(bytes, (size_t)count, notes, path);
}

static int look_into_link(const char *path, struct notes *notes) {
    char target[512];
    ssize_t count = readlink(path, target, sizeof target);
    return count > 0 && look_through(target, (size_t)count, notes, path);
}

static int look_into_folder(const char *path, struct notes *notes) {
    DIR *folder = opendir(path);
    if (!folder) return 0;
    int found = 0;
    for (struct dirent *entry; !found && (entry = readdir(folder));) {
        found = is_name(entry->d_name, entry->d_name + strlen(entry->d_name));
        if (found) note(notes, "in %s ", path);
    }
    closedir(folder);
    return found;
}

static int look_into_processes(struct notes *notes) {
    static const char *const files[] = {"environ", "cmdline", "maps", "mountinfo", "stat", "comm"};
    char path[128];
    for (int process = 1; process < 400; process++) {
        for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
            snprintf(path, sizeof path, "/proc/%d/%s", process, files[i]);
            if (look_into_file(path, notes)) return 1;
        }
        snprintf(path, sizeof path, "/proc/%d/cwd", process);
        if (look_into_link(path, notes)) return 1;
        for (int descriptor = 0; descriptor < 16; descriptor++) {
            snprintf(path, sizeof path, "/proc/%d/fd/%d", process, descriptor);
            if (look_into_link(path, notes)) return 1;
        }
    }
    return 0;
}

/* Searches all memory of this process, including what it inherited from its fork server. */
static int look_into_memory(struct notes *notes) {
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps) return 0;
    static char bytes[1 << 16];
    int found = 0;
    unsigned long start, end;
    char rights[8], line[512];
    while (!found && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx %7s", &start, &end, rights) != 3 || rights[0] != 'r' || rights[1] != 'w') continue;
        /* The kernel reads the memory, so that an unreadable page is an error and not a crash. */
        int pipe_ends[2];
        if (pipe(pipe_ends)) break;
        for (unsigned long page = start; !found && page < end; page += 4096) {
            if (page <= (unsigned long)bytes && (unsigned long)bytes < page + sizeof bytes) continue;
            if (write(pipe_ends[1], (void *)page, 4096) != 4096) continue;
            if (read(pipe_ends[0], bytes, 4096) == 4096) found = look_through(bytes, 4096, notes, "memory");
        }
        close(pipe_ends[0]);
        close(pipe_ends[1]);
    }
    fclose(maps);
    return found;
}

static long try_search(const char *detail, struct notes *notes) {
    char path[256];
    if (!getcwd(path, sizeof path)) return -1;
    /* A planted name proves that the search works. It is built at run time, so that the search cannot find a constant. */
    char *planted = NULL;
    if (*detail && asprintf(&planted, "/runs/%d-%s", getpid(), detail) < 0) return -1;
    snprintf(own, sizeof own, "%s", strrchr(path, '/') + 1);
    if (look_into_folder("/runs", notes) || look_into_folder("/proc/self/cwd/..", notes) ||
        look_into_processes(notes) || look_into_memory(notes)) {
        free(planted);
        return 0;
    }
    free(planted);
    errno = ENOENT;
    return -1;
}

const struct attempt search_attempts[] = {
    {"find a neighbour", try_search, HARMLESS},
    {NULL, NULL, HARMLESS},
};
