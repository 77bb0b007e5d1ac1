import Glibc
import IntentLinux

/// Reads the process tree from /proc. Used as a fallback for workers without a cgroup.
package enum ProcessTree {
    /// Returns the children of a process, including zombies.
    package static func children(of parent: Int32) -> [Int32] {
        snapshot().filter { $0.parent == parent }.map(\.process)
    }

    /// Returns all descendants of a set of processes, according to a single scan of /proc.
    package static func descendants(of ancestors: Set<Int32>) -> Set<Int32> {
        let all = snapshot()
        var found: Set<Int32> = []
        var frontier = ancestors
        while !frontier.isEmpty {
            frontier = Set(all.filter { frontier.contains($0.parent) }.map(\.process)).subtracting(found)
            found.formUnion(frontier)
        }
        return found
    }

    /// Returns true for a running process, and false for a zombie or a process that was reaped.
    package static func isAlive(_ process: Int32) -> Bool {
        ProcessStat(at: "/proc/\(process)/stat")?.isAlive ?? false
    }

    /// Returns the path of a process's cgroup in the cgroup2 hierarchy, or nil for the root cgroup. Also works for
    /// zombies.
    package static func cgroup(of process: Int32) -> String? {
        let path = File.restOfLine(startingWith: "0::", at: "/proc/\(process)/cgroup")
        return path == "/" ? nil : path.map { String($0) }
    }

    private static func snapshot() -> [(process: Int32, parent: Int32)] {
        let names = (try? File.names(in: "/proc")) ?? []
        return names.compactMap { name in
            // Skip a process that has been reaped since the names were read.
            guard let process = Int32(name), let stat = ProcessStat(at: "/proc/\(name)/stat") else { return nil }
            return (process, stat.parent)
        }
    }
}
