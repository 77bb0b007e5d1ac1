#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Swift's ABI on Linux: MetadataSections (stdlib/public/runtime/SwiftRT-ELF-WMO.cpp), descriptors of protocols,
 * conformances and types (include/swift/ABI/Metadata.h), generic requirements (docs/ABI/TypeMetadata.rst). The layouts
 * are stable in practice but not documented as stable, so tests check the number of types that are found. */
struct section {
    uintptr_t start;
    size_t byte_count;
};

struct metadata_sections {
    uintptr_t version;
    const void *base;
    const void *unused[2];
    struct section protocols;
    struct section conformances;
};

/* Returns the address that a relative field refers to. `marks` are the low bits of the field that are not part of the
 * offset. If bit 0 is one of them and set, the field refers to a pointer to the address. */
static inline const void *pointer(const int32_t *field, int32_t offset, int32_t marks) {
    const void *address = (const void *)((intptr_t)field + (offset & ~marks));
    return offset & marks & 1 ? *(const void *const *)address : address;
}

void swift_enumerateAllMetadataSections(bool (*body)(const struct metadata_sections *, void *), void *context);
