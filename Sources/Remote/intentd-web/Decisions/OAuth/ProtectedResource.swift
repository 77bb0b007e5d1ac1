import IntentAPI
package import IntentCommandLine
package import IntentConfiguration
package import IntentProtocol

/// The service as a protected resource of OAuth 2.1: which tokens of which issuers it accepts, and for which accounts.
package struct ProtectedResource: Sendable {
    /// The difference between the clocks of the issuer and this host that is accepted, in seconds.
    package static let skew = 30.0
    /// The path of the Model Context Protocol, which clients regard as a resource of its own.
    private static let mcpPath = "/mcp"

    /// How the names of callers with an access token begin. Names of the tokens that the service issues have no space.
    package static let namePrefix = "subject "

    /// The address of the service; nil if it accepts no tokens of issuers.
    private let address: String?
    private let settings: WebSettings

    package init(_ settings: WebSettings) {
        self.settings = settings
        address = settings.issuers.isEmpty ? nil : settings.address
    }

    /// The reason why a genuine token permits nothing.
    package struct Refusal: Error, Equatable, Sendable {
        package var reason: String
        /// True if a token with other scopes, or of another user, could permit the request.
        package var isForbidden = false
    }

    /// Decides for which account a token acts. Its signature must have been checked.
    package func caller(of token: AccessToken, at time: Timestamp) throws(Refusal) -> APICaller {
        let seconds = Double(time.millisecondsSince1970) / 1000
        guard seconds < token.expires + Self.skew else { throw Refusal(reason: "the token has expired") }
        guard token.notBefore.map({ $0 - Self.skew <= seconds }) ?? true else {
            throw Refusal(reason: "the token is not valid yet")
        }
        let audiences = settings.audiences + (address.map { [$0, $0 + "/", $0 + Self.mcpPath] } ?? [])
        guard !Set(audiences).isDisjoint(with: token.audiences) else {
            throw Refusal(reason: "the token is for '\(token.audiences.joined(separator: " "))'")
        }
        let (user, name) = try user(of: token)
        let allowed = Set(settings.scopes.filter { token.scopes.contains($0.name) }.flatMap(\.allow))
        guard !allowed.isEmpty else {
            let scopes = token.scopes.sorted().joined(separator: " ")
            throw Refusal(reason: "no Scope= names a scope of '\(scopes)'", isForbidden: true)
        }
        return APICaller(
            name: "\(Self.namePrefix)\(token.issuer) \(token.subject)",
            software: "\(APICaller.program), \(name)",
            user: user,
            allowed: allowed.sorted()
        )
    }

    /// Returns the account or the caller of a realm for which a token acts, and its name in the records of runs.
    private func user(of token: AccessToken) throws(Refusal) -> (user: String, name: String) {
        let subject = settings.subjects.first { $0.issuer == token.issuer && $0.subject == token.subject }
        if let subject { return (subject.user, "subject \(token.subject)") }
        guard let realm = settings.realms.first(where: { $0.issuer == token.issuer }) else {
            throw Refusal(reason: "no Subject= names '\(token.subject)' of \(token.issuer)", isForbidden: true)
        }
        guard let caller = RealmCaller(subject: token.subject, realm: realm.name) else {
            throw Refusal(
                reason: """
                    the subject '\(token.subject)' of \(token.issuer) cannot be part of a name: Realm= expects \
                    \(RealmCaller.subjectForm); Subject= can name another one
                    """,
                isForbidden: true
            )
        }
        return (caller.name, caller.name)
    }

    /// The value of `WWW-Authenticate` in the refusal of a request.
    ///
    /// - Parameter error: The code of RFC 6750; nil for a request without a token.
    package func challenge(for path: String, error: String?) -> String {
        guard let address else { return "Bearer" }
        let suffix = path == Self.mcpPath ? path : ""
        var fields = ["resource_metadata=\"\(address)\(APIRoute.metadataPath)\(suffix)\""]
        if let error { fields.append("error=\"\(error)\"") }
        let scopes = settings.scopes.map(\.name).joined(separator: " ")
        if !scopes.isEmpty { fields.append("scope=\"\(scopes)\"") }
        return "Bearer " + fields.joined(separator: ", ")
    }

    /// Returns the metadata at a path; nil for another path, or if the service accepts no tokens of issuers.
    package func metadata(at path: String) -> JSONValue? {
        guard let address, path.hasPrefix(utf8: APIRoute.metadataPath) else { return nil }
        let suffix = String(path.dropFirst(scalars: APIRoute.metadataPath.scalarCount))
        guard ["", Self.mcpPath].contains(suffix) else { return nil }
        return [
            "resource": .string(address + suffix),
            "authorization_servers": .array(settings.issuers.map { .string($0) }),
            "scopes_supported": .array(settings.scopes.map { .string($0.name) }),
            "bearer_methods_supported": ["header"],
            "resource_name": "intentd",
        ]
    }
}
