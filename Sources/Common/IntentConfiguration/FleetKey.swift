package import IntentLauncherMessages

/// The keys of `[Fleet]`.
enum FleetKey: String, SettingKey {
    case fleet = "Fleet"
    case hosts = "Hosts"
    /// The key is valid only in `intentd.conf`.
    case user = "User"

    /// The keys that are valid in the apps' files, including `[Intent NAME]`.
    static let ofApps: [FleetKey] = [.fleet, .hosts]
    static let ofService: [FleetKey] = [.user]

    var manual: SettingManual {
        switch self {
        case .fleet:
            SettingManual(
                .choice(FleetSettings.Choice.allCases.map(\.rawValue)),
                standard: "no",
                example: "no",
                """
                Determines whether the hosts of a fleet may perform the intents for one another, and how often they may
                perform one run.
                With
                .Cm once
                and
                .Cm exclusive ,
                a run is performed at most once, and ends with the outcome
                .Li hostLost
                if its host is lost.
                With
                .Cm exclusive ,
                the host also stops the run before other hosts regard the host as lost.
                With
                .Cm retryable ,
                a host performs the run again if its host is lost, or if the host's launcher exits during the run.
                The settings of the host that performs a run apply.
                With a state folder,
                .Cm Hosts=
                must name one host.
                """
            )
        case .hosts:
            SettingManual(
                .list(name: "host", of: "names of hosts, and labels of hosts after an @, separated by spaces"),
                standard: "every host on which the app is installed",
                example: "web1 @gpu",
                """
                The hosts that perform the intents for the fleet.
                .Cm Labels=
                in
                .Pa /etc/intentd/fleet.conf
                sets the labels of a host.
                An empty value clears the list.
                """
            )
        case .user:
            SettingManual(
                .value(name: "user", of: "a name or uid"),
                example: "intentd-fleet",
                """
                The user of
                .Xr intentd-fleet 8 ,
                which performs the intents with
                .Cm Fleet=
                for users of other hosts.
                A user of another host has the name
                .Ar name Ns @ Ns Ar host ,
                for example in
                .Cm AllowUsers= ,
                and a separate sandbox, state folder and history.
                """
            )
        }
    }
}

/// How a fleet may perform an app's intents (`[Fleet]`, or keys of `[Intent NAME]`).
package struct FleetSettings: Equatable, Sendable {
    /// The values of `Fleet=`.
    enum Choice: String, CaseIterable, Sendable {
        case no
        case once
        case retryable
        case exclusive
    }

    var choice = Choice.no
    var hosts: [String] = []

    package init() {}

    /// Returns the rule; nil if a fleet may not perform the intents.
    ///
    /// - Parameter retry: The rule of `Retry=`, which also applies to lost hosts.
    package func rule(_ retry: RetryRule) -> FleetRule? {
        let tries = retry.count > 0 ? retry.count + 1 : FleetRule.defaultTries
        return switch choice {
        case .no: nil
        case .once, .retryable, .exclusive:
            FleetRule(FleetRule.Policy(rawValue: choice.rawValue), tries: tries, hosts: hosts)
        }
    }

    /// True if at most one host of the fleet performs the intents. All runs then use the same state folder.
    var isOnOneHost: Bool { choice == .no || hosts.count == 1 && !hosts[0].hasPrefix(utf8: "@") }

    /// Applies an assignment. Returns false for a key other than `Fleet=` and `Hosts=`.
    ///
    /// - Throws: ``ConfigurationProblem`` for an invalid value. In that case, the app must not run.
    mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> Bool {
        switch FleetKey(rawValue: assignment.key) {
        case .fleet: choice = assignment.value.isEmpty ? .no : try assignment.word()
        case .hosts:
            hosts = try assignment.list(after: hosts, as: "a host's name, or a label after an @") { word in
                let name = word.hasPrefix(utf8: "@") ? word.dropFirst(scalars: 1) : Substring(word)
                return Self.isHostName(name) ? word : nil
            }
        case .user, nil: return false
        }
        return true
    }

    /// Returns true for a host's name or label: 1 to 63 lower-case letters, digits, dots, hyphens and underscores.
    package static func isHostName(_ name: some StringProtocol) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        let bytes = Array(name.utf8)
        guard (1...63).contains(bytes.count), isLetter(bytes[0]), isLetter(bytes[bytes.count - 1]) else { return false }
        return bytes.allSatisfy { isLetter($0) || "._-".utf8.contains($0) }
    }
}
