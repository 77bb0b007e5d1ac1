#define _GNU_SOURCE
#include "CIntentLinux.h"
#include "ToolFilter.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Landlock's structure, including fields that the headers of Debian 12 lack. */
struct ruleset_attributes {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};

/* The rights to change files and folders in the first version of Landlock (Linux 5.13), and those of later versions. */
static const uint64_t writing =
    LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
    LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
    LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
    LANDLOCK_ACCESS_FS_MAKE_SYM;
enum { FS_REFER = 1 << 13, FS_TRUNCATE = 1 << 14, FS_IOCTL_DEV = 1 << 15 };
enum { NET_BIND_TCP = 1, NET_CONNECT_TCP = 2 };
enum { SCOPE_ABSTRACT_UNIX_SOCKET = 1, SCOPE_SIGNAL = 2 };

static void limit(__rlimit_resource_t resource, rlim_t value) {
    struct rlimit limit = {value, value};
    setrlimit(resource, &limit);
}

/* Denies all writing, all TCP, and signals and abstract sockets outside the tool, as far as the kernel's version of
 * Landlock can. Returns 0 without effect on a kernel without Landlock, and -1 on failure. */
static int restrict_access(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return 0;
    struct ruleset_attributes attributes = {.handled_access_fs = writing};
    if (version >= 2) attributes.handled_access_fs |= FS_REFER;
    if (version >= 3) attributes.handled_access_fs |= FS_TRUNCATE;
    if (version >= 4) attributes.handled_access_net = NET_BIND_TCP | NET_CONNECT_TCP;
    if (version >= 5) attributes.handled_access_fs |= FS_IOCTL_DEV;
    if (version >= 6) attributes.scoped = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL;
    /* An older kernel accepts a larger structure if the fields that the kernel does not support are zero. */
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
    return ruleset < 0 || syscall(SYS_landlock_restrict_self, ruleset, 0) ? -1 : 0;
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
    if (restrict_access() || intentd_load_tool_filter()) _exit(126);
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
