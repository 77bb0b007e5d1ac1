import IntentLinux

/// Describes the isolation of workers in one line.
package enum IsolationText {
    /// Describes the isolation of a worker: `full (own root, …)` or `reduced, missing: …`.
    package static func of(_ isolation: Isolation) -> String {
        let detail =
            switch isolation.grade {
            case .full: isolation.parts.isEmpty ? "" : " (\(list(isolation.parts)))"
            case .reduced, .none: isolation.missing.isEmpty ? "" : ", missing: \(reasons(isolation.missing))"
            }
        return isolation.grade.rawValue + detail
    }

    /// Describes the isolation that a daemon provides: the active and the missing protections.
    package static func of(_ status: DaemonStatus) -> String {
        let parts = list(status.isolation)
        let missing = status.isolationMissing ?? []
        // Older daemons do not report the grade.
        guard let grade = status.isolationGrade else { return parts.isEmpty ? "none" : parts }
        return grade.rawValue + (parts.isEmpty ? "" : " (\(parts))")
            + (missing.isEmpty ? "" : ", missing: \(reasons(missing))")
    }

    /// Returns a note if the run was not fully isolated, and an empty array otherwise.
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

    /// Joins the reasons with semicolons, because a reason may contain commas.
    private static func reasons(_ missing: [String]) -> String {
        missing.map(SafeText.line).joined(separator: "; ")
    }
}
