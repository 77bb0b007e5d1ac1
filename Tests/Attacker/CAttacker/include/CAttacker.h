#ifndef CATTACKER_H
#define CATTACKER_H
/* Ways out of a sandbox, tried one at a time and told by name. Prototypes only. */
#include <stddef.h>

#pragma clang assume_nonnull begin

/* Tries it and writes what came of it: the name of the errno it was refused with, or "done" with what was got. */
void attacker_try(const char *name, const char *detail, char *text, size_t room);

/* One record on the worker's own socket, as its library would send it, with descriptors. 0, or errno. */
int attacker_send(const void *bytes, size_t count, const int *_Nullable descriptors, size_t descriptor_count);

/* A new descriptor of that kind: "folder", "device", "pipe", "file", "unsealed", "sealed", "self"; -1 with errno. */
int attacker_descriptor(const char *kind);

/* Puts by turns a file and a link to the target at the path, for ever, on a thread of its own. */
void attacker_swap(const char *path, const char *target);

#pragma clang assume_nonnull end
#endif
