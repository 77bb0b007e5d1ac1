import IntentHash
import IntentProtocol

/// Checks the signature of a request to a hook.
package enum HookSignature {
    /// The largest difference between the time of a request and now, in seconds, for schemes with a time.
    private static let tolerance: Int64 = 300

    /// Returns the hash of what was signed, which identifies the request; nil if the signature is wrong or too old.
    ///
    /// - Parameters:
    ///   - headers: The header fields by their names in lower case.
    ///   - seconds: The time since 1970.
    package static func identity(
        _ scheme: HookFile.Scheme,
        _ headers: [String: String],
        _ body: [UInt8],
        secret: [UInt8],
        at seconds: Int64
    ) -> String? {
        func code(_ message: [UInt8]) -> String {
            SHA256.hexadecimal(SHA256.authenticationCode(of: message, key: secret))
        }
        switch scheme {
        case .github:
            let given = headers["x-hub-signature-256"] ?? ""
            return SecretText.matches("sha256=" + code(body), given) ? SHA256.hexadecimal(of: body) : nil
        case .gitlab:
            // The token is not a signature: it proves who has sent the request, but not its contents.
            let given = SHA256.hexadecimal(of: (headers["x-gitlab-token"] ?? "").utf8)
            let isSame = SecretText.matches(SHA256.hexadecimal(of: secret), given) && !secret.isEmpty
            return isSame ? SHA256.hexadecimal(of: Array((headers["x-gitlab-event-uuid"] ?? "").utf8) + body) : nil
        case .stripe, .hmac:
            let field = headers[scheme == .stripe ? "stripe-signature" : "x-intentd-signature"] ?? ""
            var (time, signatures): (String?, [String]) = (nil, [])
            for part in field.split(scalar: ",") {
                let pair = part.split(scalar: "=", maxSplits: 1).map(String.init)
                guard pair.count == 2 else { continue }
                if pair[0] == "t" { time = pair[1] }
                if pair[0] == "v1", signatures.count < 8 { signatures.append(pair[1]) }
            }
            let signed = Array("\(time ?? "").".utf8) + body
            let expected = code(signed)
            let isSame = signatures.reduce(false) { SecretText.matches(expected, $1) || $0 }
            // The difference of two valid times cannot overflow; a sender may sign any number.
            guard isSame, let time, let sent = Int64(time), sent >= 0, abs(seconds - sent) <= tolerance else {
                return nil
            }
            return SHA256.hexadecimal(of: signed)
        }
    }
}

/// The requests that hooks have accepted, so that a replay is refused. intentd knows the requests of each hook for longer,
/// by the keys of their runs: a replay that is not known here any more is answered with the earlier run.
package struct HookReplays: Sendable {
    package static let countLimit = 10_000
    private static let life: Duration = .seconds(3 * 86_400)

    private var hooks: [String: [String: Duration]] = [:]

    package init() {}

    /// Notes a request.
    ///
    /// - Returns: False for a replay, and if the table of the hook is full.
    package mutating func accept(_ identity: String, of hook: String, at now: Duration) -> Bool {
        if hooks[hook]?[identity].map({ now - $0 < Self.life }) == true { return false }
        if hooks[hook].map({ $0.count >= Self.countLimit }) == true {
            hooks[hook] = hooks[hook]?.filter { now - $0.value < Self.life }
        }
        guard hooks[hook, default: [:]].count < Self.countLimit else { return false }
        hooks[hook, default: [:]][identity] = now
        return true
    }

    /// Forgets a request that has caused no run, so that its sender can repeat it.
    package mutating func forget(_ identity: String, of hook: String) { hooks[hook]?[identity] = nil }
}
