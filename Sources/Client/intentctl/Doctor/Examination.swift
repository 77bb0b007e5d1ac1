/// Derives findings from facts about a host. The result depends only on the facts.
package struct Examination {
    private let facts: HostFacts

    package init(_ facts: HostFacts) {
        self.facts = facts
    }

    package var findings: [Finding] {
        daemon + fleet + protection(of: facts.service, isService: true, "isolation of the service")
            + protection(of: facts.own, isService: false, "isolation of private runs") + weight + disks + clock
    }

    // MARK: The daemon

    private var daemon: [Finding] {
        findings(about: facts.service, "service", unit: "intentd", cure: "intentctl list") { path in
            Finding(
                "service",
                lacks: "'\(path)' does not exist: the service is not \(facts.hasUnits ? "running" : "installed")",
                facts.hasUnits
                    ? [asRoot("systemctl enable intentd"), asRoot("systemctl restart intentd.socket")] : [installation]
            )
        }
    }

    private var fleet: [Finding] {
        findings(about: facts.fleet, "fleet", unit: "intentd-fleet", cure: "intentctl fleet nodes") { _ in nil }
    }

    /// - Parameters:
    ///   - cure: The step for a problem without a hint.
    ///   - absence: Returns the finding about a socket that does not exist.
    private func findings(
        about daemon: HostFacts.Daemon,
        _ subject: String,
        unit: String,
        cure: String,
        _ absence: (_ path: String) -> Finding?
    ) -> [Finding] {
        let journal = asRoot("journalctl -u \(unit) -n 20")
        switch daemon {
        case .answers(let status):
            let problems = status.problems ?? []
            if problems.isEmpty { return [Finding(subject, "\(status.software) answers")] }
            return problems.map { problem in
                let app = problem.app.map { "\($0) cannot be used: " } ?? ""
                return Finding(subject, lacks: app + problem.message, [problem.hint ?? cure])
            }
        case .absent(let path): return absence(path).map { [$0] } ?? []
        case .dead(let path):
            let cures = [asRoot("systemctl restart \(unit).socket"), journal]
            return [Finding(subject, lacks: "no program listens on '\(path)'", cures)]
        case .forbidden(let path): return [Finding(subject, lacks: "no permission to use '\(path)'", membershipCures)]
        case .fails(let message, let hint): return [Finding(subject, lacks: message, [hint ?? journal])]
        }
    }

    private var installation: String {
        switch facts.family {
        case .debian: asRoot("apt install ./intentd_*.deb ./intentctl_*.deb")
        case .fedora, .other: asRoot("units/install") + "   (in the source folder of intentd, after a build)"
        }
    }

    private var membershipCures: [String] {
        switch facts.membership {
        case .noGroup: [installation]
        case .no: [asRoot("usermod --append --groups intentd \(user)"), "log out and in again"]
        case .sinceLogin: ["log out and in again: you became a member of the group intentd after your last login"]
        case .yes: ["ls -l /run/intentd/intentd.sock   (expected: group intentd, mode 0660)"]
        }
    }

    /// The user's name as a word of a shell.
    private var user: String { ShellWord.quote(facts.userName) }

    // MARK: Isolation

    private func protection(of daemon: HostFacts.Daemon, isService: Bool, _ subject: String) -> [Finding] {
        switch daemon {
        case .answers(let status):
            guard let grade = status.isolationGrade else { return [] }
            let missing = status.isolationMissing ?? []
            let note = Isolation.sandboxPerRun(in: status.isolation).map { [Finding(subject, $0)] } ?? []
            if missing.isEmpty { return [Finding(subject, grade.rawValue)] + note }
            let needs = status.isolationNeeds ?? []
            return note
                + missing.enumerated().map { index, message in
                    Finding(
                        subject,
                        lacks: "\(grade.rawValue): \(message)",
                        index < needs.count ? cures(for: needs[index], isService: isService) : []
                    )
                }
        case .fails(let message, let hint):
            return isService ? [] : [Finding(subject, lacks: message, hint.map { [$0] } ?? [])]
        case .absent, .dead, .forbidden: return []
        }
    }

    private func cures(for need: Isolation.Need, isService: Bool) -> [String] {
        switch need {
        case .sandbox, .fileMetadata: sandboxCures(isService: isService)
        case .users: userCures(isService: isService)
        case .landlock: landlockCures
        case .newerLandlock: ["boot Linux 6.12 or later, such as the kernel of Debian 13"]
        case .cgroup, .memoryController, .cpuController: cgroupCures(isService: isService)
        default: []
        }
    }

    private func sandboxCures(isService: Bool) -> [String] {
        let cures = namespaceCures(isService: isService)
        if !cures.isEmpty { return cures }
        if isService { return [asRoot("journalctl -u intentd-workers -n 20")] }
        guard facts.isFiltered || !facts.coveredFiles.isEmpty else { return [] }
        return [
            "docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined …",
            "podman run --security-opt seccomp=unconfined --security-opt unmask=ALL …",
        ]
    }

    /// Returns the steps that make the kernel permit user namespaces and capabilities in them. Checks the possible
    /// causes in the order of the kernel's own checks.
    private func namespaceCures(isService: Bool) -> [String] {
        if facts.userNamespaceLimit == 0 { return setting("user.max_user_namespaces", 15_000) }
        if facts.permitsUserNamespaces == false { return setting("kernel.unprivileged_userns_clone", 1) }
        if facts.restrictsUserNamespaces, !(isService && facts.hasProfile) {
            return isService ? Self.profileOfPackage.map(asRoot) : profileOfBuild
        }
        return []
    }

    private func setting(_ name: String, _ value: Int) -> [String] {
        [
            "echo '\(name) = \(value)' | \(asRoot("tee /etc/sysctl.d/90-intentd.conf"))",
            asRoot("sysctl --load /etc/sysctl.d/90-intentd.conf"),
        ]
    }

    private static let profileOfPackage = [
        "install -m 644 /usr/share/intentd/apparmor/intentd /etc/apparmor.d/intentd",
        "apparmor_parser --replace /etc/apparmor.d/intentd", "systemctl restart intentd-workers.service",
    ]

    /// The steps that create an AppArmor profile for a build of intentd. The package's profile applies only to
    /// installed programs.
    private var profileOfBuild: [String] {
        let folder = facts.programFolder
        return [
            """
            \(asRoot("tee /etc/apparmor.d/intentd-build")) <<'END'
            abi <abi/4.0>,
            include <tunables/global>
            profile intentd-build "\(folder)/intentd-{launcher,starter}" flags=(unconfined) { userns, }
            END
            """,
            asRoot("apparmor_parser --replace /etc/apparmor.d/intentd-build"),
        ]
    }

    private func userCures(isService: Bool) -> [String] {
        if isService { return ["in /etc/intentd/intentd.conf, set IdRange=FIRST:COUNT to ids that no account uses"] }
        if facts.isRoot { return [] }
        var cures: [String] = []
        if !facts.hasMapper {
            switch facts.family {
            case .debian: cures.append(asRoot("apt install uidmap"))
            case .fedora: cures.append(asRoot("dnf install shadow-utils"))
            case .other: cures.append("install newuidmap and newgidmap, which are part of the shadow package")
            }
        }
        if !facts.hasSubordinateIDs {
            // Assign 65,536 ids, as useradd(8) does.
            let range = "\(facts.firstFreeSubordinateID)-\(facts.firstFreeSubordinateID &+ 65_535)"
            cures.append(asRoot("usermod --add-subuids \(range) --add-subgids \(range) \(user)"))
        }
        return cures.isEmpty ? namespaceCures(isService: false) : cures
    }

    private var landlockCures: [String] {
        guard let modules = facts.securityModules, !modules.contains("landlock") else {
            return ["boot Linux 5.13 or later with CONFIG_SECURITY_LANDLOCK"]
        }
        return kernelParameter("lsm=\((["landlock"] + modules).joined(separator: ","))")
    }

    private func cgroupCures(isService: Bool) -> [String] {
        guard let controllers = facts.controllers, controllers.contains("cpu") || controllers.contains("pids") else {
            return kernelParameter("systemd.unified_cgroup_hierarchy=1")
        }
        guard controllers.contains("memory") else {
            return facts.commandLine.contains(utf8: "cgroup_disable=memory")
                ? ["remove cgroup_disable=memory from the kernel's command line, then reboot"]
                : kernelParameter("cgroup_enable=memory")
        }
        if isService { return [asRoot("systemctl restart intentd-workers.service")] }
        return [
            "systemctl --user enable --now intentd.socket   (a daemon of your own, with cgroups: intentctl --user)",
            "or for a single run: systemd-run --user --scope -p Delegate=yes intentctl run --local …",
        ]
    }

    private func kernelParameter(_ parameter: String) -> [String] {
        switch facts.family {
        case .debian:
            [
                "add \(parameter) to GRUB_CMDLINE_LINUX in /etc/default/grub",
                asRoot("update-grub") + " && " + asRoot("reboot"),
            ]
        case .fedora: [asRoot("grubby --update-kernel=ALL --args=\(parameter)") + " && " + asRoot("reboot")]
        case .other: ["add \(parameter) to the kernel's command line, then reboot"]
        }
    }

    // MARK: The machine

    /// The weight of the service when runs use all processors. A private daemon for one run needs none.
    private var weight: [Finding] {
        guard case .answers(let status) = facts.service else { return [] }
        let subject = "processor weight of the service"
        guard let reason = status.missingWeight else { return [Finding(subject, "greater than that of runs")] }
        return [Finding(subject, lacks: "runs that use all processors delay intentd: \(reason)", weightCures)]
    }

    private var weightCures: [String] {
        if let controllers = facts.controllers, !controllers.isEmpty, !controllers.contains("cpu") {
            return ["delegate the controller cpu to this container, such as with Delegate=cpu in its unit"]
        }
        guard facts.hasUnits else { return [installation] }
        return [asRoot("systemctl restart intentd") + "   (only a unit has CPUWeight=, not a daemon started by hand)"]
    }

    /// The minimum free space in bytes, which is enough for a few thousand more runs in history.
    private static let minimumFreeByteCount: UInt64 = 64 << 20

    private var disks: [Finding] {
        facts.disks.map { disk in
            let free = "\(disk.freeByteCount >> 20) MiB are free for '\(disk.path)'"
            return disk.freeByteCount >= Self.minimumFreeByteCount
                ? Finding("disk", free)
                : Finding("disk", lacks: free, ["du -xh --max-depth=2 \(disk.path) | sort -h | tail"])
        }
    }

    private var clock: [Finding] {
        guard let isSynchronized = facts.isClockSynchronized else { return [] }
        return [
            isSynchronized
                ? Finding("clock", "synchronized")
                : Finding(
                    "clock",
                    lacks: "not synchronized: recorded times can be wrong, and timers can fire late or early",
                    [asRoot("timedatectl set-ntp true")]
                )
        ]
    }

    private func asRoot(_ command: String) -> String { facts.isRoot ? command : "sudo \(command)" }
}
