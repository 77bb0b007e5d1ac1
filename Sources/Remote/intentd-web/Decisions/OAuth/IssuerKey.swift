import IntentCommandLine
import IntentProtocol

/// A public key of an issuer (JWK, RFC 7517).
package struct IssuerKey: Equatable, Sendable {
    /// The key as JSON, for the library that checks signatures.
    package let text: String
    package let keyID: String?
    /// The algorithms that the key may be used with.
    package let algorithms: Set<String>

    /// The maximum number of keys of an issuer, and the maximum size of its documents, in bytes.
    package static let countLimit = 32
    package static let documentByteLimit = 256 << 10
    /// The minimum size of an RSA modulus, in bytes.
    private static let modulusByteCount = 256

    /// Returns the keys for signatures in a document (JWKS); nil if it is no JWKS. Keys of other kinds are left out.
    package static func keys(in document: [UInt8]) -> [IssuerKey]? {
        guard case .array(let keys)? = JSONValue(parsing: document)?.members["keys"] else { return nil }
        return Array(keys.lazy.compactMap(IssuerKey.init).prefix(countLimit))
    }

    private init?(_ key: JSONValue) {
        let members = key.members
        func text(_ name: String) -> String? { if case .string(let text)? = members[name] { text } else { nil } }
        if let use = members["use"], use != "sig" { return nil }
        // Only the public parts reach the library.
        let names: [String]
        var algorithms: Set<String>
        switch text("kty") {
        case "RSA":
            names = ["kty", "n", "e"]
            let modulus = text("n").flatMap { Base64.decodeURL(Substring($0)) } ?? []
            guard modulus.drop(while: { $0 == 0 }).count >= Self.modulusByteCount else { return nil }
            algorithms = AccessToken.algorithms.filter { !$0.hasPrefix(utf8: "ES") }
        case "EC":
            names = ["kty", "crv", "x", "y"]
            guard let algorithm = ["P-256": "ES256", "P-384": "ES384", "P-521": "ES512"][text("crv") ?? ""] else {
                return nil
            }
            algorithms = [algorithm]
        default: return nil
        }
        if let algorithm = members["alg"] {
            guard case .string(let name) = algorithm else { return nil }
            algorithms.formIntersection([name])
        }
        guard !algorithms.isEmpty, names.allSatisfy({ text($0) != nil }) else { return nil }
        self.algorithms = algorithms
        keyID = text("kid")
        self.text = JSONValue.object(members.filter { names.contains($0.key) }).text()
    }

    /// Returns the addresses at which an issuer describes itself: OpenID Connect Discovery, and RFC 8414.
    package static func descriptions(of issuer: String) -> [String] {
        let base = issuer.hasSuffix(utf8: "/") ? String(issuer.dropLast(scalars: 1)) : issuer
        let parts = base.split(scalar: "/", maxSplits: 2, omittingEmptySubsequences: true).map(String.init)
        let path = parts.count > 2 ? "/" + parts[2] : ""
        let origin = parts.count > 1 ? "https://" + parts[1] : base
        return [base + "/.well-known/openid-configuration", origin + "/.well-known/oauth-authorization-server" + path]
    }

    /// Returns the address of an issuer's keys in its description; nil if another issuer is described.
    package static func address(in description: [UInt8], of issuer: String) -> String? {
        let members = JSONValue(parsing: description)?.members ?? [:]
        guard members["issuer"] == .string(issuer), case .string(let address)? = members["jwks_uri"],
            address.hasPrefix(utf8: "https://")
        else { return nil }
        return address
    }
}
