extension ClientMessage: CanonicalEncodable {
    package func write(to writer: inout CanonicalWriter) throws(NotCanonical) {
        switch self {
        case .answer(let id?, .accepted(let run)):
            writer.put(#"{"id":"#, id)
            writer.put(#","run":"#, run.text)
            writer.raw(#","type":"accepted"}"#)
        case .answer: throw NotCanonical()
        case .event(let event): try event.write(to: &writer)
        }
    }
}

extension NumberedEvent {
    fileprivate func write(to writer: inout CanonicalWriter) throws(NotCanonical) {
        switch event {
        case .state(let state, let reason):
            writer.raw("{")
            if let reason {
                writer.put(#""reason":"#, reason.name)
                writer.raw(",")
            }
            writeSource(to: &writer)
            writer.put(#","state":"#, state.rawValue)
            writer.raw(#","type":"state"}"#)
        case .progress(let progress):
            writer.raw(#"{"progress":"#)
            try writer.put(progress)
            writer.raw(",")
            writeSource(to: &writer)
            writer.raw(#","type":"progress"}"#)
        case .question, .answered: throw NotCanonical()
        case .output(let stream, let text):
            writer.raw("{")
            writeSource(to: &writer)
            writer.put(#","stream":"#, stream.rawValue)
            writer.put(#","text":"#, text)
            writer.raw(#","type":"output"}"#)
        case .finished(let end):
            guard end.run == run, end.keptFileCount == nil else { throw NotCanonical() }
            writer.raw(#"{"account":"#)
            try writer.put(end.account)
            writer.put(#","files":"#, end.fileCount)
            writer.raw(#","outcome":"#)
            try writer.put(end.outcome)
            writer.raw(",")
            writeSource(to: &writer)
            writer.raw(#","type":"finished"}"#)
        }
    }

    private func writeSource(to writer: inout CanonicalWriter) {
        writer.put(#""run":"#, run.text)
        writer.put(#","serial":"#, serial)
    }
}

extension NumberedRequest: CanonicalDecodable {
    /// Limited, because any user can be a client.
    package static let valueLimit = PayloadShape.untrustedValueLimit

    /// Reads a `perform` request. All other requests are rare and are decoded with `Codable`.
    package init(canonical reader: inout CanonicalReader) throws(NotCanonical) {
        try reader.expect(#"{"app":"#)
        let app = try reader.string()
        let ceiling = reader.skip(#","ceilingMilliseconds":"#) ? try reader.integer() : nil
        let entryPoint = reader.skip(#","entryPoint":"#) ? try reader.word(EntryPoint.self) : nil
        try reader.expect(#","files":"#)
        let fileCount = try reader.number(Int.self)
        try reader.expect(#","id":"#)
        let id = try reader.number(UInt64.self)
        try reader.expect(#","intent":"#)
        let intent = try reader.string()
        let isInteractive = reader.skip(#","isInteractive":true"#)
        let key = reader.skip(#","key":"#) ? try reader.string() : nil
        let limit = reader.skip(#","limitMilliseconds":"#) ? try reader.integer() : nil
        let locale = reader.skip(#","locale":"#) ? try reader.string() : nil
        try reader.expect(#","onDisconnect":"#)
        let rule = try reader.word(DisconnectRule.self)
        try reader.expect(#","request":"#)
        guard let request = RequestID(try reader.string()) else { throw NotCanonical() }
        let predecessor = reader.skip(#","retryOf":"#) ? try reader.run() : nil
        let traceparent = reader.skip(#","traceparent":"#) ? try reader.string() : nil
        try reader.expect(#","type":"perform","values":"#)
        let values = try reader.values()
        try reader.expect("}")
        // A request with a value out of range is decoded with `Codable`, which throws an error with a description.
        guard (0...FileReference.countLimit).contains(fileCount), ceiling ?? 1 > 0, limit ?? 1 > 0,
            locale?.utf8.count ?? 0 <= 64
        else {
            throw NotCanonical()
        }
        guard PerformRequest.isKey(key), traceparent.map(TraceContext.isValid) ?? true else { throw NotCanonical() }
        let perform = PerformRequest(
            request: request,
            app: app,
            intent: intent,
            values: values,
            fileCount: fileCount,
            limit: limit.map { .milliseconds($0) },
            ceiling: ceiling.map { .milliseconds($0) },
            onDisconnect: rule,
            locale: locale,
            key: key,
            retryOf: predecessor,
            entryPoint: entryPoint,
            traceparent: traceparent,
            isInteractive: isInteractive ? true : nil
        )
        self.init(id: id, .perform(perform))
    }
}
