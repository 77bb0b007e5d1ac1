import IntentAPI
package import IntentConfiguration
import IntentHash
package import IntentProtocol

/// Decides for which user a request to the service acts: checks `Host`, the pace of its address and its caller, and the token.
package struct ServiceAccess: Sendable {
    /// Requests of one address, of one caller, and refused tokens of one address.
    private var addresses = RequestPace(perSecond: 200, burst: 400)
    private var callers = RequestPace(perSecond: 100, burst: 200)
    private var failures = RequestPace(perSecond: 1, burst: 20)
    /// Requests of answer links of one address.
    private var links = RequestPace(perSecond: 1, burst: 20)
    private let hosts: Set<String>
    package let settings: WebSettings
    package let resource: ProtectedResource
    package var keys: IssuerKeys
    private var valid = ValidCallers()

    package init(_ settings: WebSettings) {
        hosts = Set(settings.hosts).union(["127.0.0.1", "localhost", "[::1]"])
        self.settings = settings
        resource = ProtectedResource(settings)
        keys = IssuerKeys(settings.issuers)
    }

    /// How to read a token that the service has issued, and how to check an issuer's token.
    package struct Tokens {
        /// Reads the token with a name.
        package var own: (String) -> WebToken?
        /// Returns true if the token was signed with the key.
        package var isSigned: (AccessToken, IssuerKey) -> Bool
        /// Starts to fetch the keys of an issuer.
        package var fetch: (String) -> Void

        package init(
            own: @escaping (String) -> WebToken?,
            isSigned: @escaping (AccessToken, IssuerKey) -> Bool = { _, _ in false },
            fetch: @escaping (String) -> Void = { _ in }
        ) {
            self.own = own
            self.isSigned = isSigned
            self.fetch = fetch
        }
    }

    package enum Decision: Equatable, Sendable {
        case act(APICaller)
        /// The keys of the token's issuer are being fetched. Decide again when they have arrived.
        case wait
        /// The reason is for the log. The client learns only the refusal.
        case refuse(WebRefusal, reason: String)
    }

    /// - Parameters:
    ///   - address: The address of the client, as far as it is known.
    ///   - now: The time on a monotonic clock.
    ///   - time: The time on the wall clock.
    package mutating func decide(
        _ request: WebRequest,
        from address: String,
        at now: Duration,
        _ time: Timestamp,
        _ tokens: Tokens
    ) -> Decision {
        if let pause = addresses.take(address, at: now) { return .refuse(.tooManyRequests(pause), reason: "pace") }
        guard let host = request.host, hosts.contains(Self.name(host)) else {
            return .refuse(.unknownHost, reason: "Host '\(request.host ?? "")' is not in Hosts=")
        }
        if let origin = request.origin, origin != "https://" + host, origin != "http://" + host {
            return .refuse(.foreignOrigin, reason: "Origin '\(origin)'")
        }
        // The sender of a hook has no token: its request is signed.
        if request.path.hasPrefix(utf8: "/hooks/") { return .act(.hook) }
        // An answer link has a ticket, which intentd checks. An address that guesses tickets waits.
        if request.path.hasPrefix(utf8: AnswerLink.path) {
            guard let pause = links.take(address, at: now) else { return .act(.linkHolder) }
            return .refuse(.tooManyRequests(pause), reason: "pace")
        }
        // A client without a token may learn where to obtain one.
        if request.path.hasPrefix(utf8: APIRoute.metadataPath) { return .act(.anyone) }
        guard let field = request.authorization else {
            let challenge = resource.challenge(for: request.path, error: nil)
            return .refuse(.unauthorized(challenge: challenge), reason: "no token")
        }
        let failure: ProtectedResource.Refusal
        do throws(ProtectedResource.Refusal) {
            guard let caller = try caller(field, at: now, time, tokens) else { return .wait }
            if let pause = callers.take(caller.name, at: now) {
                return .refuse(.tooManyRequests(pause), reason: "pace")
            }
            return .act(caller)
        } catch {
            failure = error
        }
        // An address that guesses tokens waits.
        if let pause = failures.take(address, at: now) {
            return .refuse(.tooManyRequests(pause), reason: failure.reason)
        }
        let error = failure.isForbidden ? "insufficient_scope" : "invalid_token"
        let challenge = resource.challenge(for: request.path, error: error)
        return .refuse(
            failure.isForbidden ? .forbidden(challenge: challenge) : .unauthorized(challenge: challenge),
            reason: failure.reason
        )
    }

    /// Returns true while a caller's token is valid.
    package func isValid(_ caller: APICaller, _ time: Timestamp, token: (String) -> WebToken?) -> Bool {
        // A hook and a link have no token. The file of a hook is read for each request.
        if caller.name.hasPrefix(utf8: "hook ") || caller.name.hasPrefix(utf8: "link ") { return true }
        if caller.name.hasPrefix(utf8: ProtectedResource.namePrefix) {
            return valid[caller].map { time < $0 } ?? false
        }
        guard let token = token(caller.name), token.expires.map({ time < $0 }) ?? true else { return false }
        return token.user == caller.user && token.allow == caller.allowed
    }

    /// Forgets expired access tokens.
    package mutating func forgetExpired(_ time: Timestamp) { valid.forgetExpired(time) }

    /// Returns the caller of an `Authorization` field; nil while the keys of its issuer are being fetched.
    private mutating func caller(
        _ field: String,
        at now: Duration,
        _ time: Timestamp,
        _ tokens: Tokens
    ) throws(ProtectedResource.Refusal) -> APICaller? {
        guard field.prefix(scalars: 7).lowercased() == "bearer " else {
            throw ProtectedResource.Refusal(reason: "no bearer token")
        }
        let text = String(field.dropFirst(scalars: 7))
        if let parts = WebToken.parts(of: text) { return try own(parts, time, tokens) }
        guard keys.hasIssuers else { throw ProtectedResource.Refusal(reason: "not a token of this service") }
        let token: AccessToken
        do throws(AccessToken.Problem) {
            token = try AccessToken(text)
        } catch {
            throw ProtectedResource.Refusal(reason: error.reason)
        }
        guard keys.isKnown(token.issuer) else {
            throw ProtectedResource.Refusal(reason: "Issuers= does not name '\(token.issuer)'")
        }
        switch keys.find(token, at: now, fetch: tokens.fetch) {
        case .wait: return nil
        case .unknownKey:
            throw ProtectedResource.Refusal(reason: "\(token.issuer) has no key '\(token.keyID ?? "")'")
        case .keys(let keys):
            guard keys.contains(where: { tokens.isSigned(token, $0) }) else {
                throw ProtectedResource.Refusal(reason: "the signature of the token is wrong")
            }
        }
        let caller = try resource.caller(of: token, at: time)
        let expires = Timestamp(millisecondsSince1970: Int64(min(token.expires + ProtectedResource.skew, 1e12) * 1000))
        if let problem = valid.add(caller, of: token.issuer, until: expires, issuerCount: settings.issuers.count) {
            throw ProtectedResource.Refusal(reason: problem)
        }
        return caller
    }

    private func own(
        _ parts: (name: String, secret: String),
        _ time: Timestamp,
        _ tokens: Tokens
    ) throws(ProtectedResource.Refusal) -> APICaller {
        let hash = SHA256.hexadecimal(of: parts.secret.utf8)
        let known = tokens.own(parts.name)
        // Unknown names take as long as wrong secrets.
        let isSame = SecretText.matches(known?.hash ?? String(repeating: "-", count: hash.utf8.count), hash)
        guard isSame, let known else {
            throw ProtectedResource.Refusal(reason: "token '\(parts.name)' is unknown or wrong")
        }
        guard known.expires.map({ time < $0 }) ?? true else {
            throw ProtectedResource.Refusal(reason: "token '\(parts.name)' has expired")
        }
        return APICaller(
            name: parts.name,
            software: "\(APICaller.program), token \(parts.name)",
            user: known.user,
            allowed: known.allow
        )
    }

    /// The name in a `Host` field, without the port.
    private static func name(_ host: String) -> String {
        let lower = host.lowercased()
        if lower.hasPrefix(utf8: "["), let end = lower.utf8.firstIndex(of: UInt8(ascii: "]")) {
            return String(Substring(lower.utf8[...end]))
        }
        return lower.split(scalar: ":").first.map(String.init) ?? ""
    }
}
