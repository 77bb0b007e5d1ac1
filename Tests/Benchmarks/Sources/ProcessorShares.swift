import Glibc
import IntentLinux

/// Cgroups with the processor weights of the shipped units: intentd.service (`CPUWeight=1000`) and
/// intentd-workers.service (the default, 100) in one slice.
///
/// The folders are removed when the instance is released, if their processes have exited.
final class ProcessorShares {
    private let slice: String
    private var folders: [String] { ["\(slice)/intentd", "\(slice)/workers", slice] }

    /// Fails if this user cannot create cgroups with a cpu controller.
    init?() {
        // cgroups(7): version 2 has cpu.weight with the default 100, and version 1 has cpu.shares with the default
        // 1024.
        let controllers = (try? File.text(at: "/sys/fs/cgroup/cgroup.subtree_control")) ?? ""
        let isVersion2 = controllers.split(whereSeparator: \.isWhitespace).contains("cpu")
        let root = isVersion2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu"
        guard isVersion2 || access("\(root)/cpu.shares", F_OK) == 0 else { return nil }
        slice = "\(root)/intentd-benchmark-\(getpid())"
        for folder in folders.reversed() {
            guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { return nil }
            if isVersion2, folder == slice, (try? File.put("+cpu", at: "\(slice)/cgroup.subtree_control")) == nil {
                return nil
            }
        }
        let (file, weight) = isVersion2 ? ("cpu.weight", "1000") : ("cpu.shares", "10240")
        guard (try? File.put(weight, at: "\(slice)/intentd/\(file)")) != nil else { return nil }
    }

    deinit { for folder in folders { rmdir(folder) } }

    func place(intentd process: Int32) throws { try File.put("\(process)", at: "\(slice)/intentd/cgroup.procs") }

    func place(launcher process: Int32) throws { try File.put("\(process)", at: "\(slice)/workers/cgroup.procs") }
}
