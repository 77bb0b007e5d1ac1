import IntentWeb

/// An HTTP request while libmicrohttpd serves it.
final class PendingRequest {
    let decision: WebAccess.Decision
    var body: [UInt8] = []
    var isTooLarge = false
    /// The part was passed to the link, which may not have written all of it.
    var isPassedOn = false
    /// The link that the request opened, or to which the body belongs.
    var link: WebLink?
    /// True for the request that is answered with the link's events.
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
