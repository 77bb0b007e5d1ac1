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

extension RunEvent: Codable {
    fileprivate enum CodingKeys: CaseName { case state, progress, question, answered, output, finished }

    private enum StateCodingKeys: String, CodingKey { case _0 = "state", reason }
    private enum ProgressCodingKeys: String, CodingKey { case _0 = "progress" }
    private enum QuestionCodingKeys: String, CodingKey { case _0 = "question" }
    private enum OutputCodingKeys: String, CodingKey { case _0 = "stream", text }
}

extension NumberedEvent: Codable {
    private enum Key: CodingKey { case run, serial }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        run = try container.decode(RunID.self, forKey: .run)
        serial = try container.decode(UInt64.self, forKey: .serial)
        event = try RunEvent(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(run, forKey: .run)
        try container.encode(serial, forKey: .serial)
        try event.encode(to: encoder)
    }
}

extension ClientMessage: Codable {
    package static let valueLimit = Int.max

    private enum Key: CodingKey { case type, id }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if RunEvent.CodingKeys(stringValue: try container.decode(String.self, forKey: .type)) != nil {
            self = .event(try NumberedEvent(from: decoder))
        } else {
            self = .answer(
                id: try container.decodeIfPresent(UInt64.self, forKey: .id),
                try ClientAnswer(from: decoder)
            )
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .answer(let id, let answer):
            var container = encoder.container(keyedBy: Key.self)
            try container.encodeIfPresent(id, forKey: .id)
            try answer.encode(to: encoder)
        case .event(let event): try event.encode(to: encoder)
        }
    }
}
