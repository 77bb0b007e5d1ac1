import IntentProtocol

/// The callers with an access token of an issuer, and when their last token expires. Every issuer has a part of the table,
/// because an issuer can invent subjects.
struct ValidCallers: Sendable {
    /// The maximum number of callers with one subject: each set of scopes is a caller.
    static let scopesLimit = 16
    /// The maximum number of subjects of all issuers together.
    static let subjectLimit = 16_384

    private struct Subject: Sendable {
        var issuer: String
        var ends: [APICaller: Timestamp] = [:]
    }

    private var subjects: [String: Subject] = [:]
    private var countOfIssuer: [String: Int] = [:]

    /// The time at which the last token of a caller expires; nil for a caller without a token.
    subscript(caller: APICaller) -> Timestamp? { subjects[caller.name]?.ends[caller] }

    /// Adds a caller, or a token of a caller.
    ///
    /// - Returns: The reason why the caller has no room; nil if it was added.
    mutating func add(_ caller: APICaller, of issuer: String, until end: Timestamp, issuerCount: Int) -> String? {
        var subject = subjects[caller.name] ?? Subject(issuer: issuer)
        if subjects[caller.name] == nil {
            guard countOfIssuer[issuer, default: 0] < Self.subjectLimit / max(1, issuerCount) else {
                return "\(issuer) has too many subjects with valid tokens"
            }
            countOfIssuer[issuer, default: 0] += 1
        }
        guard subject.ends[caller] != nil || subject.ends.count < Self.scopesLimit else {
            return "'\(caller.name)' has too many tokens with other scopes"
        }
        subject.ends[caller] = max(end, subject.ends[caller] ?? end)
        subjects[caller.name] = subject
        return nil
    }

    mutating func forgetExpired(_ time: Timestamp) {
        for (name, subject) in subjects {
            let ends = subject.ends.filter { time < $0.value }
            guard ends.count < subject.ends.count else { continue }
            subjects[name]?.ends = ends
            guard ends.isEmpty else { continue }
            subjects[name] = nil
            countOfIssuer[subject.issuer, default: 1] -= 1
        }
    }
}
