/// The directory of this process's cgroup in one hierarchy (cgroups(7)).
package struct OwnCgroup: Equatable, Sendable {
    package var folder: String
    /// The kernel's interface: 1, or 2 for the unified hierarchy.
    package var version: Int

    /// Finds the cgroup in the hierarchy of version 1 that has a controller, or otherwise in the hierarchy of version 2.
    /// Returns nil if neither is mounted.
    ///
    /// - Parameters:
    ///   - controller: The name of a controller; nil for version 2 only.
    ///   - read: Returns the contents of a file, or nil if it cannot be read.
    package init?(of controller: String? = nil, read: (_ path: String) -> String? = { try? File.text(at: $0) }) {
        // Lines such as '4:cpu,cpuacct:/a' and '0::/a', and '25 20 0:22 / /sys/fs/cgroup/cpu rw - cgroup none rw,cpu'.
        let memberships = File.lines(of: read("/proc/self/cgroup") ?? "").map {
            $0.split(scalar: ":", maxSplits: 2, omittingEmptySubsequences: false)
        }.filter { $0.count == 3 }
        let mounts = File.lines(of: read("/proc/self/mountinfo") ?? "").compactMap { line in
            line.cut(utf8: " - ").map { (place: $0.before.split(scalar: " "), system: $0.after.split(scalar: " ")) }
        }.filter { $0.place.count > 4 && $0.system.count > 2 }
        func has(_ list: Substring) -> Bool { list.split(scalar: ",").contains { String($0) == controller } }
        if let path = memberships.first(where: { has($0[1]) })?[2],
            let mount = mounts.first(where: { $0.system[0] == "cgroup" && has($0.system[2]) })
        {
            self.init(String(mount.place[4]), path, version: 1)
        } else if let path = memberships.first(where: { $0[0] == "0" })?[2],
            let mount = mounts.first(where: { $0.system[0] == "cgroup2" })
        {
            self.init(String(mount.place[4]), path, version: 2)
        } else {
            return nil
        }
    }

    private init(_ mount: String, _ path: Substring, version: Int) {
        folder = path == "/" ? mount : "\(mount)\(path)"
        self.version = version
    }
}
