/// Writes the records that exist for every run. `Codable` encodes all other records.
extension RunRecord: CanonicalEncodable {
    /// - Precondition: ``isAwaited`` is true.
    package func write(to writer: inout CanonicalWriter) throws(NotCanonical) {
        switch fact {
        case .accepted(let accepted): try write(accepted, to: &writer)
        case .state(let state, let reason, let slot):
            writer.raw("{")
            if let reason {
                writer.put(#""reason":"#, reason.name)
                writer.raw(",")
            }
            writer.put(#""run":"#, run.text)
            writer.put(#","slot":"#, slot?.number)
            writer.put(#","state":"#, state.rawValue)
            writer.raw(#","type":"state"}"#)
        case .ended(let end): try write(end, to: &writer)
        case .asked, .answered, .cancelRequested, .signalled, .observed, .sampled, .printed, .leftOut, .exited:
            throw NotCanonical()
        }
    }

    private func write(_ accepted: AcceptedRun, to writer: inout CanonicalWriter) throws(NotCanonical) {
        writer.put(#"{"app":"#, accepted.app.text)
        writer.raw(#","caller":{"#)
        if let account = accepted.caller.account {
            writer.raw(#""account":"#)
            writer.put(account)
            writer.raw(",")
        }
        if let agent = accepted.caller.agent {
            writer.put(#""agent":"#, agent)
            writer.raw(",")
        }
        writer.put(#""process":"#, accepted.caller.process)
        writer.put(#","software":"#, accepted.caller.software)
        writer.put(#","user":"#, accepted.caller.user)
        writer.put(#"},"entryPoint":"#, accepted.entryPoint.rawValue)
        writer.put(#","fileCount":"#, accepted.fileCount)
        writer.put(#","intent":"#, accepted.intent)
        writer.put(#","key":"#, accepted.key)
        writer.raw(#","limits":"#)
        write(accepted.limits, to: &writer)
        writer.put(#","locale":"#, accepted.locale)
        writer.put(#","needsApproval":"#, accepted.needsApproval)
        writer.put(#","onDisconnect":"#, accepted.onDisconnect.rawValue)
        writer.put(#","query":"#, accepted.query)
        writer.put(#","request":"#, accepted.request.text)
        writer.put(#","retryOf":"#, accepted.retryOf?.text)
        writer.put(#","run":"#, run.text)
        writer.put(#","secretNames":"#, accepted.secretNames)
        writer.put(#","traceparent":"#, accepted.traceparent)
        writer.put(#","traits":"#, accepted.traits.words)
        writer.raw(#","type":"accepted","values":"#)
        writer.raw(accepted.values.json)
        writer.raw("}")
    }

    private func write(_ end: RecordedEnd, to writer: inout CanonicalWriter) throws(NotCanonical) {
        writer.raw(#"{"account":"#)
        try writer.put(end.account)
        writer.put(#","advanceAgeMilliseconds":"#, end.advanceAge?.wholeMilliseconds)
        writer.put(#","clock":"#, end.clock?.rawValue)
        writer.put(#","lastSerial":"#, end.lastSerial)
        writer.raw(#","outcome":"#)
        try writer.put(end.outcome)
        if let progress = end.progress {
            writer.raw(#","progress":"#)
            try writer.put(progress)
        }
        writer.put(#","progressAgeMilliseconds":"#, end.progressAge?.wholeMilliseconds)
        writer.put(#","run":"#, run.text)
        writer.raw(#","type":"ended"}"#)
    }

    private func write(_ limits: RunLimits, to writer: inout CanonicalWriter) {
        writer.put(#"{"ceilingMilliseconds":"#, limits.ceiling.wholeMilliseconds)
        writer.put(#","graceCancellableMilliseconds":"#, limits.graceCancellable.wholeMilliseconds)
        writer.put(#","graceMilliseconds":"#, limits.grace.wholeMilliseconds)
        writer.put(#","isCeilingRequested":"#, limits.isCeilingRequested)
        writer.put(#","killDelayMilliseconds":"#, limits.killDelay.wholeMilliseconds)
        writer.put(#","longCeilingMilliseconds":"#, limits.longCeiling.wholeMilliseconds)
        writer.put(#","questionTimeoutMilliseconds":"#, limits.questionTimeout.wholeMilliseconds)
        writer.put(#","queueTimeoutMilliseconds":"#, limits.queueTimeout.wholeMilliseconds)
        writer.put(#","runtimeMaxMilliseconds":"#, limits.runtimeMax?.wholeMilliseconds)
        writer.put(#","runtimeMilliseconds":"#, limits.runtime.wholeMilliseconds)
        writer.raw("}")
    }
}
