// Shifts the wall clock of a process (LD_PRELOAD) by the seconds in the file $CLOCK_OFFSET_FILE, which is read again every
// 100 ms. The monotonic clock is unchanged. libfaketime cannot be used: a Swift program loses its arguments with it.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long offset(void) {
    static long seconds, last = -1;
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    long instant = now.tv_sec * 10 + now.tv_nsec / 100000000;
    const char *path = getenv("CLOCK_OFFSET_FILE");
    if (instant == last || !path) return seconds;
    last = instant;
    FILE *file = fopen(path, "re");
    long found;
    if (file && fscanf(file, "%ld", &found) == 1) seconds = found;
    if (file) fclose(file);
    return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int code = syscall(SYS_clock_gettime, clock, time);
    if (code == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += offset();
    return code;
}

int gettimeofday(struct timeval *time, void *zone) {
    (void)zone;
    struct timespec now;
    int code = clock_gettime(CLOCK_REALTIME, &now);
    *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return code;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}
