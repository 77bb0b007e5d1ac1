#define _GNU_SOURCE
#include "Attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Changes the root to the working directory, leaves it upwards through a folder outside, and looks for the host. Fails
 * with ENOTUNIQ if it finds the host. */
static long change_root(void) {
    int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (chroot(".")) return -1;
    if (fchdir(root)) return -1;
    for (int level = 0; level < 64; level++)
        if (chdir("..")) return -1;
    int sees_host = chroot(".") || !access("etc/shadow", F_OK) || !access("root", F_OK) || access("proc/self", F_OK);
    if (fchdir(here)) return -1;
    close(root);
    close(here);
    errno = ENOTUNIQ;
    return sees_host ? -1 : 0;
}

/* Calls with arguments that a privileged caller could use, or that fail for reasons other than the sandbox. */
static long mount_call(const char *name) {
    if (!strcmp(name, "mount")) return mount("tmpfs", ".", "tmpfs", 0, NULL);
    if (!strcmp(name, "bind mount")) return mount("/etc", ".", NULL, MS_BIND, NULL);
    if (!strcmp(name, "remount")) return mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL);
    if (!strcmp(name, "umount")) return umount2("/proc", MNT_DETACH);
    if (!strcmp(name, "umount of etc")) return umount2("/etc/localtime", MNT_DETACH);
    if (!strcmp(name, "pivot_root")) return syscall(SYS_pivot_root, ".", ".");
    if (!strcmp(name, "chroot")) return change_root();
    if (!strcmp(name, "open_tree")) return syscall(428, AT_FDCWD, "/", 1);
    if (!strcmp(name, "move_mount")) return syscall(429, AT_FDCWD, "/proc", AT_FDCWD, ".", 0);
    if (!strcmp(name, "fsopen")) return syscall(430, "tmpfs", 0);
    if (!strcmp(name, "fspick")) return syscall(433, AT_FDCWD, "/", 0);
    if (!strcmp(name, "mount_setattr")) return syscall(442, AT_FDCWD, "/", 0, (unsigned long long[4]){0, 1, 0, 0}, 32);
    if (!strcmp(name, "statmount")) return syscall(457, NULL, NULL, 0, 0);
    if (!strcmp(name, "listmount")) return syscall(458, NULL, NULL, 0, 0);
    if (!strcmp(name, "open_by_handle_at")) return syscall(SYS_open_by_handle_at, AT_FDCWD, NULL, O_RDONLY);
    if (!strcmp(name, "name_to_handle_at")) return syscall(SYS_name_to_handle_at, AT_FDCWD, "/", NULL, NULL, 0);
    if (!strcmp(name, "fanotify_init")) return syscall(SYS_fanotify_init, 0, 0);
    if (!strcmp(name, "quotactl")) return syscall(SYS_quotactl, 0, NULL, 0, NULL);
    errno = EDOM;
    return -1;
}

static long try_mount(const char *name, struct notes *notes) {
    (void)notes;
    return mount_call(name);
}

static long identity_call(const char *name) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct all[2] = {{~0U, ~0U, ~0U}, {~0U, ~0U, ~0U}};
    gid_t root = 0;
    if (!strcmp(name, "setuid")) return syscall(SYS_setuid, 0);
    if (!strcmp(name, "setresuid")) return syscall(SYS_setresuid, 0, 0, 0);
    if (!strcmp(name, "setreuid")) return syscall(SYS_setreuid, 0, 0);
    if (!strcmp(name, "setfsuid")) return syscall(SYS_setfsuid, 0);
    if (!strcmp(name, "setgid")) return syscall(SYS_setgid, 0);
    if (!strcmp(name, "setgroups")) return syscall(SYS_setgroups, 1, &root);
    if (!strcmp(name, "capset")) return syscall(SYS_capset, &header, all);
    if (!strcmp(name, "keep capabilities")) return prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
    if (!strcmp(name, "ambient capabilities")) return prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0);
    if (!strcmp(name, "secure bits")) return prctl(PR_SET_SECUREBITS, 0, 0, 0, 0);
    if (!strcmp(name, "new privileges")) return prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0);
    if (!strcmp(name, "dumpable")) return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    if (!strcmp(name, "any tracer")) return prctl(0x59616d61 /* PR_SET_PTRACER */, -1, 0, 0, 0);
    if (!strcmp(name, "subreaper")) return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    if (!strcmp(name, "personality")) return personality(ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC);
    if (!strcmp(name, "sethostname")) return syscall(SYS_sethostname, "owned", 5);
    /* A filter that allows everything does not lift the earlier ones. */
    if (!strcmp(name, "own filter")) {
        struct {
            unsigned short code;
            unsigned char jt, jf;
            unsigned k;
        } allow = {6, 0, 0, 0x7fff0000};
        struct {
            unsigned short count;
            void *filter;
        } program = {1, &allow};
        if (syscall(SYS_seccomp, 1, 0, &program)) return -1;
        return (long)socket(AF_UNIX, SOCK_STREAM, 0);
    }
    errno = EDOM;
    return -1;
}

static long try_identity(const char *name, struct notes *notes) {
    (void)notes;
    return identity_call(name);
}

static long kernel_call(const char *name) {
    static char zeroes[256];
    if (!strcmp(name, "init_module")) return syscall(SYS_init_module, zeroes, sizeof zeroes, "");
    if (!strcmp(name, "finit_module")) return syscall(SYS_finit_module, 0, "", 0);
    if (!strcmp(name, "delete_module")) return syscall(SYS_delete_module, "nothing", O_NONBLOCK);
    if (!strcmp(name, "kexec_load")) return syscall(SYS_kexec_load, 0, 0, NULL, 0);
    if (!strcmp(name, "bpf")) return syscall(SYS_bpf, 0, zeroes, 32);
    if (!strcmp(name, "perf_event_open")) {
        struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE, .size = sizeof event, .exclude_kernel = 1};
        return syscall(SYS_perf_event_open, &event, 0, -1, -1, 0);
    }
    if (!strcmp(name, "userfaultfd")) return syscall(SYS_userfaultfd, 1);
    if (!strcmp(name, "io_uring_setup")) return syscall(425, 1, zeroes);
    if (!strcmp(name, "add_key")) return syscall(SYS_add_key, "user", "key", "x", 1, -3);
    if (!strcmp(name, "keyctl")) return syscall(SYS_keyctl, 0, -3, 0);
    if (!strcmp(name, "request_key")) return syscall(SYS_request_key, "user", "key", NULL, 0);
    if (!strcmp(name, "memfd_secret")) return syscall(447, 0);
    /* Invalid magic numbers, so that the host cannot reboot. */
    if (!strcmp(name, "reboot")) return syscall(SYS_reboot, 0, 0, 0, NULL);
    if (!strcmp(name, "swapoff")) return syscall(SYS_swapoff, "nothing");
    if (!strcmp(name, "acct")) return syscall(SYS_acct, "nothing");
    if (!strcmp(name, "syslog")) return syscall(SYS_syslog, 3, zeroes, sizeof zeroes);
    if (!strcmp(name, "settimeofday")) return syscall(SYS_settimeofday, NULL, NULL);
    if (!strcmp(name, "clock_settime")) return syscall(SYS_clock_settime, 0, NULL);
    if (!strcmp(name, "vhangup")) return syscall(SYS_vhangup);
    if (!strcmp(name, "mlockall")) return syscall(SYS_mlockall, 1);
    if (!strcmp(name, "shmget")) return syscall(SYS_shmget, 0, 4096, 01600);
    if (!strcmp(name, "mq_open")) return syscall(SYS_mq_open, "queue", O_RDWR | O_CREAT, 0600, NULL);
#ifdef __x86_64__
    if (!strcmp(name, "iopl")) return syscall(SYS_iopl, 3);
    if (!strcmp(name, "modify_ldt")) return syscall(SYS_modify_ldt, 0, zeroes, sizeof zeroes);
#endif
    char key = 'x';
    if (!strcmp(name, "TIOCSTI")) return ioctl(0, TIOCSTI, &key);
    if (!strcmp(name, "TIOCLINUX")) return ioctl(0, 0x541C, &key);
    /* The kernel ignores the upper 32 bits of the register, and so must the filter. */
    if (!strcmp(name, "TIOCSTI with high bits")) return syscall(SYS_ioctl, 0, 0xdead00005412ULL | 1ULL << 40, &key);
    if (!strcmp(name, "TIOCSCTTY")) return ioctl(0, TIOCSCTTY, 1);
    if (!strcmp(name, "writable code")) {
        void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return code == MAP_FAILED ? -1 : 0;
    }
    if (!strcmp(name, "mapped null")) {
        void *null = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        return null == MAP_FAILED ? -1 : 0;
    }
    errno = EDOM;
    return -1;
}

static long try_kernel(const char *name, struct notes *notes) {
    (void)notes;
    return kernel_call(name);
}

/* System calls of another instruction set, where the numbers have other meanings. */
static long try_other_calls(const char *name, struct notes *notes) {
    (void)notes;
#ifdef __x86_64__
    if (!strcmp(name, "x32")) return syscall(0x40000000 | SYS_getpid);
    long result;
    /* getpid of 32-bit programs. */
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory");
    errno = (int)-result;
    return result < 0 ? -1 : result;
#else
    (void)name;
    errno = ENOSYS;
    return -1;
#endif
}

const struct attempt kernel_attempts[] = {
    {"mounts", try_mount, INSIDE_ONLY},
    {"identity", try_identity, HARMLESS},
    {"kernel", try_kernel, INSIDE_ONLY},
    {"other calls", try_other_calls, HARMLESS},
    {NULL, NULL, HARMLESS},
};
