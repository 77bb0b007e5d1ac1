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
    private enum Key: String, CodingKey { case run, serial }
    private struct State: Codable {
        var state: RunState
        var reason: CancellationReason?
    }
    private struct Progress: Codable { var progress: ProgressReport }
    private struct Asked: Codable { var question: OpenQuestion }
    private struct Output: Codable {
        var stream: OutputStream
        var text: String
    }

    static func isEvent(type: String) -> Bool { Kind(rawValue: type) != nil }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        run = try container.decode(RunID.self, forKey: .run)
        serial = try container.decode(UInt64.self, forKey: .serial)
        switch try decoder.messageKind(Kind.self) {
        case .state:
            let fields = try State(from: decoder)
            event = .state(fields.state, reason: fields.reason)
        case .progress: event = .progress(try Progress(from: decoder).progress)
        case .question: event = .question(try Asked(from: decoder).question)
        case .answered: event = .answered(try AnswerNotice(from: decoder))
        case .output:
            let fields = try Output(from: decoder)
            event = .output(fields.stream, text: fields.text)
        case .finished: event = .finished(try RunEnd(from: decoder))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(run, forKey: .run)
        try container.encode(serial, forKey: .serial)
        switch event {
        case .state(let state, let reason):
            try encoder.encodeMessage(Kind.state, State(state: state, reason: reason))
        case .progress(let progress): try encoder.encodeMessage(Kind.progress, Progress(progress: progress))
        case .question(let question): try encoder.encodeMessage(Kind.question, Asked(question: question))
        case .answered(let notice): try encoder.encodeMessage(Kind.answered, notice)
        case .output(let stream, let text):
            try encoder.encodeMessage(Kind.output, Output(stream: stream, text: text))
        case .finished(let end): try encoder.encodeMessage(Kind.finished, end)
        }
    }
}

extension ClientMessage: Codable {
    private struct Envelope: Codable {
        var type: String
        var id: UInt64?
    }

    public init(from decoder: any Decoder) throws {
        let envelope = try Envelope(from: decoder)
        if NumberedEvent.isEvent(type: envelope.type) {
            self = .event(try NumberedEvent(from: decoder))
        } else {
            self = .answer(id: envelope.id, try ClientAnswer(from: decoder))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .answer(let id, let answer):
            var container = encoder.container(keyedBy: MessageKey.self)
            try container.encodeIfPresent(id, forKey: .id)
            try answer.encode(to: encoder)
        case .event(let event): try event.encode(to: encoder)
        }
    }
}
