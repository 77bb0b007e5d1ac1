import IntentProtocol

/// Writes the records that exist for every run. `Codable` encodes all other records.
extension RunRecord {
    func write(to writer: inout CanonicalWriter) throws(NotCanonical) {
        switch fact {
        case .accepted(let accepted): try write(accepted, to: &writer)
        case .state(let state, let reason, let slot):
            writer.raw("{")
            if let reason {
                writer.raw(#""reason":"#)
                writer.put(reason.name)
                writer.raw(",")
            }
            writeRun(to: &writer)
            if let slot {
                writer.raw(#","slot":"#)
                writer.put(slot.number)
            }
            writer.raw(#","state":"#)
            writer.put(state.rawValue)
            writer.raw(#","type":"state"}"#)
        case .ended(let end): try write(end, to: &writer)
        case .asked, .answered, .cancelRequested, .signalled, .observed, .sampled, .printed, .leftOut, .exited:
            throw NotCanonical()
        }
    }

    private func write(_ accepted: AcceptedRun, to writer: inout CanonicalWriter) throws(NotCanonical) {
        writer.raw(#"{"app":"#)
        writer.put(accepted.app.text)
        writer.raw(#","caller":{"#)
        if let account = accepted.caller.account {
            writer.raw(#""account":"#)
            writer.put(account)
            writer.raw(",")
        }
        if let agent = accepted.caller.agent {
            writer.raw(#""agent":"#)
            writer.put(agent)
            writer.raw(",")
        }
        writer.raw(#""process":"#)
        writer.put(accepted.caller.process)
        writer.raw(#","software":"#)
        writer.put(accepted.caller.software)
        writer.raw(#","user":"#)
        writer.put(accepted.caller.user)
        writer.raw(#"},"entryPoint":"#)
        writer.put(accepted.entryPoint.rawValue)
        writer.raw(#","fileCount":"#)
        writer.put(accepted.fileCount)
        writer.raw(#","intent":"#)
        writer.put(accepted.intent)
        if let key = accepted.key {
            writer.raw(#","key":"#)
            writer.put(key)
        }
        writer.raw(#","limits":"#)
        write(accepted.limits, to: &writer)
        if let locale = accepted.locale {
            writer.raw(#","locale":"#)
            writer.put(locale)
        }
        if let needsApproval = accepted.needsApproval {
            writer.raw(needsApproval ? #","needsApproval":true"# : #","needsApproval":false"#)
        }
        writer.raw(#","onDisconnect":"#)
        writer.put(accepted.onDisconnect.rawValue)
        if let query = accepted.query {
            writer.raw(#","query":"#)
            writer.put(query)
        }
        writer.raw(#","request":"#)
        writer.put(accepted.request.text)
        if let predecessor = accepted.retryOf {
            writer.raw(#","retryOf":"#)
            writer.put(predecessor.text)
        }
        writer.raw(",")
        writeRun(to: &writer)
        writer.raw(#","secretNames":"#)
        writer.put(accepted.secretNames)
        if let parent = accepted.traceparent {
            writer.raw(#","traceparent":"#)
            writer.put(parent)
        }
        writer.raw(#","traits":"#)
        writer.put(accepted.traits.words)
        writer.raw(#","type":"accepted","values":"#)
        writer.raw(accepted.values.json)
        writer.raw("}")
    }

    private func write(_ end: RecordedEnd, to writer: inout CanonicalWriter) throws(NotCanonical) {
        writer.raw(#"{"account":"#)
        try writer.put(end.account)
        if let age = end.advanceAge {
            writer.raw(#","advanceAgeMilliseconds":"#)
            writer.put(age.wholeMilliseconds)
        }
        if let clock = end.clock {
            writer.raw(#","clock":"#)
            writer.put(clock.rawValue)
        }
        writer.raw(#","lastSerial":"#)
        writer.put(end.lastSerial)
        writer.raw(#","outcome":"#)
        try writer.put(end.outcome)
        if let progress = end.progress {
            writer.raw(#","progress":"#)
            try writer.put(progress)
        }
        if let age = end.progressAge {
            writer.raw(#","progressAgeMilliseconds":"#)
            writer.put(age.wholeMilliseconds)
        }
        writer.raw(",")
        writeRun(to: &writer)
        writer.raw(#","type":"ended"}"#)
    }

    private func write(_ limits: RunLimits, to writer: inout CanonicalWriter) {
        writer.raw(#"{"ceilingMilliseconds":"#)
        writer.put(limits.ceiling.wholeMilliseconds)
        writer.raw(#","graceCancellableMilliseconds":"#)
        writer.put(limits.graceCancellable.wholeMilliseconds)
        writer.raw(#","graceMilliseconds":"#)
        writer.put(limits.grace.wholeMilliseconds)
        if let isCeilingRequested = limits.isCeilingRequested {
            writer.raw(isCeilingRequested ? #","isCeilingRequested":true"# : #","isCeilingRequested":false"#)
        }
        writer.raw(#","killDelayMilliseconds":"#)
        writer.put(limits.killDelay.wholeMilliseconds)
        writer.raw(#","longCeilingMilliseconds":"#)
        writer.put(limits.longCeiling.wholeMilliseconds)
        writer.raw(#","questionTimeoutMilliseconds":"#)
        writer.put(limits.questionTimeout.wholeMilliseconds)
        writer.raw(#","queueTimeoutMilliseconds":"#)
        writer.put(limits.queueTimeout.wholeMilliseconds)
        if let runtimeMax = limits.runtimeMax {
            writer.raw(#","runtimeMaxMilliseconds":"#)
            writer.put(runtimeMax.wholeMilliseconds)
        }
        writer.raw(#","runtimeMilliseconds":"#)
        writer.put(limits.runtime.wholeMilliseconds)
        writer.raw("}")
    }

    private func writeRun(to writer: inout CanonicalWriter) {
        writer.raw(#""run":"#)
        writer.put(run.text)
    }
}
