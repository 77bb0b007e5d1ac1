import IntentCommandLine
import IntentProtocol

/// A JWT access token (RFC 7519, RFC 9068), as its sender has written it: its claims are true only after its signature was
/// checked.
package struct AccessToken: Equatable, Sendable {
    /// The maximum size of a token, in bytes.
    package static let byteLimit = 16 << 10
    /// The algorithms that a token may be signed with: asymmetric ones only.
    package static let algorithms: Set = [
        "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512",
    ]

    /// The token in compact form (RFC 7515).
    package let text: String
    package let algorithm: String
    package let keyID: String?
    package let issuer: String
    package let subject: String
    package let audiences: [String]
    package let scopes: Set<String>
    /// The times between which the token is valid, in seconds since 1970.
    package let expires: Double
    package let notBefore: Double?

    /// The reason why a text is no token that the service accepts.
    package struct Problem: Error, Equatable, Sendable {
        package var reason: String
    }

    package init(_ text: String) throws(Problem) {
        self.text = text
        let parts = text.split(scalar: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.byteLimit, parts.count == 3, !parts[2].utf8.isEmpty,
            let header = Self.object(parts[0]), let claims = Self.object(parts[1])
        else { throw Problem(reason: "not a signed JWT of at most \(Self.byteLimit) bytes") }
        guard let algorithm = Self.text(header["alg"]), Self.algorithms.contains(algorithm) else {
            throw Problem(reason: "the algorithm '\(Self.text(header["alg"]) ?? "")' is not permitted")
        }
        // A token of another type, such as a logout token, could have equal claims. A critical extension, and a key
        // that the sender must prove to have, are not checked here, so a token that needs them is refused.
        let type = Self.text(header["typ"])?.lowercased()
        guard [nil, "jwt", "at+jwt", "application/at+jwt"].contains(type), header["typ"] == nil || type != nil else {
            throw Problem(reason: "the type '\(type ?? "")' is not that of an access token")
        }
        guard header["crit"] == nil, header["b64"] == nil, claims["cnf"] == nil else {
            throw Problem(reason: "the token needs an extension or a proof of a key, which is not supported")
        }
        guard let issuer = Self.text(claims["iss"]), let subject = Self.text(claims["sub"]), !subject.utf8.isEmpty,
            let expires = Self.number(claims["exp"])
        else { throw Problem(reason: "the token has no iss, sub or exp") }
        guard header["kid"] == nil || Self.text(header["kid"]) != nil,
            claims["nbf"] == nil || Self.number(claims["nbf"]) != nil
        else { throw Problem(reason: "the token has a kid or nbf of another type") }
        self.algorithm = algorithm
        keyID = Self.text(header["kid"])
        self.issuer = issuer
        self.subject = subject
        audiences = Self.texts(claims["aud"])
        let scopes = Self.texts(claims["scope"] ?? claims["scp"])
        self.scopes = Set(scopes.flatMap { $0.split(scalar: " ").map(String.init) })
        self.expires = expires
        notBefore = Self.number(claims["nbf"])
    }

    private static func object(_ part: Substring) -> [String: JSONValue]? {
        guard let bytes = Base64.decodeURL(part), case .object(let members)? = JSONValue(parsing: bytes) else {
            return nil
        }
        return members
    }

    private static func text(_ value: JSONValue?) -> String? {
        if case .string(let text)? = value { text } else { nil }
    }

    private static func texts(_ value: JSONValue?) -> [String] {
        if case .array(let elements)? = value { return elements.compactMap(text) }
        return text(value).map { [$0] } ?? []
    }

    private static func number(_ value: JSONValue?) -> Double? {
        switch value {
        case .int(let number)?: Double(number)
        case .double(let number)? where number.isFinite: number
        default: nil
        }
    }
}
