#ifndef CINTENT_SOURCE_H
#define CINTENT_SOURCE_H

#include <stdint.h>

/* What a path refers to. */
struct intentd_source {
    uint64_t device;
    uint64_t inode;
    uint64_t mount;      /* the id of the mount; 0 on Linux before 5.8 */
    uint64_t byte_count;
    int64_t changed;     /* the time of the last change of contents or attributes, in nanoseconds since 1970 */
    int is_folder;
};

/* Follows symbolic links, and mounts nothing. Returns -1 with errno for a path that refers to nothing. */
int intentd_source_at(const char *path, struct intentd_source *source);

/* Returns the type of the path's file system (statfs(2)); -1 with errno on failure. */
int64_t intentd_file_system_type(const char *path);

#endif
