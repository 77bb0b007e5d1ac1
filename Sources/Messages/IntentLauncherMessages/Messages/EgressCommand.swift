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
}

/// A report from `intentd-egress` to the launcher.
package enum EgressReport: Hashable, Sendable {
    /// A process in the sandbox could not connect.
    case refused(sandbox: Int, RefusedConnection)
    /// New connections and bytes of the sandbox, which earlier reports do not contain.
    case used(sandbox: Int, hosts: [HostUse])
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
        case .notGranted: word
        case .privateAddress: "\(word),private"
        case .otherName: "\(word),unchecked"
        case .noAddress, .unreachable, .limit, .credential, .request, .certificate: nil
        }
    }

    /// How much the refusal says about a failure. Programs look names up to which they never connect.
    package var rank: Int {
        switch reason {
        case .notGranted where port != nil: 4
        case .privateAddress, .otherName, .credential, .request, .certificate: 4
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
    private enum CodingKeys: CaseName { case serve, end, noted }
    private enum ServeCodingKeys: String, CodingKey { case sandbox, grants, generation = "generation?" }
}

extension EgressReport: Codable {
    private enum CodingKeys: CaseName { case refused, used }
}
