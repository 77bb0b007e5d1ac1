import IntentProtocol

/// The sentence of a description that failed about a path that the server may need.
package enum ServerProblem {
    private static let start = ". If it needs '"
    private static let end = "', grant it with ReadPaths= or WritePaths= in [Sandbox]"

    package static func sentence(about path: String) -> String { start + path + end }

    /// Returns the path that a problem names; nil if it names none.
    package static func path(in problem: String) -> String? {
        guard let start = problem.firstRange(utf8: start) else { return nil }
        let rest = Substring(problem.utf8[start.upperBound...])
        guard let end = rest.firstRange(utf8: end) else { return nil }
        return String(Substring(rest.utf8[..<end.lowerBound]))
    }
}
