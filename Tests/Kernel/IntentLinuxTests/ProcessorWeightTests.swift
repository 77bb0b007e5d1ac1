import IntentLinux
import Testing

@Suite struct ProcessorWeightTests {
    /// The files of a host with cgroups of version 2.
    private static let unified = [
        "/proc/self/cgroup": "0::/system.slice/a:b.service\n",
        "/proc/self/mountinfo": """
        22 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw
        30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate
        """,
    ]

    /// The files of a host with the controllers in hierarchies of version 1, and none in the unified hierarchy.
    private static let hybrid = [
        "/proc/self/cgroup": "7:cpuset:/\n4:cpu,cpuacct:/system.slice/a.service\n0::/system.slice/a.service\n",
        "/proc/self/mountinfo": """
        31 22 0:27 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset
        32 22 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
        33 22 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
        """,
    ]

    private static let weight = "/sys/fs/cgroup/system.slice/a:b.service/cpu.weight"
    private static let shares = "/sys/fs/cgroup/cpu,cpuacct/system.slice/a.service/cpu.shares"

    private static func shortcoming(_ files: [String: String]) -> String? {
        ProcessorWeight { files[$0] }.shortcoming { files[$0] }
    }

    private static func shortcoming(_ files: [String: String], _ path: String, _ text: String?) -> String? {
        shortcoming(files.merging(text.map { [path: $0] } ?? [:]) { _, new in new })
    }

    @Test func `a weight above the default is in effect, by either version of cgroups`() {
        #expect(Self.shortcoming(Self.unified, Self.weight, "1000\n") == nil)
        #expect(Self.shortcoming(Self.hybrid, Self.shares, "10240\n") == nil)
    }

    @Test func `the default weight is no weight`() {
        #expect(
            Self.shortcoming(Self.unified, Self.weight, "100\n")
                == "'\(Self.weight)' is 100, not more than the default 100"
        )
        #expect(
            Self.shortcoming(Self.hybrid, Self.shares, "1024\n")
                == "'\(Self.shares)' is 1024, not more than the default 1024"
        )
    }

    @Test(arguments: [nil, "", "x\n"]) func `a cgroup without the controller has no weight`(_ text: String?) {
        #expect(Self.shortcoming(Self.unified, Self.weight, text)?.contains("controller is not enabled") == true)
        #expect(Self.shortcoming(Self.hybrid, Self.shares, text)?.contains("has no cpu.shares") == true)
    }

    @Test func `a host without cgroups has no weight`() {
        #expect(Self.shortcoming([:]) == "no cgroup hierarchy with the cpu controller is mounted")
        var files = Self.unified
        files["/proc/self/mountinfo"] = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\nbroken\n"
        #expect(Self.shortcoming(files) == "no cgroup hierarchy with the cpu controller is mounted")
    }

    @Test func `this process's cgroup is the one that the kernel names`() throws {
        guard let group = OwnCgroup() else { return }
        #expect(group.version == 2)
        #expect(try File.lines(at: "\(group.folder)/cgroup.procs").isEmpty == false)
    }
}
