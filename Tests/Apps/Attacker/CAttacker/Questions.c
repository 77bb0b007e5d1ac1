#define _GNU_SOURCE
#include "Attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Work for the sandbox init, which performs calls that change mode and times for all runs. */

/* Creates a chain of symbolic links in the working directory. Each target has `names` components, and leads to the next
 * link. */
static int make_links(int links, int names) {
    for (int i = 0; i < links; i++) {
        char target[4096] = "", name[32];
        int used = 0;
        for (int j = 1; j < names && used < (int)sizeof target - 32; j++) used += sprintf(target + used, "./");
        if (i + 1 < links)
            sprintf(target + used, "link-%d", i + 1);
        else
            sprintf(target + used, "its end");
        snprintf(name, sizeof name, "link-%d", i);
        unlink(name);
        if (symlink(target, name)) return -1;
    }
    int end = open("its end", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return end < 0 ? -1 : close(end);
}

/* Stats link-0. The kernel starts a walk again when a mount changes beside it, and goes on counting links (filename_lookup in
 * fs/namei.c), so that it may refuse a chain of more than half its limit by chance. */
static int stat_chain(void) {
    struct stat status;
    for (int i = 0; i < 1000; i++)
        if (!stat("link-0", &status)) return 0;
        else if (errno != ELOOP) break;
    return -1;
}

/* "LINKS NAMES": a path walk that the kernel itself accepts. */
static long try_long_walk(const char *detail, struct notes *notes) {
    (void)notes;
    int links = 0, names = 0;
    if (sscanf(detail, "%d %d", &links, &names) != 2 || make_links(links, names)) return -1;
    if (stat_chain()) return note(notes, "not by the kernel: %s", strerrorname_np(errno)), 0;
    return chmod("link-0", 0640);
}

/* A path with `count` components and no link. */
static long try_long_path(const char *count, struct notes *notes) {
    (void)notes;
    char path[4096] = "";
    int used = 0;
    for (int i = 1; i < atoi(count); i++) used += sprintf(path + used, "./");
    strcat(path, "its end");
    if (make_links(0, 0)) return -1;
    return chmod(path, 0640);
}

struct crowd {
    atomic_long answers;
    atomic_int is_over;
};

static struct crowd *open_crowd(void) {
    int file = open("/state/crowd", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, sizeof(struct crowd))) return NULL;
    struct crowd *crowd = mmap(NULL, sizeof *crowd, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return crowd == MAP_FAILED ? NULL : crowd;
}

static void *call_init(void *pointer) {
    struct crowd *crowd = pointer;
    while (!atomic_load(&crowd->is_over)) {
        (void)!chmod("link-0", 0640);
        atomic_fetch_add(&crowd->answers, 1);
    }
    return NULL;
}

/* Starts `count` threads that cause long walks until the other run is done, or for a minute. */
static long try_crowd(const char *count, struct notes *notes) {
    (void)notes;
    struct crowd *crowd = open_crowd();
    if (!crowd || make_links(39, 2000)) return -1;
    for (int i = 0; i < atoi(count); i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, call_init, crowd)) return -1;
    }
    fprintf(stderr, "the crowd is calling\n");
    time_t end = time(NULL) + 60;
    while (!atomic_load(&crowd->is_over) && time(NULL) < end) usleep(10000);
    return atomic_load(&crowd->is_over) ? 0 : (errno = ETIME, -1);
}

/* Compares the number of replies to the crowd with those to this run. */
static long try_beside_crowd(const char *count, struct notes *notes) {
    struct crowd *crowd = open_crowd();
    int file = open("own", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (!crowd || file < 0) return -1;
    while (!atomic_load(&crowd->answers)) usleep(1000);
    long before = atomic_load(&crowd->answers);
    long own = atol(count);
    for (long i = 0; i < own; i++)
        if (fchmod(file, 0600)) return -1;
    long others = atomic_load(&crowd->answers) - before;
    atomic_store(&crowd->is_over, 1);
    /* Served in turns, the crowd gets one reply for each of ours. Served in order of arrival, it gets one per thread. */
    if (others > 4 * own) return note(notes, "%ld replies to the crowd, %ld to this run", others, own), 0;
    note(notes, "in turns");
    return 0;
}

const struct attempt question_attempts[] = {
    {"long walk", try_long_walk, INSIDE_ONLY},
    {"long path", try_long_path, INSIDE_ONLY},
    {"crowd", try_crowd, INSIDE_ONLY},
    {"beside a crowd", try_beside_crowd, INSIDE_ONLY},
    {NULL, NULL, HARMLESS},
};
