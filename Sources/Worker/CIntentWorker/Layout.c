#include "CIntentWorker.h"

#include <string.h>

/* The layouts of Swift's ABI without Objective-C: docs/ABI/TypeMetadata.md and include/swift/ABI of the Swift
 * project. */

struct enum_descriptor {
    uint32_t flags;
    int32_t parent, name, access_function, fields;
    uint32_t payload_case_count; /* in the low 24 bits */
    uint32_t empty_case_count;
};

typedef void (*inject_tag)(void *value, unsigned tag, const void *metadata);

struct enum_witnesses {
    const void *functions[8];
    size_t size, stride;
    uint32_t flags, extra_inhabitant_count;
    const void *get_tag, *project;
    inject_tag inject_tag;
};

enum { kind_enum = 0x201, kind_optional = 0x202, has_enum_witnesses = 0x00200000 };

bool intentd_make_empty_case(void *address, const void *metadata) {
    const uintptr_t *words = metadata;
    if (words[0] != kind_enum && words[0] != kind_optional) return false;
    const struct enum_descriptor *descriptor = (const void *)words[1];
    const struct enum_witnesses *witnesses = (const void *)words[-1];
    if (descriptor->empty_case_count == 0 || !(witnesses->flags & has_enum_witnesses)) return false;
    /* The cases without a payload are numbered after the cases with a payload. */
    witnesses->inject_tag(address, descriptor->payload_case_count & 0xffffff, metadata);
    return true;
}

struct class_metadata {
    const void *kind, *superclass;
    uint32_t flags, instance_address_point, instance_size;
    uint16_t alignment_mask;
};

extern void *swift_allocObject(const void *metadata, size_t size, size_t alignment_mask);

void *intentd_allocate_object(const void *class_metadata) {
    const struct class_metadata *class = class_metadata;
    enum { header_size = 16 };
    if (class->instance_size < header_size) return NULL;
    char *object = swift_allocObject(class_metadata, class->instance_size, class->alignment_mask);
    memset(object + header_size, 0, class->instance_size - header_size);
    return object;
}
