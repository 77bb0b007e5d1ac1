/* pid 1 of a sandbox in the kernel's place: mode, owner and times of files are changed below the folders that the app
 * was given, and nowhere else. Landlock has no right for them, and who runs as a file's owner may change them
 * (landlock(7)).
 *
 * Only for the C files of this folder. No allocation: it runs in a child of the launcher's that never executed. */
#ifndef INTENTD_METADATA_H
#define INTENTD_METADATA_H
#include "CIntentLaunch.h"

/* Answers one call of those that wait at the listener of the filter (seccomp_unotify(2)): makes it where it may be made.
 * Runs take turns: the next answer goes to the run that has waited longest for one, however many calls another has there.
 *
 * Returns 1 while more calls wait that were received already, 0 when none does, and -1 when the listener is of no use any
 * more. */
int intentd_answer_metadata(int listener, const struct intentd_metadata *metadata);

#endif
