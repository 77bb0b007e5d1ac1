#define _GNU_SOURCE
#include "CIntentLinux.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The rights to change files and folders that the first version of Landlock (Linux 5.13) can deny. */
static const uint64_t writing =
    LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
    LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
    LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
    LANDLOCK_ACCESS_FS_MAKE_SYM;

static void limit(__rlimit_resource_t resource, rlim_t value) {
    struct rlimit limit = {value, value};
    setrlimit(resource, &limit);
}

/* Runs in the child, and makes only calls that are safe after fork(2) in a process with threads. */
static void __attribute__((noreturn)) become_tool(const char *program, char *const *arguments,
                                                  char *const *environment, int output, int silence) {
    if (dup2(silence, 0) < 0 || dup2(output, 1) < 0 || dup2(silence, 2) < 0) _exit(126);
    syscall(SYS_close_range, 3, ~0U, 0);
    limit(RLIMIT_CPU, 20);
    limit(RLIMIT_AS, (rlim_t)4 << 30);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_CORE, 0);
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0}};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(SYS_capset, &header, none)) _exit(126);
    struct landlock_ruleset_attr attributes = {.handled_access_fs = writing};
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0);
    /* On a kernel without Landlock, only the other restrictions apply. */
    if (ruleset >= 0 && syscall(SYS_landlock_restrict_self, ruleset, 0)) _exit(126);
    execve(program, arguments, environment);
    _exit(127);
}

pid_t intentd_start_confined_tool(const char *program, char *const *arguments, char *const *environment, int output,
                                  int silence) {
    sigset_t all, previous;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous);
    pid_t child = fork();
    if (child == 0) {
        struct sigaction standard = {.sa_handler = SIG_DFL};
        for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        become_tool(program, arguments, environment, output, silence);
    }
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    errno = error;
    return child;
}

/* The Swift runtime exports this function (include/swift/Demangling/Demangle.h). The reference is weak, because a later
 * runtime may lack it. */
extern char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size, uint32_t flags)
    __attribute__((weak));

char *intentd_demangle(const char *name) {
    return swift_demangle ? swift_demangle(name, strlen(name), NULL, NULL, 0) : NULL;
}
