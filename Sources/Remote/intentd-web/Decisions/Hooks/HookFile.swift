import IntentConfiguration
import IntentProtocol

/// A file `/etc/intentd/hooks.d/NAME.hook`: the intent that a signed request to `/hooks/NAME` performs.
package struct HookFile: Equatable, Sendable {
    package static let folder = "/etc/intentd/hooks.d"
    package static let suffix = ".hook"

    /// How the sender signs its requests.
    package enum Scheme: String, CaseIterable, Sendable { case github, gitlab, stripe, hmac }

    /// The keys of `[Hook]`.
    private enum Key: String, CaseIterable {
        case scheme = "Scheme"
        case secret = "SecretFile"
        case user = "User"
        case intent = "Intent"
        case when = "When"
    }

    package var scheme: Scheme
    /// The path of the file with the secret.
    package var secretFile: String
    /// The account for which the intent is performed.
    package var user: String
    package var app: String
    package var intent: String
    /// The values by parameter name, as pointers into the body (RFC 6901).
    package var values: [String: String] = [:]
    /// What the body must have at pointers; other requests are accepted without a run.
    package var conditions: [(pointer: String, value: String)] = []

    package static func == (one: HookFile, other: HookFile) -> Bool {
        one.scheme == other.scheme && one.secretFile == other.secretFile && one.user == other.user
            && one.app == other.app && one.intent == other.intent && one.values == other.values
            && one.conditions.elementsEqual(other.conditions, by: ==)
    }

    /// - Throws: ``HookProblem`` with the file and line of a mistake.
    package init(_ bytes: [UInt8], file: String) throws(HookProblem) {
        let unit = UnitFile(bytes, file: file)
        if let problem = unit.problems.first { throw HookProblem(description: "\(problem)") }
        var keys: [Key: String] = [:]
        var values: [String: String] = [:]
        var conditions: [(String, String)] = []
        for assignment in unit.assignments {
            func problem(_ text: String) -> HookProblem {
                HookProblem(description: "\(file):\(assignment.line): \(assignment.key)=: \(text)")
            }
            switch (assignment.section, Key(rawValue: assignment.key)) {
            case ("Values", _):
                guard JSONPointer(assignment.value) != nil else {
                    throw problem("expected a JSON pointer such as /a/b")
                }
                values[assignment.key] = assignment.value
            case ("Hook", .when?):
                let parts = assignment.value.split(scalar: " ", maxSplits: 1).map(String.init)
                guard parts.count == 2, JSONPointer(parts[0]) != nil else {
                    throw problem("expected a JSON pointer, a space and a text")
                }
                conditions.append((parts[0], parts[1]))
            case ("Hook", let key?): keys[key] = assignment.value
            default: throw problem("unknown key in [\(assignment.section)]")
            }
        }
        func required(_ key: Key) throws(HookProblem) -> String {
            guard let value = keys[key], !value.isEmpty else {
                throw HookProblem(description: "\(file): [Hook] has no \(key.rawValue)=")
            }
            return value
        }
        guard let scheme = Scheme(rawValue: try required(.scheme)) else {
            let names = Scheme.allCases.map(\.rawValue).joined(separator: ", ")
            throw HookProblem(description: "\(file): Scheme=: expected one of \(names)")
        }
        self.scheme = scheme
        secretFile = try required(.secret)
        user = try required(.user)
        let parts = try required(.intent).split(scalar: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2, AppName(parts[0]) != nil, secretFile.hasPrefix(utf8: "/") else {
            throw HookProblem(description: "\(file): expected Intent=APP/INTENT, and an absolute path in SecretFile=")
        }
        (app, intent) = (parts[0], parts[1])
        self.values = values
        self.conditions = conditions
    }
}

/// A mistake in a file of a hook.
package struct HookProblem: Error, CustomStringConvertible {
    package let description: String
}
