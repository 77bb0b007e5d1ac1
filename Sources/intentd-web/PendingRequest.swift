import IntentWeb

/// An HTTP request that libmicrohttpd is processing.
final class PendingRequest {
    let decision: WebAccess.Decision
    var body: [UInt8] = []
    var isTooLarge = false
    /// True if the link has accepted the body. It may not have written the whole body to the relay yet.
    var isPassedOn = false
    /// The link that the request opened, or to which its body belongs.
    var link: WebLink?
    /// True for a request that opened a link. Its response consists of the link's events.
    var isEventStream = false
    var isSuspended = false
    var report: ReportProcess?

    init(_ decision: WebAccess.Decision) {
        self.decision = decision
    }

    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard body.count + bytes.count <= WebLimits.partByteCount else {
            isTooLarge = true
            return
        }
        body += bytes
    }
}
