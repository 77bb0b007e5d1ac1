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

void swift_enumerateAllMetadataSections(bool (*body)(const struct metadata_sections *, void *), void *context);
