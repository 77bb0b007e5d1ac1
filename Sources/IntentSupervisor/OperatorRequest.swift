import IntentLifecycle
import IntentWire

/// What only operators may request: root and members of the operators' group, or the owner of a private daemon.
enum OperatorRequest: CaseIterable {
    case metrics
    case prune
    case reload
    case upgrade

    /// Why a client must not request this; nil when it may.
    func refusal(for rank: RunAccess.Rank) -> ErrorReport? {
        if rank == .operator { return nil }
        return switch self {
        case .metrics:
            ErrorReport(
                .notPermitted,
                "only operators may see metrics: they tell of everybody's runs",
                hint: "'intentctl history' tells of yours; root and the group intentd-operators are operators"
            )
        case .prune:
            ErrorReport(
                .notPermitted,
                "only operators may remove runs from the record",
                hint: "ask root or a member of intentd-operators; Keep= and MaxSize= in [History] say what is kept"
            )
        case .reload:
            ErrorReport(
                .notPermitted,
                "only operators may have intentd read its configuration again",
                hint: "ask root or a member of the group intentd-operators: systemctl reload intentd"
            )
        case .upgrade:
            ErrorReport(
                .notPermitted,
                "only operators may upgrade intentd",
                hint: "ask root or a member of the group intentd-operators: intentctl upgrade"
            )
        }
    }
}
