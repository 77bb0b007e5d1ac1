/// A report about the host, which the page shows: the output of an intentctl command.
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
