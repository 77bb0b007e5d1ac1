/* A walk through a directory tree. Only for the C files of this folder. */
#ifndef INTENTD_TREEWALK_H
#define INTENTD_TREEWALK_H
#include <stddef.h>
#include <sys/stat.h>

struct intentd_tree_walk {
    /* Called for each entry after everything below it, but not for the top. -1 with errno ends the walk. */
    int (*visit)(struct intentd_tree_walk *walk, int directory, const char *name, const struct stat *status);
    int skips_missing; /* an entry that is removed during the walk is no failure */
    size_t budget;     /* so many entries at most */
};

/* Walks the tree below the path without following links. Returns -1 with errno; E2BIG above the budget or 128
 * levels. */
int intentd_walk_tree(struct intentd_tree_walk *walk, const char *path);

#endif
