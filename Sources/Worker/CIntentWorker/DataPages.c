#define _GNU_SOURCE
#include "CIntentWorker.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES_AT_ONCE = 512 };

/* Bits of proc_pid_pagemap(5): the page is in memory, and it belongs to the file instead of being a private copy. */
static const uint64_t PRESENT = 1ULL << 63, OF_FILE = 1ULL << 61;

static void drop_unchanged(int pagemap, uintptr_t start, uintptr_t end, uintptr_t page_size) {
    uint64_t entries[PAGES_AT_ONCE];
    while (start < end) {
        size_t count = (end - start) / page_size;
        if (count > PAGES_AT_ONCE) count = PAGES_AT_ONCE;
        ssize_t size = pread(pagemap, entries, count * sizeof *entries, (off_t)(start / page_size * sizeof *entries));
        if (size != (ssize_t)(count * sizeof *entries)) return;
        for (size_t i = 0; i < count;) {
            size_t first = i;
            while (i < count && (entries[i] & (PRESENT | OF_FILE)) == (PRESENT | OF_FILE)) i++;
            /* No data is lost, because the next access reads the page from the file. */
            if (i > first) madvise((char *)start + first * page_size, (i - first) * page_size, MADV_DONTNEED);
            else i++;
        }
        start += count * page_size;
    }
}

void intentd_drop_unchanged_data(void) {
    FILE *maps = fopen("/proc/self/maps", "re");
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    char line[512];
    while (maps && pagemap >= 0 && fgets(line, sizeof line, maps)) {
        unsigned long start, end, inode;
        char rights[5];
        /* Process only writable mappings, because fork(2) does not copy the page tables of file mappings that were
         * never written. */
        if (sscanf(line, "%lx-%lx %4s %*x %*s %lu", &start, &end, rights, &inode) == 4 && inode != 0 &&
            !strcmp(rights, "rw-p"))
            drop_unchanged(pagemap, start, end, (uintptr_t)sysconf(_SC_PAGESIZE));
    }
    if (pagemap >= 0) close(pagemap);
    if (maps) fclose(maps);
}
