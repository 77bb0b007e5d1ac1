/// Decides whether a request is permitted: checks Host and Origin, exchanges the token for a session, and verifies the
/// session.
package struct WebAccess: Sendable {
    /// The listener of this server, which determines the accepted values of `Host`.
    package enum Listener: Equatable, Sendable {
        case port(UInt16)
        /// A Unix socket. Any `Host` port is accepted, because ssh can forward any port to the socket.
        case socket
    }

    package enum Decision: Equatable, Sendable {
        /// The token is valid. The browser receives the session's cookie and key.
        case enter(cookie: String, key: String)
        case file(String)
        case openLink
        case send(link: String, serial: UInt64)
        case report(WebReport)
        case refuse(WebRefusal)
    }

    private let listener: Listener
    private let token = SecretText()
    private let cookie = SecretText()
    /// A second secret, which the page's scripts send. The cookie alone proves nothing: browsers also send cookies of
    /// 127.0.0.1 to servers on its other ports, which can belong to other users.
    private let key = SecretText()
    private let expiresAt: Duration
    private var isTokenUsed = false

    /// - Parameter now: The time on a monotonic clock.
    package init(_ listener: Listener, at now: Duration) {
        self.listener = listener
        expiresAt = now + WebLimits.tokenLife
    }

    /// The path of the address that the user opens. It contains the token.
    package var entrance: String { "/enter?token=\(token.text)" }

    private var cookieName: String {
        switch listener {
        case .port(let number): "intentd-\(number)"
        case .socket: "intentd"
        }
    }

    package mutating func decide(_ request: WebRequest, at now: Duration) -> Decision {
        guard let host = request.host, permits(host: host) else { return .refuse(.unknownHost) }
        if let origin = request.origin, origin != "http://" + host { return .refuse(.foreignOrigin) }
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        switch request.method {
        case "GET", "HEAD":
            if parts == ["enter"] { return enter(request, at: now) }
            if parts == ["link"] {
                guard request.method == "GET" else { return .refuse(.unknownMethod) }
                return permits(request) ?? .openLink
            }
            if parts.count == 2, parts[0] == "report" {
                guard request.method == "GET" else { return .refuse(.unknownMethod) }
                guard let report = WebReport(rawValue: parts[1]) else { return .refuse(.unknownPath) }
                return permits(request) ?? .report(report)
            }
            guard hasCookie(request) else { return .refuse(.noSession) }
            return .file(parts == [""] ? "index.html" : parts.joined(separator: "/"))
        case "POST":
            guard parts.count == 3, parts[0] == "link", let serial = UInt64(parts[2]) else {
                return .refuse(.unknownPath)
            }
            guard request.origin != nil else { return .refuse(.foreignOrigin) }
            return permits(request) ?? .send(link: parts[1], serial: serial)
        default: return .refuse(.unknownMethod)
        }
    }

    private mutating func enter(_ request: WebRequest, at now: Duration) -> Decision {
        guard let given = request.token, token.matches(given) else { return .refuse(.noSession) }
        // A HEAD request, which some browsers send first, must not consume the token.
        guard request.method == "GET", !isTokenUsed, now < expiresAt else { return .refuse(.tokenUsed) }
        isTokenUsed = true
        let attributes = "Path=/; HttpOnly; SameSite=Strict"
        return .enter(cookie: "\(cookieName)=\(cookie.text); \(attributes)", key: key.text)
    }

    /// Checks whether a request to intentd is permitted. Returns the refusal, or nil if the request is permitted.
    private func permits(_ request: WebRequest) -> Decision? {
        if let site = request.fetchSite, site != "same-origin" { return .refuse(.foreignOrigin) }
        guard hasCookie(request), let given = request.key, key.matches(given) else { return .refuse(.noSession) }
        return nil
    }

    private func hasCookie(_ request: WebRequest) -> Bool {
        (request.cookie ?? "").split(separator: ";").contains { pair in
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            return parts.count == 2 && parts[0] == cookieName && cookie.matches(parts[1])
        }
    }

    /// Accept only these names. A hostile DNS server can resolve any other name to 127.0.0.1.
    private func permits(host: String) -> Bool {
        let parts = host.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, ["127.0.0.1", "localhost"].contains(parts[0]), let port = UInt16(parts[1]) else {
            return false
        }
        switch listener {
        case .port(let number): return port == number
        case .socket: return true
        }
    }
}
