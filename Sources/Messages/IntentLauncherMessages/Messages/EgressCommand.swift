/// A command from the launcher to `intentd-egress`, which connects to hosts for the apps with `AllowHosts=`.
package enum EgressCommand: Hashable, Sendable {
    /// Serve a sandbox. Attached are sockets of its network namespace: for DNS, and a listening socket for each port.
    ///
    /// The generation is 0, and one higher each time another process takes over the sandbox. Names that a wildcard grants
    /// get other addresses in each generation.
    case serve(sandbox: Int, grants: [HostGrant], generation: Int = 0)
    /// Close all sockets and connections of a sandbox that has ended.
    case end(sandbox: Int)
    /// The oldest `refused` that this command has not confirmed yet is on its way to `intentd`. Only then may the process in
    /// the sandbox learn of the refusal, so that the report precedes the end of its run.
    case noted
    /// Permit or refuse the connections that wait for the answer to a question.
    case decide(HostQuestion, isPermitted: Bool)
}

/// A report from `intentd-egress` to the launcher.
package struct EgressReport: Hashable, Sendable, Codable {
    package var sandbox: Int
    package var event: HostEvent

    package init(sandbox: Int, _ event: HostEvent) {
        self.sandbox = sandbox
        self.event = event
    }
}

/// What `intentd-egress` reports about a sandbox.
package enum HostEvent: Hashable, Sendable {
    /// A process in the sandbox could not connect.
    case refused(RefusedConnection)
    /// New connections and bytes of the sandbox, which earlier reports do not contain.
    case used(hosts: [HostUse])
    /// A process in the sandbox waits for permission to connect (`AllowHosts=ask`).
    case asked(HostQuestion)
    /// No process waits for the answer to this question any more.
    case withdrawn(HostQuestion)
}

/// A question whether the processes of a sandbox may connect to a host that is not granted.
package struct HostQuestion: Hashable, Sendable, Codable {
    package var sandbox: Int
    /// The number of the question in its sandbox.
    package var number: Int
    package var host: String
    package var port: UInt16

    package init(sandbox: Int, number: Int, host: String, port: UInt16) {
        self.sandbox = sandbox
        self.number = number
        self.host = host
        self.port = port
    }

    /// The word of `AllowHosts=` that would permit the connection.
    package var grant: String { "\(host):\(port)" }
}

/// A connection that `intentd-egress` did not make, or a name to which it gave no address.
package struct RefusedConnection: Hashable, Sendable, Codable {
    /// The reason for the refusal.
    package enum Reason: String, Hashable, Sendable, Codable {
        /// `AllowHosts=` has no such grant.
        case notGranted
        /// The name is granted, and the host resolves it to an address of a private network or of the host itself.
        case privateAddress
        /// The client's first bytes name another host than the granted one, or none.
        case otherName
        /// The host finds no address for the name.
        case noAddress
        /// The address does not accept the connection.
        case unreachable
        /// A person has not permitted the connection, or could not be asked (`AllowHosts=ask`).
        case declined
        /// A limit on names, connections or look-ups.
        case limit
        /// The credential of `Credential=` cannot be used.
        case credential
        /// A credential cannot be inserted into the request.
        case request
        /// The host's certificate, which is checked if a credential is inserted.
        case certificate

        /// The reason as words that follow the name of the host.
        ///
        /// - Parameter detail: ``RefusedConnection/detail``.
        package func explanation(_ detail: String?) -> String {
            switch self {
            case .notGranted: "AllowHosts= does not grant it"
            case .declined: "a person declined it, or could not be asked"
            case .privateAddress: "its address belongs to this host or to a private network"
            case .otherName: "the connection began with the name of another host, or with none"
            case .noAddress: "this host finds no address for the name"
            case .unreachable: detail ?? "it does not accept the connection"
            case .limit: detail ?? "the sandbox has too many names or connections"
            case .credential: detail ?? "its credential cannot be used"
            case .request: "the request \(detail ?? "cannot be read"), so Credential= inserts nothing"
            case .certificate: "its certificate is not trusted: \(detail ?? "unknown reason")"
            }
        }
    }

    /// The name or the address.
    package var host: String
    /// The TCP port; nil if only the name was looked up.
    package var port: UInt16?
    package var reason: Reason
    /// What only intentd-egress knows about the reason.
    package var detail: String?

    package init(host: String, port: UInt16?, reason: Reason, detail: String? = nil) {
        self.host = host
        self.port = port
        self.reason = reason
        self.detail = detail
    }

    /// The word of `AllowHosts=` that permits the connection; nil if no word does.
    package var grant: String? {
        let word = "\(target)\(port == nil ? ":PORT" : "")"
        return switch reason {
        case .notGranted, .declined: word
        case .privateAddress: "\(word),private"
        case .otherName: "\(word),unchecked"
        case .noAddress, .unreachable, .limit, .credential, .request, .certificate: nil
        }
    }

    /// How much the refusal says about a failure. Programs look names up to which they never connect.
    package var rank: Int {
        switch reason {
        case .notGranted where port != nil: 4
        case .declined, .privateAddress, .otherName, .credential, .request, .certificate: 4
        case .noAddress, .unreachable: 3
        case .notGranted: 2
        case .limit: 1
        }
    }

    /// The host with its port, in the form of a grant.
    package var target: String {
        let name = host.contains(utf8: ":") ? "[\(host)]" : host
        return port.map { "\(name):\($0)" } ?? name
    }
}

extension EgressCommand: Codable {
    private enum CodingKeys: CaseName { case serve, end, noted, decide }
    private enum ServeCodingKeys: String, CodingKey { case sandbox, grants, generation = "generation?" }
}

extension HostEvent: Codable {
    private enum CodingKeys: CaseName { case refused, used, asked, withdrawn }
}
