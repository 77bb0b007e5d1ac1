#ifndef CATTACKER_H
#define CATTACKER_H
/* Attempts to escape a sandbox, selected by name. */
#include <stddef.h>

#pragma clang assume_nonnull begin

/* Makes an attempt and writes its outcome: the errno name of the refusal, or "done" and what the attempt obtained. */
void attacker_try(const char *name, const char *detail, char *text, size_t room);

/* Makes the attempts of a list, each in its own process. Each line of the list is a name and a detail, separated by a tab.
 * Each line of the outcomes also has the outcome; the last line is "end". Returns 0 or an errno. */
int attacker_try_list(const char *list_path, const char *outcomes_path);

/* Sends one record with descriptors on the worker's own socket, as its library would. Returns 0 or an errno. */
int attacker_send(const void *bytes, size_t count, const int *_Nullable descriptors, size_t descriptor_count);

/* Returns a descriptor of a kind: "folder", "device", "pipe", "file", "unsealed", "sealed", "self"; or -1 with errno. */
int attacker_descriptor(const char *kind);

/* Starts a thread that forever alternates between a file and a link to the target at the path. */
void attacker_swap(const char *path, const char *target);

#pragma clang assume_nonnull end
#endif
