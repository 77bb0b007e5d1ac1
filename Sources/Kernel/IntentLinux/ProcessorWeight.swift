/// The weight of this process's cgroup when cgroups compete for processors: `cpu.weight`, or `cpu.shares` of version 1
/// (cgroups(7)).
package struct ProcessorWeight: Sendable {
    private let group: OwnCgroup?

    /// - Parameter read: Returns the contents of a file, or nil if it cannot be read.
    package init(read: (_ path: String) -> String? = { try? File.text(at: $0) }) {
        group = OwnCgroup(of: "cpu", read: read)
    }

    /// Returns the reason why this process has no more weight than a process without `CPUWeight=`
    /// (systemd.resource-control(5)), as text for users; nil if it has more.
    package func shortcoming(read: (_ path: String) -> String? = { try? File.text(at: $0) }) -> String? {
        guard let group else { return "no cgroup hierarchy with the cpu controller is mounted" }
        let (name, standard) = group.version == 1 ? ("cpu.shares", 1024) : ("cpu.weight", 100)
        guard let text = read("\(group.folder)/\(name)"),
            let weight = text.split(whereScalar: \.properties.isWhitespace).first.flatMap({ Int($0) })
        else {
            return "'\(group.folder)' has no \(name): the cpu controller is not enabled for this cgroup"
        }
        return weight > standard ? nil : "'\(group.folder)/\(name)' is \(weight), not more than the default \(standard)"
    }
}
