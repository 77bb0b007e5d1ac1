#define _GNU_SOURCE
#include "CIntentLaunch.h"
#include "TreeWalk.h"

#include <fcntl.h>
#include <unistd.h>

struct gift {
    struct intentd_tree_walk walk; /* the first member, so that a pointer to it is also a pointer to the structure */
    unsigned user;
};

static int give(struct intentd_tree_walk *walk, int directory, const char *name, const struct stat *status) {
    unsigned user = ((struct gift *)walk)->user;
    (void)status;
    return fchownat(directory, name, user, user, AT_SYMLINK_NOFOLLOW);
}

int intentd_give_tree(const char *path, unsigned user, size_t budget) {
    struct gift gift = {.walk = {.visit = give, .budget = budget}, .user = user};
    if (intentd_walk_tree(&gift.walk, path)) return -1;
    return chown(path, user, user);
}
