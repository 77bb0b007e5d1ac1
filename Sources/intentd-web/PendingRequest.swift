import IntentWeb

/// An HTTP request that libmicrohttpd is processing.
final class PendingRequest {
    let decision: WebAccess.Decision
    var body: [UInt8] = []
    var isTooLarge = false
    /// True if the body was passed to the link, which may not have written all of it yet.
    var isPassedOn = false
    /// The link that the request opened, or to which its body belongs.
    var link: WebLink?
    /// True if the response consists of the link's events.
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
