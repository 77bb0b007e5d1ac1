#include "CIntentWorker.h"
#include "SwiftMetadata.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct context_descriptor {
    uint32_t flags; /* the lowest 5 bits: 0 is a module, 3 a protocol */
    int32_t parent; /* relative; bit 0: refers to a pointer */
};

struct module_descriptor {
    struct context_descriptor context;
    int32_t name; /* relative */
};

struct protocol_descriptor {
    struct context_descriptor context;
    int32_t name; /* relative */
    uint32_t signature_count; /* generic requirements after the fields */
    uint32_t requirement_count;
    int32_t associated_type_names;
};

struct generic_requirement {
    uint32_t flags; /* the lowest 5 bits: 0 is a conformance to a protocol */
    int32_t parameter; /* relative, to a mangled name */
    int32_t protocol; /* relative; bit 0: refers to a pointer; bit 1: an Objective-C protocol */
};

struct search {
    const void *base;
    const char *own_module;
    void (*found)(const char *, const void *, void *);
    void *context;
};

static const char *module_name(const struct context_descriptor *context) {
    for (int depth = 0; context != NULL && depth < 64; depth++) {
        if ((context->flags & 0x1f) == 0) {
            const struct module_descriptor *module = (const struct module_descriptor *)context;
            return pointer(&module->name, module->name, 0);
        }
        if (context->parent == 0) return "";
        context = pointer(&context->parent, context->parent, 1);
    }
    return "";
}

/* Returns true if the protocol refines `base` through at most `steps` intermediate protocols. */
static bool refines(const struct protocol_descriptor *protocol, const void *base, int steps) {
    const struct generic_requirement *requirement = (const struct generic_requirement *)(protocol + 1);
    for (uint32_t i = 0; i < protocol->signature_count; i++, requirement++) {
        if ((requirement->flags & 0x1f) != 0 || requirement->protocol & 2) continue;
        /* The mangled name of Self is `x`. */
        if (strcmp(pointer(&requirement->parameter, requirement->parameter, 0), "x") != 0) continue;
        const struct protocol_descriptor *parent = pointer(&requirement->protocol, requirement->protocol, 3);
        if (parent == base) return true;
        if (steps > 0 && parent != NULL && refines(parent, base, steps - 1)) return true;
    }
    return false;
}

static bool search_image(const struct metadata_sections *sections, void *context) {
    const struct search *search = context;
    const int32_t *entry = (const int32_t *)sections->protocols.start;
    size_t count = sections->protocols.byte_count / sizeof *entry;
    for (size_t i = 0; i < count; i++, entry++) {
        const struct protocol_descriptor *protocol = pointer(entry, *entry, 3);
        if (protocol == NULL || (protocol->context.flags & 0x1f) != 3) continue;
        if (!refines(protocol, search->base, 8)) continue;
        if (strcmp(module_name(&protocol->context), search->own_module) == 0) continue;
        search->found(pointer(&protocol->name, protocol->name, 0), protocol, search->context);
    }
    return true;
}

void intentd_each_refining_protocol(const void *protocol, const char *own_module,
                                    void (*found)(const char *, const void *, void *), void *context) {
    struct search search = {protocol, own_module, found, context};
    swift_enumerateAllMetadataSections(search_image, &search);
}
