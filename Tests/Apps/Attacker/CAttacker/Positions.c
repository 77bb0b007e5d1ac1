#define _GNU_SOURCE
#include "Attempts.h"
#include "CAttacker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Attempts from where an app's code has more privileges than in a run: before main, and in its fork server after the first
 * command. A child makes them, with all the privileges of its parent, so that the fork server keeps running. */

enum { ATTEMPT_MILLISECONDS = 5000 };

/* Makes one attempt in its own process, because some attempts kill the process that makes them. */
static void try_alone(const char *name, const char *detail, char *outcome, size_t room) {
    int ends[2];
    snprintf(outcome, room, "no process");
    if (pipe2(ends, O_CLOEXEC)) return;
    pid_t child = fork();
    if (child < 0) return;
    if (child == 0) {
        char text[4096];
        /* Signals to its process group reach only itself. */
        setsid();
        attacker_try(name, detail, text, sizeof text);
        ssize_t written = write(ends[1], text, strlen(text));
        _exit(written < 0);
    }
    close(ends[1]);
    struct pollfd told = {ends[0], POLLIN, 0};
    ssize_t count = poll(&told, 1, ATTEMPT_MILLISECONDS) == 1 ? read(ends[0], outcome, room - 1) : -1;
    if (count < 0) kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    if (count > 0)
        outcome[count] = 0;
    else
        snprintf(outcome, room, "ended with signal %d", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    close(ends[0]);
    for (char *next = outcome; *next; next++)
        if (*next == '\n' || *next == '\t') *next = ' ';
}

int attacker_try_list(const char *list_path, const char *outcomes_path) {
    FILE *list = fopen(list_path, "re"), *outcomes = list ? fopen(outcomes_path, "we") : NULL;
    if (!outcomes) {
        int error = errno;
        if (list) fclose(list);
        return error;
    }
    char line[1024], outcome[4096];
    while (fgets(line, sizeof line, list)) {
        line[strcspn(line, "\n")] = 0;
        char *detail = strchr(line, '\t');
        if (!detail) continue;
        *detail++ = 0;
        fflush(outcomes);
        try_alone(line, detail, outcome, sizeof outcome);
        fprintf(outcomes, "%s\t%s\t%s\n", line, detail, outcome);
    }
    fprintf(outcomes, "end\n");
    fclose(list);
    return fclose(outcomes) ? errno : 0;
}

static const char outcomes_path[] = "/state/outcomes";

static void begin(void) {
    const char *list = getenv("ATTACKER_LIST");
    struct stat status;
    /* Makes the attempts once, however often the fork server is started. */
    if (!list || stat(outcomes_path, &status) == 0) return;
    int made = open(outcomes_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (made < 0) return;
    close(made);
    if (fork() == 0) {
        setsid();
        /* Open descriptors of a worker would keep its run from ending. */
        syscall(SYS_close_range, 4, ~0U, 0);
        mkdir("/state/work", 0700);
        _exit(chdir("/state/work") || attacker_try_list(list, outcomes_path));
    }
}

static int waits_for_command;

/* Intercepts the library's calls: the executable's definition precedes that of the C library. */
ssize_t recvmsg(int socket, struct msghdr *message, int flags) {
    ssize_t count = syscall(SYS_recvmsg, socket, message, flags);
    if (count > 0 && socket == 3 && waits_for_command) {
        waits_for_command = 0;
        begin();
    }
    return count;
}

static void __attribute__((constructor)) take_position(void) {
    const char *mode = getenv("INTENTD_MODE"), *position = getenv("ATTACKER_POSITION");
    if (!mode || !position || strcmp(mode, "serve")) return;
    if (!strcmp(position, "constructor")) begin();
    waits_for_command = !strcmp(position, "serving");
}
