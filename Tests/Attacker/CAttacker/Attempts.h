#ifndef ATTEMPTS_H
#define ATTEMPTS_H
#include <stddef.h>

/* What to write what was got to. */
struct notes {
    char *text;
    size_t room;
};

enum danger {
    HARMLESS,
    /* Would reach strangers, were there no sandbox: tried only in one. */
    INSIDE_ONLY,
};

/* Fails as a system call does: below zero, with errno. */
struct attempt {
    const char *name;
    long (*attempt)(const char *detail, struct notes *notes);
    enum danger danger;
};

/* Each ends with a name of NULL. */
extern const struct attempt file_attempts[];
extern const struct attempt socket_attempts[];
extern const struct attempt process_attempts[];
extern const struct attempt kernel_attempts[];
extern const struct attempt resource_attempts[];
extern const struct attempt search_attempts[];
extern const struct attempt metadata_attempts[];
extern const struct attempt question_attempts[];
extern const struct attempt growth_attempts[];
extern const struct attempt call_attempts[];

void note(struct notes *notes, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Runs the body in a child and gives its exit code as the errno that it failed with; 0 is done. */
long in_child(long (*body)(const char *detail), const char *detail);
#endif
