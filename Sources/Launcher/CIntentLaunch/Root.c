#define _GNU_SOURCE
#include "Root.h"
#include "Steps.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* These functions are declared here because <sys/mount.h> and <linux/mount.h> conflict on Debian 12. */
int mount(const char *source, const char *target, const char *type, unsigned long flags, const void *data);
int umount2(const char *target, int flags);
enum { DETACH = 2, SOURCE_MAX = 512 };

/* Creates the missing parent folders of a path. */
static int make_parents(const char *target) {
    char path[4096];
    size_t length = strlen(target);
    if (length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(path, target, length + 1);
    for (size_t i = 1; i < length; i++) {
        if (path[i] != '/') continue;
        path[i] = 0;
        if (mkdir(path, 0755) && errno != EEXIST) return -1;
        path[i] = '/';
    }
    return 0;
}

/* Mounts the open source of a bind mount at its target, and closes the source. */
static int attach(int tree, const struct intentd_root_entry *entry) {
    struct stat status, present;
    if (fstat(tree, &status)) return -1;
    if (lstat(entry->target, &present) == 0) {
        /* The target already exists, in a folder that an earlier entry mounted. */
    } else if (S_ISDIR(status.st_mode)) {
        if (mkdir(entry->target, 0755) && errno != EEXIST) return -1;
    } else {
        int file = open(entry->target, O_CREAT | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0444);
        if (file < 0) return -1;
        close(file);
    }
    int result = (int)syscall(SYS_move_mount, tree, "", AT_FDCWD, entry->target, MOVE_MOUNT_F_EMPTY_PATH);
    close(tree);
    return result;
}

static int write_file(const struct intentd_root_entry *entry) {
    int file = open(entry->target, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, entry->permissions);
    if (file < 0) return -1;
    for (size_t done = 0; done < entry->byte_count;) {
        ssize_t written = write(file, entry->source + done, entry->byte_count - done);
        if (written < 0) {
            close(file);
            return -1;
        }
        done += (size_t)written;
    }
    return close(file);
}

/* Creates a link that belongs to the runs. Some programs, such as rsync 3.5, follow only links of root and of their own
 * user. */
static int make_link(const struct intentd_root_entry *entry, int64_t owner) {
    if (symlink(entry->source, entry->target)) return -1;
    return owner < 0 ? 0 : lchown(entry->target, (uid_t)owner, (gid_t)owner);
}

static int make_entry(const struct intentd_root_entry *entry, int tree, int64_t app) {
    if (make_parents(entry->target)) return -1;
    switch (entry->kind) {
    case INTENTD_ENTRY_DIRECTORY: return mkdir(entry->target, entry->permissions) && errno != EEXIST ? -1 : 0;
    case INTENTD_ENTRY_LINK: return make_link(entry, app);
    case INTENTD_ENTRY_FILE: return write_file(entry);
    case INTENTD_ENTRY_BIND: return tree < 0 ? 0 : attach(tree, entry);
    case INTENTD_ENTRY_PROC:
        if (mkdir(entry->target, 0755) && errno != EEXIST) return -1;
        return mount("proc", entry->target, "proc", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC,
                     entry->source);
    case INTENTD_ENTRY_TERMINALS:
        if (mkdir(entry->target, 0755) && errno != EEXIST) return -1;
        return intentd_mount_terminals(entry->target);
    }
    errno = EINVAL;
    return -1;
}

/* Opens the source of a bind mount together with all mounts below it, because inherited mounts cannot be separated from
 * their parent mount (EINVAL, mount_namespaces(7)).
 *
 * A grant's path is resolved only here. No component may be a symbolic link, because an app with write access to a
 * parent folder could have created the link just before. */
static int open_source(const struct intentd_root_entry *entry) {
    unsigned flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE;
    if (!entry->is_granted) return (int)syscall(SYS_open_tree, AT_FDCWD, entry->source, flags);
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    int source = (int)syscall(SYS_openat2, AT_FDCWD, entry->source, &how, sizeof how);
    if (source < 0) return -1;
    int tree = (int)syscall(SYS_open_tree, source, "", flags | AT_EMPTY_PATH);
    intentd_close_keeping_error(source);
    return tree;
}

/* Creates a detached mount with the options, which end with NULL, and returns a descriptor of its root. */
static int make_mount(const char *type, const char *const (*options)[2], unsigned attributes) {
    int context = (int)syscall(SYS_fsopen, type, FSOPEN_CLOEXEC);
    if (context < 0) return -1;
    for (; **options; options++)
        if (syscall(SYS_fsconfig, context, FSCONFIG_SET_STRING, (*options)[0], (*options)[1], 0))
            return intentd_close_keeping_error(context);
    if (syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0)) return intentd_close_keeping_error(context);
    int root = (int)syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, attributes);
    intentd_close_keeping_error(context);
    return root;
}

static const char *const no_options[][2] = {{NULL, NULL}};

/* Creates an empty, detached tmpfs, and returns a descriptor of its root. */
static int make_memory_file_system(uint64_t byte_count) {
    char size[32];
    snprintf(size, sizeof size, "%llu", (unsigned long long)byte_count);
    const char *const options[][2] = {
        {"source", "intentd"}, {"mode", "755"}, {"size", size}, {"nr_inodes", "4096"}, {NULL, NULL}};
    return make_mount("tmpfs", options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
}

int intentd_open_own_proc(void) {
    return make_mount("proc", no_options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
}

int intentd_make_cgroup_tree(void) {
    unsigned attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
    return make_mount("cgroup2", no_options, attributes);
}

void intentd_make_root(const struct intentd_sandbox_plan *plan, int report) {
    /* MS_REC | MS_PRIVATE prevents new mounts from propagating to the host. */
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) intentd_fail(report, INTENTD_SANDBOX_PRIVATE, 0);
    static int trees[SOURCE_MAX];
    if (plan->entry_count > SOURCE_MAX) {
        errno = E2BIG;
        intentd_fail(report, INTENTD_SANDBOX_SOURCE, SOURCE_MAX);
    }
    for (size_t i = 0; i < plan->entry_count; i++) {
        const struct intentd_root_entry *entry = &plan->entries[i];
        trees[i] = -1;
        if (entry->kind != INTENTD_ENTRY_BIND) continue;
        int tree = open_source(entry);
        if (tree < 0 && entry->is_optional && (errno == ENOENT || errno == ENOTDIR || errno == EACCES)) continue;
        struct mount_attr attributes = {.attr_set = entry->attributes};
        if (tree < 0 ||
            syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes, sizeof attributes))
            intentd_fail(report, INTENTD_SANDBOX_SOURCE, (int)i);
        trees[i] = tree;
    }
    int mount_point = open(plan->mount_point, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (mount_point < 0) intentd_fail(report, INTENTD_SANDBOX_ROOT, 0);
    /* Change the id after opening the sources, which requires the launcher's permissions, and before creating files,
     * which requires an id that the user namespace maps. */
    intentd_change_id(plan->ids.init, report);
    int root = make_memory_file_system(plan->root_byte_count);
    unsigned empty_paths = MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH;
    if (root < 0 || syscall(SYS_move_mount, root, "", mount_point, "", empty_paths) || fchdir(root))
        intentd_fail(report, INTENTD_SANDBOX_ROOT, 1);
    close(mount_point);
    close(root);
    umask(0);
    for (size_t i = 0; i < plan->entry_count; i++)
        if (make_entry(&plan->entries[i], trees[i], plan->ids.init >= 0 ? plan->ids.app : -1))
            intentd_fail(report,
                         plan->entries[i].kind == INTENTD_ENTRY_PROC ? INTENTD_SANDBOX_PROC : INTENTD_SANDBOX_ENTRY,
                         (int)i);
    if (plan->roots >= 0 && intentd_separate_roots()) intentd_fail(report, INTENTD_SANDBOX_ROOT, 2);
    /* pivot_root(2) with the same path twice stacks the old root on top of the new root. umount2(2) then removes it. */
    if (syscall(SYS_pivot_root, ".", ".") || umount2(".", DETACH) || chdir("/"))
        intentd_fail(report, INTENTD_SANDBOX_PIVOT, 0);
    struct mount_attr attributes = {.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV};
    if (syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, &attributes, sizeof attributes))
        intentd_fail(report, INTENTD_SANDBOX_PIVOT, 1);
}
