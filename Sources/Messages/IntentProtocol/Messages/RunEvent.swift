/// An event of a run, as sent to its subscribers.
public enum RunEvent: Hashable, Sendable {
    /// The run's state changed.
    case state(RunState, reason: CancellationReason?)
    /// The run reported progress. If an earlier progress event has not been sent yet, only this event is sent.
    case progress(ProgressReport)
    /// The run asked a question. The question is open until the next ``answered(_:)`` or ``state(_:reason:)`` event.
    indirect case question(OpenQuestion)
    /// The open question was answered.
    indirect case answered(AnswerNotice)
    /// The run wrote this output. It can begin and end in the middle of a line.
    case output(OutputStream, text: String)
    /// The run ended. This is the run's last event. The files in its value are sent with the same frame.
    indirect case finished(RunEnd)
}

/// The output streams of a process.
public enum OutputStream: String, Hashable, Sendable, Codable {
    /// Standard output.
    case stdout
    /// Standard error.
    case stderr
}

/// An event of a run, with its serial number.
public struct NumberedEvent: Hashable, Sendable {
    /// The run's identifier.
    public var run: RunID
    /// The event's serial number, which increases with each event of the run. A gap means that `intentd` omitted
    /// progress or output, or that another `intentd` adopted the run.
    public var serial: UInt64
    /// The event.
    public var event: RunEvent

    /// Creates a numbered event.
    public init(run: RunID, serial: UInt64, _ event: RunEvent) {
        self.run = run
        self.serial = serial
        self.event = event
    }
}

/// A message that `intentd` sends to a client.
public enum ClientMessage: Hashable, Sendable {
    /// The answer to the request with this number. The number is nil if it could not be decoded.
    case answer(id: UInt64?, ClientAnswer)
    /// An event of a run to which the client has subscribed.
    case event(NumberedEvent)
}

extension NumberedEvent: Codable {
    private enum Kind: String, CaseIterable { case state, progress, question, answered, output, finished }

    static func isEvent(type: String) -> Bool { Kind(rawValue: type) != nil }

    public init(from decoder: any Decoder) throws {
        run = try decoder.field(.run)
        serial = try decoder.field(.serial)
        event =
            switch try decoder.messageKind(Kind.self) {
            case .state: .state(try decoder.field(.state), reason: try decoder.optionalField(.reason))
            case .progress: .progress(try decoder.field(.progress))
            case .question: .question(try decoder.field(.question))
            case .answered: .answered(try AnswerNotice(from: decoder))
            case .output: .output(try decoder.field(.stream), text: try decoder.field(.text))
            case .finished: .finished(try RunEnd(from: decoder))
            }
    }

    public func encode(to encoder: any Encoder) throws {
        try encoder.encodeFields((.run, run), (.serial, serial))
        switch event {
        case .state(let state, let reason):
            try encoder.encodeMessage(Kind.state, (.state, state), (.reason, reason))
        case .progress(let progress): try encoder.encodeMessage(Kind.progress, (.progress, progress))
        case .question(let question): try encoder.encodeMessage(Kind.question, (.question, question))
        case .answered(let notice): try encoder.encodeMessage(Kind.answered, notice)
        case .output(let stream, let text):
            try encoder.encodeMessage(Kind.output, (.stream, stream), (.text, text))
        case .finished(let end): try encoder.encodeMessage(Kind.finished, end)
        }
    }
}

extension ClientMessage: Codable {
    public init(from decoder: any Decoder) throws {
        if NumberedEvent.isEvent(type: try decoder.field(.type)) {
            self = .event(try NumberedEvent(from: decoder))
        } else {
            self = .answer(id: try decoder.optionalField(.id), try ClientAnswer(from: decoder))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .answer(let id, let answer):
            try encoder.encodeFields((.id, id))
            try answer.encode(to: encoder)
        case .event(let event): try event.encode(to: encoder)
        }
    }
}
