/// The reason why an HTTP request was refused.
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
    /// The serial number is not the next serial number of the link's input.
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

    /// The body of the response: the error message for the user.
    package var message: String {
        switch self {
        case .unknownHost:
            "this server answers only requests for this machine. Open the address that 'intentctl web' printed."
        case .foreignOrigin: "this request came from another site and was refused."
        case .noSession: "this browser has no session. Run 'intentctl web' and open the address that it prints."
        case .tokenUsed:
            "this address was already used or has expired. Run 'intentctl web' again and open the new address."
        case .unknownPath: "not found."
        case .unknownMethod: "expected GET, or POST to a link."
        case .tooLarge: "the request is larger than \(WebLimits.partByteCount) bytes."
        case .tooManyLinks: "too many pages and requests are open. Close a page, and try again."
        case .unknownLink: "the link has ended."
        case .wrongSerial: "expected the next part of the link's input."
        case .cannotStart(let reason): "cannot start 'intentctl relay': \(reason)"
        }
    }
}
