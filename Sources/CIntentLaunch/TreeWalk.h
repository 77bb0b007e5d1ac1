/* A walk through a directory tree. Only for the C files of this folder. */
#ifndef INTENTD_TREEWALK_H
#define INTENTD_TREEWALK_H
#include <stddef.h>
#include <sys/stat.h>

struct intentd_tree_walk {
    /* Called for each entry below the top, after the entries inside it. -1 with errno ends the walk. */
    int (*visit)(struct intentd_tree_walk *walk, int directory, const char *name, const struct stat *status);
    int skips_missing; /* ignore entries that are removed during the walk */
    size_t budget;     /* the maximum number of entries */
};

/* Walks the tree below the path without following links. Returns -1 with errno on failure: E2BIG if there are more
 * entries than the budget allows, or more than 128 levels. */
int intentd_walk_tree(struct intentd_tree_walk *walk, const char *path);

#endif
