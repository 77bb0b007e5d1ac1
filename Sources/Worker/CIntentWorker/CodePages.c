#define _GNU_SOURCE
#include "CIntentWorker.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { HUGE = 2 << 20, REGION_MAX = 64 };

struct regions {
    struct region {
        char *start;
        size_t size;
    } list[REGION_MAX];
    size_t count;
};

/* Adds the parts of an object's code that fill whole huge pages (dl_iterate_phdr(3)). */
static int add_code(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    struct regions *regions = context;
    for (size_t i = 0; i < object->dlpi_phnum && regions->count < REGION_MAX; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || segment->p_flags != (PF_R | PF_X)) continue;
        /* Use p_filesz, because the memory beyond it contains no code. */
        uintptr_t start = (object->dlpi_addr + segment->p_vaddr + HUGE - 1) & ~(uintptr_t)(HUGE - 1);
        uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_filesz) & ~(uintptr_t)(HUGE - 1);
        if (start < end) regions->list[regions->count++] = (struct region){(char *)start, end - start};
    }
    return 0;
}

/* Returns 1 if a mapping consists only of huge pages (AnonHugePages of proc_pid_smaps(5)). */
static int is_huge(const char *start, size_t size) {
    FILE *file = fopen("/proc/self/smaps", "re");
    if (!file) return 0;
    char line[512];
    int is_inside = 0;
    size_t huge = 0;
    while (fgets(line, sizeof line, file)) {
        unsigned long from, to;
        size_t kilobytes;
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
            is_inside = from < (uintptr_t)start + size && to > (uintptr_t)start;
        else if (is_inside && sscanf(line, "AnonHugePages: %zu kB", &kilobytes) == 1)
            huge += kilobytes << 10;
    }
    fclose(file);
    return huge >= size;
}

/* Replaces code with a copy in huge pages. Returns 1 on success. */
static int enlarge(struct region region) {
    size_t room = region.size + HUGE;
    char *mapped = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return 0;
    char *copy = (char *)(((uintptr_t)mapped + HUGE - 1) & ~(uintptr_t)(HUGE - 1));
    int is_done = 0;
    if (!madvise(copy, region.size, MADV_HUGEPAGE)) {
        memcpy(copy, region.start, region.size);
        /* Discard a copy in small pages, which would make forks slower. mremap(2) replaces the code that this thread
         * is executing. This is safe, because the bytes are equal. */
        is_done = is_huge(copy, region.size) && !mprotect(copy, region.size, PROT_READ | PROT_EXEC) &&
                  mremap(copy, region.size, region.size, MREMAP_MAYMOVE | MREMAP_FIXED, region.start) == region.start;
    }
    if (!is_done) {
        munmap(mapped, room);
        return 0;
    }
    if (copy > mapped) munmap(mapped, (size_t)(copy - mapped));
    munmap(copy + region.size, (size_t)(mapped + room - copy) - region.size);
    return 1;
}

size_t intentd_enlarge_code_pages(size_t limit) {
    struct regions regions = {.count = 0};
    dl_iterate_phdr(add_code, &regions);
    size_t enlarged = 0;
    for (size_t i = 0; i < regions.count; i++) {
        struct region region = regions.list[i];
        if (region.size > limit - enlarged) region.size = (limit - enlarged) & ~(size_t)(HUGE - 1);
        if (region.size == 0 || !enlarge(region)) continue;
        enlarged += region.size;
    }
    return enlarged;
}
