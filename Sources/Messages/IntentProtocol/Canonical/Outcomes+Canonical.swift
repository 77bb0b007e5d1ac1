/// Writes how runs and their workers end, and what protects a worker.
extension CanonicalWriter {
    package mutating func put(_ end: ProcessEnd) {
        switch end {
        case .exited(let code):
            put(#"{"exited":"#, code)
        case .signaled(let signal):
            put(#"{"signaled":"#, signal)
        }
        raw("}")
    }

    package mutating func put(_ isolation: Isolation) {
        put(#"{"grade":"#, isolation.grade.rawValue)
        put(#","missing":"#, isolation.missing)
        put(#","needs":"#, isolation.needs?.map(\.rawValue))
        put(#","parts":"#, isolation.parts)
        raw("}")
    }

    package mutating func put(_ account: RunAccount) throws(NotCanonical) {
        guard account.details == nil else { throw NotCanonical() }
        put(#"{"hadLateResult":"#, account.hadLateResult)
        put(#","isolation":"#, account.isolation?.rawValue)
        put(#","leftoverProcessCount":"#, account.leftoverProcessCount)
        if let end = account.processEnd {
            raw(#","processEnd":"#)
            put(end)
        }
        put(#","runtimeMilliseconds":"#, account.runtime.wholeMilliseconds)
        put(#","signals":"#, account.signals)
        raw("}")
    }

    package mutating func put(_ outcome: RunOutcome) throws(NotCanonical) {
        switch outcome {
        case .done(let value, let dialog): try putReturned("done", value, dialog)
        case .failed(let message):
            put(#"{"kind":"failed","message":"#, message)
        case .cancelled(let reason):
            put(#"{"kind":"cancelled","reason":"#, reason.name)
        case .unanswered, .crashed, .exceeded, .violated, .notStarted, .busy, .lost, .hostLost, .unknown:
            throw NotCanonical()
        }
        raw("}")
    }
}

extension CanonicalReader {
    package mutating func processEnd() throws(NotCanonical) -> ProcessEnd {
        let end: ProcessEnd
        if skip(#"{"exited":"#) {
            end = .exited(code: try number())
        } else {
            try expect(#"{"signaled":"#)
            end = .signaled(signal: try number())
        }
        try expect("}")
        return end
    }

    package mutating func isolation() throws(NotCanonical) -> Isolation {
        try expect(#"{"grade":"#)
        let grade = try word(IsolationGrade.self)
        try expect(#","missing":"#)
        let missing = try strings()
        let needs = skip(#","needs":"#) ? try strings().map(Isolation.Need.init) : nil
        try expect(#","parts":"#)
        let parts = try strings()
        try expect("}")
        return Isolation(grade: grade, parts: parts, missing: missing, needs: needs)
    }

    package mutating func slot() throws(NotCanonical) -> SlotID { SlotID(number: try number()) }
}
