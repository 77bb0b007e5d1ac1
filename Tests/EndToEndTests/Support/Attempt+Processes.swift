extension Attempt {
    private static let signalCalls = [
        "kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_open", "pidfd_send_signal",
    ]

    static let signals =
        signalCalls.flatMap { refused("EPERM", $0, ["{process}", "1", "2"]) }
        + refused("EPERM", "kill", ["-1", "0", "-2", "-{process}"])
        + refused("EPERM", "F_SETOWN", ["{process}", "-1"])
        + refused("EPERM", "F_SETSIG", ["0"])
        + refused("ENOTTY", "FIOSETOWN", ["{process}"])
        // The Landlock scope holds only what the run started, so the call may succeed. The proof is that the neighbours
        // stay undisturbed.
        + refused("EPERM|ESRCH|done", in: .subprocesses, "kill", ["-1", "-2"])
        // A run that may start programs may signal them. Its ancestors and siblings are outside its Landlock scope.
        + refused("EPERM|ESRCH", in: .subprocesses, "kill", ["{process}", "1", "2"])
        + refused("EPERM|ESRCH", in: .subprocesses, "tgkill", ["{process}", "1", "2"])
        + refused("EPERM", in: .subprocesses, "tkill", ["{process}"])
        + refused("EPERM", in: .subprocesses, "rt_sigqueueinfo", ["{process}"])
        + refused("EPERM", in: .subprocesses, "pidfd_open", ["{process}"])

    static let siblings =
        [
            "prlimit", "setpriority", "sched_setaffinity", "sched_setscheduler", "sched_setattr", "ioprio_set",
            "migrate_pages",
        ]
        .flatMap {
            refused("EPERM", $0, ["{process}", "1", "2"]) + refused("EPERM", in: .subprocesses, $0, ["{process}"])
        }
        + refused("EPERM", "setpriority of a group", ["0", "{process}"])
        + refused("EPERM", "setpriority of a user")
        + [
            "process_vm_readv", "process_vm_writev", "kcmp", "ptrace attach", "ptrace seize",
        ]
        .flatMap {
            refused("EPERM", $0, ["{process}", "1", "2"]) + refused("EPERM", in: .subprocesses, $0, ["{process}"])
        }
        + refused("EPERM", "ptrace traceme")

    static let programs =
        refused("EPERM", "execute", ["/bin/sh", "{executable}", "/proc/self/exe", "/lib64/ld-linux-x86-64.so.2"])
        + refused("EPERM", "execute memory")
        + refused("EPERM", "execute script", ["{executable}", "/bin/sh"])
        + refused("EPERM", "execute by loader", ["{executable}", "/bin/sh"])
        + refused("EPERM", "execute in a child", ["/bin/sh"])
        + refused("EPERM", "fork") + refused("EPERM", "vfork")
        + refused(
            "ENOENT|EACCES",
            in: .subprocesses,
            "execute in a child",
            ["/bin/sh", "/usr/bin/env", "/etc/passwd"]
        )

    private static let spaces = ["mounts", "cgroups", "names", "ipc", "users", "processes", "network"]

    static let namespaces =
        refused("EPERM", "unshare", spaces + ["time", "files", "folder", "threads"])
        + refused("EPERM", in: .subprocesses, "unshare", spaces)
        + refused("EPERM", "clone", spaces + ["parent", "nothing"])
        + refused("EPERM", in: .subprocesses, "clone", spaces + ["parent"])
        + refused("ENOSYS", "clone3", spaces + ["parent", "nothing"])
        + refused("ENOSYS", in: .subprocesses, "clone3", ["users", "parent"])
        + refused("EPERM", "setns", ["/proc/self/ns/net", "/proc/self/ns/user", "/proc/1/ns/mnt"])
        + done("done", in: .subprocesses, "clone", "nothing")
}
