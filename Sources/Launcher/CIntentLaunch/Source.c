#define _GNU_SOURCE
#include "CIntentSource.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

int intentd_source_at(const char *path, struct intentd_source *source) {
    struct statx status;
    if (statx(AT_FDCWD, path, AT_NO_AUTOMOUNT, STATX_BASIC_STATS | STATX_MNT_ID, &status)) return -1;
    source->device = (uint64_t)status.stx_dev_major << 32 | status.stx_dev_minor;
    source->inode = status.stx_ino;
    source->mount = status.stx_mask & STATX_MNT_ID ? status.stx_mnt_id : 0;
    source->byte_count = status.stx_size;
    source->changed = (int64_t)status.stx_ctime.tv_sec * 1000000000 + status.stx_ctime.tv_nsec;
    source->is_folder = S_ISDIR(status.stx_mode);
    return 0;
}

int64_t intentd_file_system_type(const char *path) {
    struct statfs status;
    return statfs(path, &status) ? -1 : (int64_t)(uint32_t)status.f_type;
}
