/// A report about the host that the page shows: the output of a command of intentctl.
package enum WebReport: String, CaseIterable, Sendable {
    case doctor
    case schedules

    /// The command line after `intentctl`.
    package var words: [String] {
        switch self {
        case .doctor: ["doctor", "--output", "json"]
        case .schedules: ["schedule", "list", "--output", "json"]
        }
    }
}
