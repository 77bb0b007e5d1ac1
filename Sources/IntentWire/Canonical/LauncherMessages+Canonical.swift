import IntentProtocol

extension LaunchCommand {
    func write(to writer: inout CanonicalWriter) throws(NotCanonical) {
        switch self {
        case .launch(let request):
            if let account = request.account {
                writer.raw(#"{"account":"#)
                writer.put(account)
                writer.raw(#","app":"#)
            } else {
                writer.raw(#"{"app":"#)
            }
            writer.put(request.app.text)
            writer.raw(#","mode":"#)
            writer.put(request.mode.rawValue)
            if let run = request.run {
                writer.raw(#","run":"#)
                writer.put(run.text)
            }
            writer.raw(#","slot":"#)
            writer.put(request.slot.number)
            writer.raw(#","type":"launch""#)
            if let user = request.user {
                writer.raw(#","user":"#)
                writer.put(user)
            }
            writer.raw("}")
        case .signal(let slot, let signal):
            writer.raw(#"{"signal":"#)
            writer.put(signal.rawValue)
            writer.raw(#","slot":"#)
            writer.put(slot.number)
            writer.raw(#","type":"signal"}"#)
        case .release(let slot):
            writer.raw(#"{"slot":"#)
            writer.put(slot.number)
            writer.raw(#","type":"release"}"#)
        case .hello, .open, .measure, .observe, .keepNotes, .keepInputs, .dropInputs, .adopt, .reload, .quit:
            throw NotCanonical()
        }
    }

    init(canonical reader: inout CanonicalReader) throws(NotCanonical) {
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

extension LaunchReport {
    func write(to writer: inout CanonicalWriter) throws(NotCanonical) {
        switch self {
        case .launched(let slot, let process, let isolation):
            writer.raw(#"{"isolation":"#)
            writer.put(isolation)
            writer.raw(#","process":"#)
            writer.put(process)
            writer.raw(#","slot":"#)
            writer.put(slot.number)
            writer.raw(#","type":"launched"}"#)
        case .ended(let slot, let end):
            guard end.exceeded == nil else { throw NotCanonical() }
            writer.raw(#"{"leftoverProcessCount":"#)
            writer.put(end.leftoverProcessCount)
            writer.raw(#","processEnd":"#)
            writer.put(end.processEnd)
            writer.raw(#","slot":"#)
            writer.put(slot.number)
            writer.raw(#","type":"ended""#)
            if let usage = end.usage { writer.put(usage) }
            writer.raw("}")
        case .hello, .launchFailed, .opened, .openFailed, .observed, .usage, .kept, .keptInputs, .adopted:
            throw NotCanonical()
        }
    }

    init(canonical reader: inout CanonicalReader) throws(NotCanonical) {
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
            raw(#""peakMemoryByteCount":"#)
            put(peak)
            raw(",")
        }
        raw(#""systemMicroseconds":"#)
        put(usage.systemTime.microseconds)
        raw(#","userMicroseconds":"#)
        put(usage.userTime.microseconds)
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
