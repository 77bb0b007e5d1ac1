import IntentClient
import Testing

@testable import intentctl

/// Tests the findings that `intentctl doctor` derives from facts about a host.
@Suite struct ExaminationTests {
    private static func status(_ needs: [Isolation.Need] = [], problems: [ServiceProblem] = []) -> DaemonStatus {
        DaemonStatus(
            software: "intentd 1",
            uptime: .zero,
            runningCount: 0,
            queuedCount: 0,
            endedCount: 0,
            appCount: 0,
            isolation: Isolation(
                grade: needs.isEmpty ? .full : needs.contains(.sandbox) ? .none : .reduced,
                parts: [],
                missing: needs.map { "lacks \($0.rawValue)" },
                needs: needs
            ),
            problems: problems
        )
    }

    private static func facts(service: [Isolation.Need] = [], own: [Isolation.Need] = []) -> HostFacts {
        var facts = HostFacts(service: .answers(status(service)), own: .answers(status(own)))
        facts.family = .debian
        facts.userName = "ann"
        facts.controllers = ["cpu", "io", "memory", "pids"]
        return facts
    }

    private static func cures(_ facts: HostFacts) -> String {
        Examination(facts).findings.filter { $0.state == .lacking }.flatMap(\.cures).joined(separator: "\n")
    }

    @Test func `a host that lacks nothing needs no steps`() {
        var facts = Self.facts()
        facts.disks = [.init(path: "/var/lib/intentd", freeByteCount: 1 << 30)]
        facts.isClockSynchronized = true
        let findings = Examination(facts).findings
        #expect(
            findings.map(\.subject) == [
                "service", "isolation of the service", "isolation of private runs", "processor weight of the service",
                "disk", "clock",
            ]
        )
        #expect(findings.allSatisfy { $0.state == .fine && $0.cures.isEmpty })
    }

    @Test func `the price of a sandbox for each run is a finding, but nothing is missing`() {
        var status = Self.status()
        status.isolation = ["own root", Isolation.sandboxPerRun(because: "an old kernel")]
        let findings = Examination(HostFacts(service: .answers(status), own: .absent(path: "/"))).findings
            .filter { $0.subject == "isolation of the service" }
        #expect(findings.count == 2)
        #expect(findings.allSatisfy { $0.state == .fine })
        #expect(findings.last?.message.contains("ms") == true)
    }

    @Test func `a host of a fleet has the fleet's problems among its own, and another host has nothing of it`() {
        var facts = Self.facts()
        #expect(!Examination(facts).findings.contains { $0.subject == "fleet" })
        facts.fleet = .answers(Self.status())
        #expect(Examination(facts).findings.contains(Finding("fleet", "intentd 1 answers")))
        facts.fleet = .answers(
            Self.status(problems: [ServiceProblem(message: "a transaction is open for 70 s", hint: "end it")])
        )
        #expect(
            Examination(facts).findings.contains(Finding("fleet", lacks: "a transaction is open for 70 s", ["end it"]))
        )
        facts.fleet = .dead(path: "/run/x")
        #expect(Self.cures(facts).contains("journalctl -u intentd-fleet"))
    }

    /// A cause in the kernel's files, for a service and for a private run that cannot create a sandbox.
    private static let causes: [(String, @Sendable (inout HostFacts) -> Void, service: String, own: String)] = [
        (
            "no user namespaces", { $0.userNamespaceLimit = 0 }, "user.max_user_namespaces = 15000",
            "user.max_user_namespaces = 15000"
        ),
        (
            "none without privileges", { $0.permitsUserNamespaces = false }, "kernel.unprivileged_userns_clone = 1",
            "kernel.unprivileged_userns_clone = 1"
        ),
        (
            "AppArmor", { $0.restrictsUserNamespaces = true }, "apparmor_parser --replace /etc/apparmor.d/intentd\n",
            "profile intentd-build \"/usr/lib/intentd/intentd-{launcher,starter}\""
        ),
        ("a container's filter", { $0.isFiltered = true }, "journalctl -u intentd-workers", "seccomp=unconfined"),
        ("a masked /proc", { $0.coveredFiles = ["/proc/kcore"] }, "journalctl -u intentd-workers", "unmask=ALL"),
    ]

    @Test(arguments: causes.indices)
    func `a finding about missing sandboxes names the cause in the kernel`(_ index: Int) {
        let (name, change, service, own) = Self.causes[index]
        var facts = Self.facts(service: [.sandbox])
        change(&facts)
        #expect(Self.cures(facts).contains(service), "\(name): \(Self.cures(facts))")
        facts = Self.facts(own: [.sandbox])
        change(&facts)
        #expect(Self.cures(facts).contains(own), "\(name): \(Self.cures(facts))")
    }

    @Test func `an installed profile for the package's folder is not suggested again`() {
        var facts = Self.facts(service: [.sandbox])
        facts.restrictsUserNamespaces = true
        facts.hasProfile = true
        #expect(!Self.cures(facts).contains("apparmor"))
    }

    @Test func `a user without subordinate ids gets ids that no other user has, and the tool that maps them`() {
        var facts = Self.facts(own: [.users])
        facts.hasMapper = false
        facts.hasSubordinateIDs = false
        facts.firstFreeSubordinateID = 165_536
        #expect(
            Self.cures(facts) == """
                sudo apt install uidmap
                sudo usermod --add-subuids 165536-231071 --add-subgids 165536-231071 ann
                """
        )
        facts.family = .fedora
        #expect(Self.cures(facts).hasPrefix("sudo dnf install shadow-utils\n"))
        facts.isRoot = true
        #expect(Self.cures(facts).isEmpty)
    }

    @Test func `missing controllers need the kernel's command line or a cgroup of the caller`() {
        var facts = Self.facts(own: [.memoryController])
        #expect(Self.cures(facts).contains("systemctl --user enable --now intentd.socket"))
        facts.controllers = ["cpu", "io", "pids"]
        #expect(Self.cures(facts).contains("cgroup_enable=memory"))
        facts.commandLine = "quiet cgroup_disable=memory"
        #expect(Self.cures(facts).contains("remove cgroup_disable=memory"))
        for controllers in [nil, []] as [[String]?] {
            facts.controllers = controllers
            #expect(Self.cures(facts).contains("systemd.unified_cgroup_hierarchy=1"))
        }
    }

    @Test func `a service without a weight is restarted as a unit, installed, or given the controller`() {
        var facts = Self.facts()
        var status = Self.status()
        status.missingWeight = "'/sys/fs/cgroup/a/cpu.weight' is 100"
        facts.service = .answers(status)
        let lacking = Examination(facts).findings.filter { $0.state == .lacking }
        #expect(lacking.map(\.subject) == ["processor weight of the service"])
        #expect(lacking.first?.message.contains("delay intentd: '/sys/fs/cgroup/a/cpu.weight' is 100") == true)
        #expect(Self.cures(facts).hasPrefix("sudo systemctl restart intentd "))
        facts.hasUnits = false
        #expect(Self.cures(facts).contains("apt install"))
        facts.controllers = ["memory", "pids"]
        #expect(Self.cures(facts).contains("Delegate=cpu"))
        // Version 1 has the controller, so the unified hierarchy is mounted without any.
        facts.controllers = []
        #expect(Self.cures(facts).contains("apt install"))
    }

    @Test func `Landlock is added to the active security modules`() {
        var facts = Self.facts(service: [.landlock])
        facts.securityModules = ["lockdown", "yama", "apparmor"]
        #expect(Self.cures(facts).contains("lsm=landlock,lockdown,yama,apparmor"))
        facts.securityModules = nil
        #expect(Self.cures(facts).contains("Linux 5.13"))
    }

    @Test func `a service that does not answer is started, restarted, installed or joined`() {
        func cures(_ daemon: HostFacts.Daemon, _ change: (inout HostFacts) -> Void = { _ in }) -> String {
            var facts = Self.facts()
            facts.service = daemon
            change(&facts)
            return Self.cures(facts)
        }
        #expect(cures(.absent(path: "/s")) == "sudo systemctl enable intentd\nsudo systemctl restart intentd.socket")
        #expect(cures(.absent(path: "/s")) { $0.hasUnits = false }.contains("apt install"))
        #expect(cures(.dead(path: "/s")).hasPrefix("sudo systemctl restart intentd.socket\n"))
        let forbidden = HostFacts.Daemon.forbidden(path: "/s")
        #expect(cures(forbidden) { $0.membership = .no }.contains("usermod --append --groups intentd ann"))
        #expect(cures(forbidden) { $0.membership = .sinceLogin }.hasPrefix("log out and in again"))
        #expect(cures(.fails("no", hint: "do this")) == "do this")
    }

    @Test func `problems of the service, a full disk and a wrong clock are findings`() {
        var facts = Self.facts()
        facts.service = .answers(Self.status(problems: [.init(app: "Soup", message: "it has no intents")]))
        facts.disks = [.init(path: "/var/lib/intentd", freeByteCount: 1 << 20)]
        facts.isClockSynchronized = false
        let lacking = Examination(facts).findings.filter { $0.state == .lacking }
        #expect(lacking.map(\.subject) == ["service", "disk", "clock"])
        #expect(lacking[0].message == "Soup cannot be used: it has no intents")
        #expect(lacking.allSatisfy { !$0.cures.isEmpty })
    }

    @Test func `no suggested step weakens the isolation that apps require`() {
        let needs: [Isolation.Need] = [
            .sandbox, .users, .landlock, .newerLandlock, .fileMetadata, .cgroup, .memoryController, .cpuController,
        ]
        for cause in Self.causes.indices {
            for family in [HostFacts.Family.debian, .fedora, .other] {
                var facts = Self.facts(service: needs, own: needs)
                Self.causes[cause].1(&facts)
                facts.family = family
                facts.hasMapper = false
                #expect(!Self.cures(facts).contains("Require="))
            }
        }
    }

    @Test(arguments: [
        ("ID=debian\n", HostFacts.Family.debian), ("NAME=x\nID=mint\nID_LIKE=\"ubuntu debian\"\n", .debian),
        ("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", .fedora), ("ID=arch\n", .other), ("", .other),
    ])
    func `a distribution is recognized by its name or by the name of its parent`(
        _ release: String,
        _ family: HostFacts.Family
    ) {
        #expect(HostFacts.family(of: release) == family)
    }
}
