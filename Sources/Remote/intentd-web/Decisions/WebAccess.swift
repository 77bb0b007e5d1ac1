import IntentAPI
import IntentProtocol

/// Decides whether a request is permitted. Checks `Host` and `Origin`, exchanges the token for a session, and checks
/// the session's cookie and key.
package struct WebAccess: Sendable {
    /// The listener of this server. The accepted values of `Host` depend on it.
    package enum Listener: Equatable, Sendable {
        case port(UInt16)
        /// A Unix socket. Every port in `Host` is accepted, because ssh can forward any port to the socket.
        case socket
    }

    package enum Decision: Equatable, Sendable {
        /// The token is valid. The browser receives the session's cookie and key.
        case enter(cookie: String, key: String)
        case file(String)
        case report(WebReport)
        /// A request to the API.
        case api(APICaller)
        case refuse(WebRefusal)
        /// The service fetches the keys that it needs in order to decide.
        case wait
    }

    private let listener: Listener
    private let token = SecretText()
    private let cookie = SecretText()
    /// A second secret, which the page's scripts send. The cookie alone is not sufficient, because browsers also send
    /// the cookies of 127.0.0.1 to servers on its other ports, which can belong to other users.
    private let key = SecretText()
    /// The secret of programs that use the API (``authorization``).
    private let bearer = SecretText()
    private let expiresAt: Duration
    private var isTokenUsed = false

    /// - Parameter now: The time on a monotonic clock.
    package init(_ listener: Listener, at now: Duration) {
        self.listener = listener
        expiresAt = now + WebLimits.tokenLife
    }

    /// The path and query of the address that the user opens, with the token.
    package var entrance: String { "/enter?token=\(token.text)" }

    /// The header field with which a program uses the API for as long as the server runs.
    package var authorization: String { "Bearer \(bearer.text)" }

    private var cookieName: String {
        switch listener {
        case .port(let number): "intentd-\(number)"
        case .socket: "intentd"
        }
    }

    package mutating func decide(_ request: WebRequest, at now: Duration) -> Decision {
        guard let host = request.host, permits(host: host) else { return .refuse(.unknownHost) }
        if let origin = request.origin, origin != "http://" + host { return .refuse(.foreignOrigin) }
        let parts = request.path.split(scalar: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        if APIRoute.isAPI(parts.first) { return refusal(of: request) ?? .api(.ownUser) }
        switch request.method {
        case "GET", "HEAD":
            if parts == ["enter"] { return enter(request, at: now) }
            if parts.count == 2, parts[0] == "report" {
                guard request.method == "GET" else { return .refuse(.unknownMethod) }
                guard let report = WebReport(rawValue: parts[1]) else { return .refuse(.unknownPath) }
                return refusal(of: request) ?? .report(report)
            }
            guard hasCookie(request) else { return .refuse(.noSession) }
            return .file(parts == [""] ? "index.html" : parts.joined(separator: "/"))
        default: return .refuse(.unknownMethod)
        }
    }

    private mutating func enter(_ request: WebRequest, at now: Duration) -> Decision {
        guard let given = request.token, token.matches(given) else { return .refuse(.noSession) }
        // A HEAD request must not consume the token, because some browsers send it before GET.
        guard request.method == "GET", !isTokenUsed, now < expiresAt else { return .refuse(.tokenUsed) }
        isTokenUsed = true
        let attributes = "Path=/; HttpOnly; SameSite=Strict"
        return .enter(cookie: "\(cookieName)=\(cookie.text); \(attributes)", key: key.text)
    }

    /// Returns the refusal of a request to the API or for a report; nil if the request comes from the page or from a program.
    ///
    /// A program sends the secret that only its user can read. A browser sends it for no site, so the page's cookie, key
    /// and origin are not required of it.
    private func refusal(of request: WebRequest) -> Decision? {
        if let given = request.authorization {
            return SecretText.matches(authorization, given) ? nil : .refuse(.noSession)
        }
        if request.method != "GET", request.method != "HEAD", request.origin == nil { return .refuse(.foreignOrigin) }
        if let site = request.fetchSite, site != "same-origin" { return .refuse(.foreignOrigin) }
        guard hasCookie(request), let given = request.key, key.matches(given) else { return .refuse(.noSession) }
        return nil
    }

    private func hasCookie(_ request: WebRequest) -> Bool {
        (request.cookie ?? "").split(scalar: ";").contains { pair in
            let parts = Substring(pair.unicodeScalars.drop { $0 == " " }).split(scalar: "=", maxSplits: 1)
            return parts.count == 2 && parts[0] == cookieName && cookie.matches(parts[1])
        }
    }

    /// Returns true for 127.0.0.1 and localhost with this server's port. A page from another site could reach this
    /// server under any other name if a hostile DNS server resolved that name to 127.0.0.1.
    private func permits(host: String) -> Bool {
        let parts = host.split(scalar: ":", omittingEmptySubsequences: false)
        // curl --unix-socket names no port.
        if listener == .socket, parts == ["localhost"] { return true }
        guard parts.count == 2, ["127.0.0.1", "localhost"].contains(parts[0]), let port = UInt16(parts[1]) else {
            return false
        }
        switch listener {
        case .port(let number): return port == number
        case .socket: return true
        }
    }
}
