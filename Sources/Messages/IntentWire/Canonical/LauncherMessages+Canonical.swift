extension LaunchCommand: CanonicalEncodable, CanonicalDecodable {
    package static let valueLimit = Int.max

    package func write(to writer: inout CanonicalWriter) throws(NotCanonical) {
        switch self {
        case .launch(let request):
            writer.raw("{")
            if let account = request.account {
                writer.put(#""account":"#, account)
                writer.raw(",")
            }
            writer.put(#""app":"#, request.app.text)
            writer.put(#","mode":"#, request.mode.rawValue)
            writer.put(#","run":"#, request.run?.text)
            writer.put(#","slot":"#, request.slot.number)
            writer.raw(#","type":"launch""#)
            writer.put(#","user":"#, request.user)
            writer.raw("}")
        case .signal(let slot, let signal):
            writer.put(#"{"signal":"#, signal.rawValue)
            writer.put(#","slot":"#, slot.number)
            writer.raw(#","type":"signal"}"#)
        case .release(let slot):
            writer.put(#"{"slot":"#, slot.number)
            writer.raw(#","type":"release"}"#)
        case .hello, .open, .measure, .observe, .keepNotes, .keepInputs, .dropInputs, .adopt, .reload, .quit:
            throw NotCanonical()
        }
    }

    package init(canonical reader: inout CanonicalReader) throws(NotCanonical) {
        if reader.skip(#"{"account":"#) {
            let account = try reader.string()
            try reader.expect(#","app":"#)
            self = .launch(try reader.launchRequest(account: account))
        } else if reader.skip(#"{"app":"#) {
            self = .launch(try reader.launchRequest(account: nil))
        } else if reader.skip(#"{"signal":"#) {
            let signal = try reader.word(StopSignal.self)
            try reader.expect(#","slot":"#)
            self = .signal(slot: try reader.slot(), signal)
            try reader.expect(#","type":"signal"}"#)
        } else {
            try reader.expect(#"{"slot":"#)
            self = .release(slot: try reader.slot())
            try reader.expect(#","type":"release"}"#)
        }
    }
}

extension LaunchReport: CanonicalEncodable, CanonicalDecodable {
    package static let valueLimit = Int.max

    package func write(to writer: inout CanonicalWriter) throws(NotCanonical) {
        switch self {
        case .launched(let slot, let process, let isolation):
            writer.raw(#"{"isolation":"#)
            writer.put(isolation)
            writer.put(#","process":"#, process)
            writer.put(#","slot":"#, slot.number)
            writer.raw(#","type":"launched"}"#)
        case .ended(let slot, let end):
            guard end.exceeded == nil else { throw NotCanonical() }
            writer.put(#"{"leftoverProcessCount":"#, end.leftoverProcessCount)
            writer.raw(#","processEnd":"#)
            writer.put(end.processEnd)
            writer.put(#","slot":"#, slot.number)
            writer.raw(#","type":"ended""#)
            if let usage = end.usage { writer.put(usage) }
            writer.raw("}")
        case .hello, .launchFailed, .opened, .openFailed, .observed, .usage, .outdated, .kept, .keptInputs,
            .adopted:
            throw NotCanonical()
        }
    }

    package init(canonical reader: inout CanonicalReader) throws(NotCanonical) {
        if reader.skip(#"{"isolation":"#) {
            let isolation = try reader.isolation()
            try reader.expect(#","process":"#)
            let process = try reader.number(Int32.self)
            try reader.expect(#","slot":"#)
            self = .launched(slot: try reader.slot(), process: process, isolation)
            try reader.expect(#","type":"launched"}"#)
        } else {
            try reader.expect(#"{"leftoverProcessCount":"#)
            let leftoverCount = try reader.number(Int.self)
            try reader.expect(#","processEnd":"#)
            var end = SlotEnd(processEnd: try reader.processEnd(), leftoverProcessCount: leftoverCount)
            try reader.expect(#","slot":"#)
            let slot = try reader.slot()
            try reader.expect(#","type":"ended""#)
            end.usage = try reader.usage()
            try reader.expect("}")
            self = .ended(slot: slot, end)
        }
    }
}

extension CanonicalWriter {
    /// Appends the member `usage`, preceded by a comma, to an object that already has a member.
    fileprivate mutating func put(_ usage: ResourceUsage) {
        raw(#","usage":{"#)
        if let peak = usage.peakMemoryByteCount {
            put(#""peakMemoryByteCount":"#, peak)
            raw(",")
        }
        put(#""systemMicroseconds":"#, usage.systemTime.microseconds)
        put(#","userMicroseconds":"#, usage.userTime.microseconds)
        raw("}")
    }
}

extension CanonicalReader {
    /// Reads the members of a launch request that follow the account.
    fileprivate mutating func launchRequest(account: String?) throws(NotCanonical) -> LaunchRequest {
        guard let app = AppName(try string()) else { throw NotCanonical() }
        try expect(#","mode":"#)
        let mode = try word(WorkerMode.self)
        let run = skip(#","run":"#) ? try self.run() : nil
        try expect(#","slot":"#)
        var request = LaunchRequest(slot: try slot(), app: app, mode: mode, run: run)
        request.account = account
        try expect(#","type":"launch""#)
        request.user = skip(#","user":"#) ? try number() : nil
        try expect("}")
        return request
    }

    fileprivate mutating func usage() throws(NotCanonical) -> ResourceUsage? {
        guard skip(#","usage":{"#) else { return nil }
        var peak: Int64?
        if skip(#""peakMemoryByteCount":"#) {
            peak = try integer()
            try expect(",")
        }
        try expect(#""systemMicroseconds":"#)
        let system = try integer()
        try expect(#","userMicroseconds":"#)
        let user = try integer()
        try expect("}")
        return ResourceUsage(
            userTime: .microseconds(user),
            systemTime: .microseconds(system),
            peakMemoryByteCount: peak
        )
    }
}
