package import IntentProtocol

/// The reason why an HTTP request was refused.
package enum WebRefusal: Equatable, Sendable {
    case unknownHost
    case foreignOrigin
    case noSession
    case tokenUsed
    case unknownPath
    case unknownMethod
    case tooManyReports
    case cannotStart(String)
    /// The request has no valid token. The challenge says where to obtain one.
    case unauthorized(challenge: String)
    /// The token is genuine, but permits nothing.
    case forbidden(challenge: String)
    case tooManyRequests(Duration)
    /// A proxy could find the end of the request at another byte than this server.
    case ambiguousLength

    package var status: UInt32 {
        switch self {
        case .unknownHost, .foreignOrigin, .noSession, .tokenUsed, .forbidden: 403
        case .unknownPath: 404
        case .ambiguousLength: 400
        case .unauthorized: 401
        case .unknownMethod: 405
        case .tooManyRequests: 429
        case .cannotStart: 502
        case .tooManyReports: 503
        }
    }

    /// The value of `WWW-Authenticate`; nil without one.
    package var challenge: String? {
        switch self {
        case .unauthorized(let challenge), .forbidden(let challenge): challenge
        case .unknownHost, .foreignOrigin, .noSession, .tokenUsed, .unknownPath, .unknownMethod, .tooManyReports,
            .cannotStart, .tooManyRequests, .ambiguousLength:
            nil
        }
    }

    /// The refusal as an error of the API.
    package var report: ErrorReport {
        switch self {
        case .unauthorized:
            return ErrorReport(
                .unauthorized,
                message,
                hint: "send a token of 'intentctl token new' as Authorization: Bearer TOKEN"
            )
        case .tooManyRequests(let pause):
            var report = ErrorReport(.tooManyRequests, message)
            report.retryAfter = max(pause, .milliseconds(1))
            return report
        case .unknownHost, .foreignOrigin, .noSession, .tokenUsed, .unknownPath, .unknownMethod, .tooManyReports,
            .cannotStart, .ambiguousLength, .forbidden:
            return ErrorReport(.notPermitted, message)
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
        case .unknownMethod: "expected GET."
        case .tooManyReports: "too many reports are open. Try again."
        case .unauthorized: "the request has no valid token."
        case .forbidden: "the token does not permit this."
        case .tooManyRequests: "too many requests."
        case .ambiguousLength: "expected one Content-Length, or Transfer-Encoding: chunked."
        case .cannotStart(let reason): "cannot start intentctl: \(reason)"
        }
    }
}
