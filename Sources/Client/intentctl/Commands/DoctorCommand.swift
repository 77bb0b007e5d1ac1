import IntentLinux

/// Implements `intentctl doctor`, which checks whether this host meets the requirements of intentd.
struct DoctorCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        var facts = HostFacts.read(service: await daemon(at: invocation.location), own: await ownDaemon())
        facts.fleet = await daemon(at: Invocation.fleetLocation)
        let findings = Examination(facts).findings
        let lackCount = findings.count { $0.state == .lacking }
        let report = Report(findings: findings, hosts: facts.fleetHosts)
        try invocation.output(json: JSONValue(report), text: Self.text(findings))
        return lackCount == 0 ? .done : .configuration
    }

    /// The output with `--output json`.
    private struct Report: Encodable {
        var findings: [Finding]
        /// The hosts of the fleet; nil for a host without a fleet.
        var hosts: [FleetHost]?
    }

    private static func text(_ findings: [Finding]) -> String {
        let lackCount = findings.count { $0.state == .lacking }
        var lines: [String] = []
        for (index, finding) in findings.enumerated() {
            let mark = finding.state == .fine ? "    " : "  ! "
            lines.append("\(mark)\(finding.subject): \(SafeText.line(finding.message))")
            // If consecutive findings have the same steps, print the steps once, below the last finding.
            if index + 1 < findings.count, findings[index + 1].cures == finding.cures { continue }
            lines += finding.cures.flatMap { File.lines(of: SafeText.printed($0)) }.map { "        \($0)" }
        }
        lines.append(lackCount == 0 ? "nothing is missing" : "missing: \(lackCount)")
        return lines.joined(separator: "\n")
    }

    // MARK: The daemons

    private func daemon(at location: SocketLocation) async -> HostFacts.Daemon {
        do {
            let path = try location.path()
            do throws(SystemError) {
                // Several error numbers map to one client error, so connect directly to obtain the number.
                _ = try UnixSocket.connect(.stream, to: path)
            } catch {
                switch error.code {
                case .noSuchFile, .notDirectory: return .absent(path: path)
                case .connectionRefused: return .dead(path: path)
                case .accessDenied, .notPermitted: return .forbidden(path: path)
                default: return .fails("\(error)", hint: nil)
                }
            }
            let connection = try await invocation.connect(to: location)
            defer { connection.close() }
            return .answers(try await connection.status())
        } catch {
            return Self.failure(error)
        }
    }

    /// Determines the isolation of this user's private runs by starting a private daemon.
    private func ownDaemon() async -> HostFacts.Daemon {
        do {
            return try await LocalDaemon.with("/proc/self/exe", for: .examination, isSilent: true) { connection, name in
                // This request fails, because intentctl is not an app. By then, the launcher has reported
                // the isolation.
                _ = try? await connection.app(named: name)
                return .answers(try await connection.status())
            }
        } catch {
            return Self.failure(error)
        }
    }

    private static func failure(_ error: any Error) -> HostFacts.Daemon {
        let failure = CommandFailure(of: error)
        return .fails(failure.message, hint: failure.hint)
    }
}
