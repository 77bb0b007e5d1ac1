extension Attempt {
    /// Changes of mode, owner and times outside the run's own folders, even where its user owns the file.
    static let metadata: [Attempt] =
        refused("EPERM|ENOENT", "change", pathsOutside) + fromOtherTasks + swapped
        + refused("EPERM", in: .writer, "change", ["{folder}/out", "/runs", "/state"])
        + refused("EPERM", in: .subprocesses, "change in a child", ["{neighbour}", "/state", "/proc/self/root/runs"])

    private static let pathsOutside: [String] = [
        "/runs", "/runs/.", "//runs//", "/tmp/..", "..", ".", "/", "/tmp", "/state", "/state/../runs", "/proc",
        "/proc/self/cwd", "/proc/self/cwd/..", "/proc/self/root/runs", "/proc/thread-self/root/runs",
        "/proc/self/fd/4", "/proc/self/fd/4/..", "/proc/self/task/../cwd/..", "{executable}", "/etc/passwd",
        "/dev/null", "/proc/self/stat", "/proc/self/exe", "/proc/self/ns/user", "{neighbour}", "../{name}",
        "/proc/self/cwd/../{name}", "/tmp/../{name}", "/proc/1/cwd", "/proc/1/root/runs", "/proc/{process}/cwd",
        "/proc/{process}/cwd/secret", "/proc/self/../{process}/cwd/secret",
        "/proc/self/task/../../{process}/root/runs", "/not there", "",
    ]

    private static let fromOtherTasks: [Attempt] = ["/runs", "."].flatMap { path -> [Attempt] in
        refused("EPERM", "change in a thread", [path])
            + refused("EPERM", in: .subprocesses, "change in a child", [path])
    }

    private static let swapped: [Attempt] = ["path", "descriptor", "link"].flatMap { what -> [Attempt] in
        refused("EPERM", "change by a swapped \(what)", ["/runs", "."])
    }
}
