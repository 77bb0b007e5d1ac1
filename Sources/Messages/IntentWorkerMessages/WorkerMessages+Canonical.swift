package import IntentVocabulary

extension WorkerCommand: CanonicalEncodable, CanonicalDecodable {
    package static let valueLimit = Int.max

    package func write(to writer: inout CanonicalWriter) throws(NotCanonical) {
        switch self {
        case .perform(let command):
            guard command.query == nil else { throw NotCanonical() }
            writer.raw(#"{"files":"#)
            writer.put(command.fileCount)
            writer.raw(#","intent":"#)
            writer.put(command.intent)
            if let locale = command.locale {
                writer.raw(#","locale":"#)
                writer.put(locale)
            }
            writer.raw(#","run":"#)
            writer.put(command.run.text)
            if let traceparent = command.traceparent {
                writer.raw(#","traceparent":"#)
                writer.put(traceparent)
            }
            writer.raw(#","type":"perform","values":"#)
            writer.raw(command.values.json)
            writer.raw("}")
        case .cancel(let reason, let grace):
            writer.raw(#"{"graceMilliseconds":"#)
            writer.put(grace)
            writer.raw(#","reason":"#)
            writer.put(reason.name)
            writer.raw(#","type":"cancel"}"#)
        case .acknowledge: writer.raw(#"{"type":"acknowledge"}"#)
        case .files, .answer, .refuse, .resume: throw NotCanonical()
        }
    }

    package init(canonical reader: inout CanonicalReader) throws(NotCanonical) {
        if reader.skip(#"{"type":"acknowledge"}"#) {
            self = .acknowledge
        } else if reader.skip(#"{"graceMilliseconds":"#) {
            let grace = try reader.integer()
            try reader.expect(#","reason":"#)
            self = .cancel(reason: CancellationReason(name: try reader.string()), graceMilliseconds: grace)
            try reader.expect(#","type":"cancel"}"#)
        } else {
            try reader.expect(#"{"files":"#)
            let fileCount = try reader.number(Int.self)
            try reader.expect(#","intent":"#)
            let intent = try reader.string()
            let locale = reader.skip(#","locale":"#) ? try reader.string() : nil
            try reader.expect(#","run":"#)
            let run = try reader.run()
            let traceparent = reader.skip(#","traceparent":"#) ? try reader.string() : nil
            try reader.expect(#","type":"perform","values":"#)
            let values = try reader.values()
            try reader.expect("}")
            self = .perform(
                PerformCommand(
                    run: run,
                    intent: intent,
                    values: RunValues(values),
                    fileCount: fileCount,
                    locale: locale,
                    traceparent: traceparent
                )
            )
        }
    }
}

extension WorkerReport: CanonicalEncodable, CanonicalDecodable {
    /// Limited, because a worker executes an app's code.
    package static let valueLimit = PayloadShape.untrustedValueLimit

    package func write(to writer: inout CanonicalWriter) throws(NotCanonical) {
        switch self {
        case .hello(let hello):
            guard hello.fleetUser == nil else { throw NotCanonical() }
            writer.raw(#"{"protocolVersion":"#)
            writer.put(hello.protocolVersion)
            writer.raw(#","software":"#)
            writer.put(hello.software)
            writer.raw(#","type":"hello"}"#)
        case .started: writer.raw(#"{"type":"started"}"#)
        case .progress(let progress):
            writer.raw(#"{"progress":"#)
            try writer.put(progress)
            writer.raw(#","type":"progress"}"#)
        case .finished(let result):
            guard result.files.isEmpty, !result.hasDetails else { throw NotCanonical() }
            writer.raw(#"{"ending":"#)
            try writer.put(result.ending)
            writer.raw(#","files":[],"type":"finished"}"#)
        case .catalog, .background, .question, .withdrawn, .resumed, .crashed: throw NotCanonical()
        }
    }

    package init(canonical reader: inout CanonicalReader) throws(NotCanonical) {
        if reader.skip(#"{"progress":"#) {
            self = .progress(try reader.progress())
            try reader.expect(#","type":"progress"}"#)
        } else if reader.skip(#"{"type":"started"}"#) {
            self = .started
        } else if reader.skip(#"{"ending":"#) {
            self = .finished(WorkerResult(ending: try reader.ending()))
            try reader.expect(#","files":[],"type":"finished"}"#)
        } else {
            try reader.expect(#"{"protocolVersion":"#)
            let version = try reader.number(Int.self)
            try reader.expect(#","software":"#)
            self = .hello(Hello(protocolVersion: version, software: try reader.string()))
            try reader.expect(#","type":"hello"}"#)
        }
    }
}

extension CanonicalWriter {
    fileprivate mutating func put(_ ending: WorkerEnding) throws(NotCanonical) {
        switch ending {
        case .returned(let value, let dialog): try putReturned("returned", value, dialog)
        case .threw(let message):
            raw(#"{"kind":"threw","message":"#)
            put(message)
        case .threwCancellation: raw(#"{"kind":"threwCancellation""#)
        case .needsValue: throw NotCanonical()
        }
        raw("}")
    }
}

extension CanonicalReader {
    fileprivate mutating func ending() throws(NotCanonical) -> WorkerEnding {
        let ending: WorkerEnding
        if skip(#"{"kind":"threw","message":"#) {
            ending = .threw(message: try string())
        } else if skip(#"{"kind":"threwCancellation""#) {
            ending = .threwCancellation
        } else {
            let dialog = skip(#"{"dialog":"#) ? try string() : nil
            try expect(dialog == nil ? #"{"kind":"returned""# : #","kind":"returned""#)
            ending = .returned(value: skip(#","value":"#) ? try value() : nil, dialog: dialog)
        }
        try expect("}")
        return ending
    }
}
