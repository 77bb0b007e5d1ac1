extension RunOutcome {
    /// The outcome's name in messages, history and metrics.
    public var kindName: String {
        switch self {
        case .done: "done"
        case .failed: "failed"
        case .unanswered: "unanswered"
        case .cancelled: "cancelled"
        case .crashed: "crashed"
        case .exceeded: "exceeded"
        case .violated: "violated"
        case .notStarted: "notStarted"
        case .busy: "busy"
        case .lost: "lost"
        case .hostLost: "hostLost"
        case .unknown(let kind, _): kind
        }
    }

    /// The outcome's message for users; nil when the outcome has no message.
    public var message: String? {
        switch self {
        case .done(_, let dialog): dialog
        case .failed(let message), .unanswered(_, let message), .violated(let message), .notStarted(let message),
            .busy(let message),
            .lost(let message),
            .hostLost(let message),
            .unknown(_, let message):
            message
        case .exceeded(let limit): limit.message
        case .cancelled, .crashed: nil
        }
    }
}
