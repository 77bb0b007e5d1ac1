/* Walks through a directory tree. Private to the C files in this folder. */
#ifndef INTENTD_TREEWALK_H
#define INTENTD_TREEWALK_H
#include <stddef.h>
#include <sys/stat.h>

struct intentd_tree_walk {
    /* Called for each entry below the top. A directory's entries are visited before the directory itself. To abort the
     * walk, set errno and return -1. */
    int (*visit)(struct intentd_tree_walk *walk, int directory, const char *name, const struct stat *status);
    int skips_missing; /* 1 to ignore entries that are removed during the walk */
    size_t budget;     /* the number of entries that may still be visited */
};

/* Walks the tree below the path without following links. Returns -1 and sets errno on failure. Fails with E2BIG if
 * there are more entries than the budget permits, or more than 128 levels. */
int intentd_walk_tree(struct intentd_tree_walk *walk, const char *path);

#endif
