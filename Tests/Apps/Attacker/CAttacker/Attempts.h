#ifndef ATTEMPTS_H
#define ATTEMPTS_H
#include <stddef.h>

/* A buffer for what an attempt obtained. */
struct notes {
    char *text;
    size_t room;
};

enum danger {
    HARMLESS,
    /* Could harm other processes without a sandbox, so it is made only in one. */
    INSIDE_ONLY,
};

/* `attempt` fails as a system call does: with a negative result and errno. */
struct attempt {
    const char *name;
    long (*attempt)(const char *detail, struct notes *notes);
    enum danger danger;
};

/* The end of each list has NULL as its name. */
extern const struct attempt file_attempts[];
extern const struct attempt socket_attempts[];
extern const struct attempt process_attempts[];
extern const struct attempt program_attempts[];
extern const struct attempt kernel_attempts[];
extern const struct attempt resource_attempts[];
extern const struct attempt search_attempts[];
extern const struct attempt metadata_attempts[];
extern const struct attempt question_attempts[];
extern const struct attempt growth_attempts[];
extern const struct attempt call_attempts[];

void note(struct notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Runs the body in a child process. Returns 0, or -1 with the errno that the body failed with. */
long in_child(long (*body)(const char *detail), const char *detail);
#endif
