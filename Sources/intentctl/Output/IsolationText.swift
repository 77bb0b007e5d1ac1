package import IntentClient

/// What isolates workers, on one line.
package enum IsolationText {
    /// `full (own root, …)`, or `reduced, missing: …`.
    package static func of(_ isolation: Isolation) -> String {
        let detail =
            switch isolation.grade {
            case .full: isolation.parts.isEmpty ? "" : " (\(list(isolation.parts)))"
            case .reduced, .none: isolation.missing.isEmpty ? "" : ", missing: \(reasons(isolation.missing))"
            }
        return isolation.grade.rawValue + detail
    }

    /// The same of a daemon, with all that holds and all that does not.
    package static func of(_ status: DaemonStatus) -> String {
        let parts = list(status.isolation)
        let missing = status.isolationMissing ?? []
        // An older daemon tells no grade.
        guard let grade = status.isolationGrade else { return parts.isEmpty ? "none" : parts }
        return grade.rawValue + (parts.isEmpty ? "" : " (\(parts))")
            + (missing.isEmpty ? "" : ", missing: \(reasons(missing))")
    }

    /// What is worth saying at the end of a run: that it had less than everything.
    static func remark(on end: RunEnd) -> [String] {
        switch end.account.isolation {
        case .full, nil: []
        case .reduced: ["its isolation was reduced"]
        case .some(.none): ["it was not isolated"]
        }
    }

    private static func list(_ parts: [String]) -> String {
        parts.map(SafeText.line).joined(separator: ", ")
    }

    /// A reason may have commas of its own.
    private static func reasons(_ missing: [String]) -> String {
        missing.map(SafeText.line).joined(separator: "; ")
    }
}
