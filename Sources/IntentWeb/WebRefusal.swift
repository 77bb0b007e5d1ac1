/// Why a request is refused.
package enum WebRefusal: Equatable, Sendable {
    case unknownHost
    case foreignOrigin
    case noSession
    case tokenUsed
    case unknownPath
    case unknownMethod
    case tooLarge
    case tooManyLinks
    case unknownLink
    /// The part of a link's input is not the next one.
    case wrongSerial
    case cannotStart(String)

    package var status: UInt32 {
        switch self {
        case .unknownHost, .foreignOrigin, .noSession, .tokenUsed: 403
        case .unknownPath, .unknownLink: 404
        case .unknownMethod: 405
        case .wrongSerial: 409
        case .tooLarge: 413
        case .cannotStart: 502
        case .tooManyLinks: 503
        }
    }

    /// The text for the user.
    package var message: String {
        switch self {
        case .unknownHost:
            "this server answers only requests for this machine. Open the address that 'intentctl web' printed."
        case .foreignOrigin: "a page of another site sent this request, so it was refused."
        case .noSession: "this browser has no session. Run 'intentctl web' and open the address that it prints."
        case .tokenUsed:
            "this address was used before, or is too old: it opens the page once. Run 'intentctl web' again for another one."
        case .unknownPath: "not found."
        case .unknownMethod: "expected GET, or POST to a link."
        case .tooLarge: "the request is larger than \(WebLimits.partByteCount) bytes."
        case .tooManyLinks: "more than \(WebLimits.linkCount) pages are open. Close one, and try again."
        case .unknownLink: "the link has ended."
        case .wrongSerial: "expected the next part of the link's input."
        case .cannotStart(let reason): "cannot start 'intentctl relay': \(reason)"
        }
    }
}
