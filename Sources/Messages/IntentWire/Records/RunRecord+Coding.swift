/// Encodes the records for which ``RunRecord/isAwaited`` is true. The record log keeps them until SQLite has stored
/// them.
extension RunRecord: Codable {
    private enum Kind: String {
        case accepted, state, asked, answered, cancelRequested, ended
    }

    package init(from decoder: any Decoder) throws {
        run = try decoder.field(.run)
        switch try decoder.messageKind(Kind.self) {
        case .accepted: fact = .accepted(try AcceptedRun(from: decoder))
        case .state:
            fact = .state(
                try decoder.field(.state),
                reason: try decoder.optionalField(.reason),
                slot: try decoder.optionalField(.slot)
            )
        case .asked: fact = .asked(try decoder.field(.question))
        case .answered: fact = .answered(try decoder.field(.answer))
        case .cancelRequested: fact = .cancelRequested(try decoder.field(.caller))
        case .ended: fact = .ended(try RecordedEnd(from: decoder))
        }
    }

    /// - Precondition: ``isAwaited`` is true.
    package func encode(to encoder: any Encoder) throws {
        try encoder.encodeFields((.run, run))
        switch fact {
        case .accepted(let accepted): try encoder.encodeMessage(Kind.accepted, accepted)
        case .state(let state, let reason, let slot):
            try encoder.encodeMessage(Kind.state, (.state, state), (.reason, reason), (.slot, slot))
        case .asked(let question): try encoder.encodeMessage(Kind.asked, (.question, question))
        case .answered(let answer): try encoder.encodeMessage(Kind.answered, (.answer, answer))
        case .cancelRequested(let caller): try encoder.encodeMessage(Kind.cancelRequested, (.caller, caller))
        case .ended(let end): try encoder.encodeMessage(Kind.ended, end)
        case .signalled, .observed, .sampled, .printed, .leftOut, .exited:
            preconditionFailure("cannot encode a record with isAwaited == false")
        }
    }
}
