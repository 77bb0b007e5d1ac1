import IntentProtocol

/// Encodes the records for which ``RunRecord/isAwaited`` is true. The record log keeps them until SQLite has stored
/// them.
extension RunRecord: Codable {
    private enum Kind: String {
        case accepted, state, asked, answered, cancelRequested, ended
    }

    private enum Key: String, CodingKey {
        case run, state, reason, slot, question, answer, caller
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        run = try fields.decode(RunID.self, forKey: .run)
        switch try decoder.messageKind(Kind.self) {
        case .accepted: fact = .accepted(try AcceptedRun(from: decoder))
        case .state:
            fact = .state(
                try fields.decode(RunState.self, forKey: .state),
                reason: try fields.decodeIfPresent(CancellationReason.self, forKey: .reason),
                slot: try fields.decodeIfPresent(SlotID.self, forKey: .slot)
            )
        case .asked: fact = .asked(try fields.decode(Question.self, forKey: .question))
        case .answered: fact = .answered(try fields.decode(RecordedAnswer.self, forKey: .answer))
        case .cancelRequested: fact = .cancelRequested(try fields.decode(CallerProcess.self, forKey: .caller))
        case .ended: fact = .ended(try RecordedEnd(from: decoder))
        }
    }

    /// - Precondition: ``isAwaited`` is true.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(run, forKey: .run)
        switch fact {
        case .accepted(let accepted): try encoder.encodeMessage(Kind.accepted, accepted)
        case .state(let state, let reason, let slot):
            try fields.encode(state, forKey: .state)
            try fields.encodeIfPresent(reason, forKey: .reason)
            try fields.encodeIfPresent(slot, forKey: .slot)
            try encoder.encodeMessage(Kind.state)
        case .asked(let question):
            try fields.encode(question, forKey: .question)
            try encoder.encodeMessage(Kind.asked)
        case .answered(let answer):
            try fields.encode(answer, forKey: .answer)
            try encoder.encodeMessage(Kind.answered)
        case .cancelRequested(let caller):
            try fields.encode(caller, forKey: .caller)
            try encoder.encodeMessage(Kind.cancelRequested)
        case .ended(let end): try encoder.encodeMessage(Kind.ended, end)
        case .signalled, .observed, .sampled, .printed, .leftOut, .exited:
            preconditionFailure("cannot encode a record with isAwaited == false")
        }
    }
}
