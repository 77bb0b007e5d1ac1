import IntentLauncherMessages

/// The JSON in the `detail` column of a row with the kind `state`.
struct StateDetail: Codable {
    var reason: CancellationReason?
    var slot: SlotID?
}

/// The JSON in the `detail` column of a row with the kind `cancel`.
struct CancelDetail: Codable {
    var user: UInt32
    var process: Int32
    var software: String
}

extension RunRecord.Fact {
    /// The value of the `kind` column in `changes`; nil for facts that are stored in other tables.
    var changeKind: String? {
        switch self {
        case .state: "state"
        case .asked: "question"
        case .answered: "answer"
        case .cancelRequested: "cancel"
        case .signalled: "signal"
        case .observed: "observation"
        case .sampled: "usage"
        case .accepted, .printed, .leftOut, .ended, .exited, .stored: nil
        }
    }
}
