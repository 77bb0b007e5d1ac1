import IntentLauncherMessages
import IntentLifecycle

/// Requests that only operators may make. Operators are root and the members of the operators' group, or the owner of a
/// private daemon.
enum OperatorRequest: CaseIterable {
    case metrics
    case prune
    case importRuns
    case reload
    case upgrade

    /// Returns the reason why a client may not make this request; nil if the request is permitted.
    func refusal(for rank: RunAccess.Rank) -> ErrorReport? {
        if rank == .operator { return nil }
        return switch self {
        case .metrics:
            ErrorReport(
                .notPermitted,
                "only operators may read metrics, because metrics include the runs of all users",
                hint: "'intentctl history' shows your own runs; operators are root and the members of intentd-operators"
            )
        case .prune:
            ErrorReport(
                .notPermitted,
                "only operators may remove runs from the history",
                hint: "ask root or a member of intentd-operators; Keep= and MaxSize= in [History] limit the history"
            )
        case .importRuns:
            ErrorReport(
                .notPermitted,
                "only operators may add runs to the history",
                hint: "ask root or a member of intentd-operators to run 'intentctl history --import FILE'"
            )
        case .reload:
            ErrorReport(
                .notPermitted,
                "only operators may reload intentd's configuration",
                hint: "ask root or a member of the group intentd-operators to run 'systemctl reload intentd'"
            )
        case .upgrade:
            ErrorReport(
                .notPermitted,
                "only operators may upgrade intentd",
                hint: "ask root or a member of the group intentd-operators to run 'intentctl upgrade'"
            )
        }
    }
}
