package import IntentVocabulary

/// Writes how runs and their workers end, and what protects a worker.
extension CanonicalWriter {
    package mutating func put(_ end: ProcessEnd) {
        switch end {
        case .exited(let code):
            raw(#"{"exited":"#)
            put(code)
        case .signaled(let signal):
            raw(#"{"signaled":"#)
            put(signal)
        }
        raw("}")
    }

    package mutating func put(_ isolation: Isolation) {
        raw(#"{"grade":"#)
        put(isolation.grade.rawValue)
        raw(#","missing":"#)
        put(isolation.missing)
        if let needs = isolation.needs {
            raw(#","needs":"#)
            put(needs.map(\.rawValue))
        }
        raw(#","parts":"#)
        put(isolation.parts)
        raw("}")
    }

    package mutating func put(_ account: RunAccount) throws(NotCanonical) {
        guard account.details == nil else { throw NotCanonical() }
        raw(#"{"hadLateResult":"#)
        put(account.hadLateResult)
        if let isolation = account.isolation {
            raw(#","isolation":"#)
            put(isolation.rawValue)
        }
        raw(#","leftoverProcessCount":"#)
        put(account.leftoverProcessCount)
        if let end = account.processEnd {
            raw(#","processEnd":"#)
            put(end)
        }
        raw(#","runtimeMilliseconds":"#)
        put(account.runtime.wholeMilliseconds)
        raw(#","signals":"#)
        put(account.signals)
        raw("}")
    }

    package mutating func put(_ outcome: RunOutcome) throws(NotCanonical) {
        switch outcome {
        case .done(let value, let dialog): try putReturned("done", value, dialog)
        case .failed(let message):
            raw(#"{"kind":"failed","message":"#)
            put(message)
        case .cancelled(let reason):
            raw(#"{"kind":"cancelled","reason":"#)
            put(reason.name)
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
