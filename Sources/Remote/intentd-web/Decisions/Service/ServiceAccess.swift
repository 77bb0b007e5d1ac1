package import IntentConfiguration
import IntentHash
package import IntentProtocol

/// Decides for which user a request to the service acts: checks `Host`, the pace of its address and its caller, and the token.
package struct ServiceAccess: Sendable {
    /// Requests of one address, of one caller, and refused tokens of one address.
    private var addresses = RequestPace(perSecond: 200, burst: 400)
    private var callers = RequestPace(perSecond: 100, burst: 200)
    private var failures = RequestPace(perSecond: 1, burst: 20)
    private let hosts: Set<String>

    package init(_ settings: WebSettings) { hosts = Set(settings.hosts).union(["127.0.0.1", "localhost", "[::1]"]) }

    package enum Decision: Equatable, Sendable {
        case act(APICaller)
        /// The reason is for the log. The client learns only the refusal.
        case refuse(WebRefusal, reason: String)
    }

    /// - Parameters:
    ///   - address: The address of the client, as far as it is known.
    ///   - now: The time on a monotonic clock.
    ///   - time: The time on the wall clock.
    ///   - token: Reads the token with a name.
    package mutating func decide(
        _ request: WebRequest,
        from address: String,
        at now: Duration,
        _ time: Timestamp,
        token: (String) -> WebToken?
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
        guard let field = request.authorization else { return .refuse(.unauthorized, reason: "no token") }
        let reason: String
        switch caller(field, time, token) {
        case .success(let caller):
            if let pause = callers.take(caller.name, at: now) {
                return .refuse(.tooManyRequests(pause), reason: "pace")
            }
            return .act(caller)
        case .failure(let failure): reason = failure.reason
        }
        // An address that guesses tokens waits.
        if let pause = failures.take(address, at: now) { return .refuse(.tooManyRequests(pause), reason: reason) }
        return .refuse(.unauthorized, reason: reason)
    }

    /// Returns true while a caller's token is valid.
    package static func isValid(_ caller: APICaller, _ time: Timestamp, token: (String) -> WebToken?) -> Bool {
        // A hook has no token. Its file is read for each request.
        if caller.name.hasPrefix(utf8: "hook ") { return true }
        guard let token = token(caller.name), token.expires.map({ time < $0 }) ?? true else { return false }
        return token.user == caller.user && token.allow == caller.allowed
    }

    private struct Failure: Error { var reason: String }

    private func caller(
        _ field: String,
        _ time: Timestamp,
        _ token: (String) -> WebToken?
    ) -> Result<APICaller, Failure> {
        guard field.lowercased().hasPrefix(utf8: "bearer "),
            let parts = WebToken.parts(of: String(field.dropFirst(scalars: 7)))
        else { return .failure(Failure(reason: "not a token of this service")) }
        let hash = SHA256.hexadecimal(of: parts.secret.utf8)
        let known = token(parts.name)
        // Unknown names take as long as wrong secrets.
        let isSame = SecretText.matches(known?.hash ?? String(repeating: "-", count: hash.utf8.count), hash)
        guard isSame, let known else { return .failure(Failure(reason: "token '\(parts.name)' is unknown or wrong")) }
        guard known.expires.map({ time < $0 }) ?? true else {
            return .failure(Failure(reason: "token '\(parts.name)' has expired"))
        }
        return .success(
            APICaller(
                name: parts.name,
                software: "\(APICaller.program), token \(parts.name)",
                user: known.user,
                allowed: known.allow
            )
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
