import IntentCommandLine
package import IntentProtocol

/// An error as `application/problem+json` (RFC 9457).
package struct APIProblem: Equatable, Sendable {
    package static let contentType = "application/problem+json"

    package var report: ErrorReport
    package var status: UInt32
    /// How the client can obtain a token that is accepted (RFC 6750); nil if the answer does not say so.
    package var challenge: String?

    package init(_ report: ErrorReport, status: UInt32? = nil, challenge: String? = nil) {
        self.report = report
        self.challenge = challenge
        self.status = status ?? Self.status(of: report.code)
    }

    /// The status of a code. An unknown code is a general failure.
    package static func status(of code: ErrorReport.Code) -> UInt32 { statuses[code] ?? 500 }

    /// The table of codes, from which the OpenAPI document lists the responses of every route.
    package static let statuses: [ErrorReport.Code: UInt32] = [
        .badRequest: 400, .protocolViolation: 400,
        .unauthorized: 401,
        .notPermitted: 403, .badTicket: 403,
        .unknownApp: 404, .unknownIntent: 404, .unknownRun: 404, .unknownFile: 404, .unknownPath: 404,
        .unknownMethod: 405,
        .cannotUndo: 409, .keyConflict: 409, .noQuestion: 409, .wrongOffset: 409,
        .tooLarge: 413, .badRange: 416,
        .unknownParameter: 422, .missingParameter: 422, .badParameter: 422, .badAnswer: 422, .badConfiguration: 422,
        .tooManyRequests: 429,
        .unknownRequest: 501,
        .brokenApp: 502,
        .busy: 503, .stopping: 503, .historyUnavailable: 503, .notUpgraded: 503, .noDaemon: 503,
    ]

    package var body: [UInt8] {
        Array(
            JSONValue.members([
                "type": .string("urn:intentd:error:\(report.code.rawValue)"), "title": .string(report.code.rawValue),
                "status": .int(Int64(status)), "detail": .string(report.message), "code": .string(report.code.rawValue),
                "hint": report.hint.map { .string($0) },
                "retryAfterMilliseconds": report.retryAfter.map { .int(Int64($0.wholeMilliseconds)) },
            ]).text().utf8
        )
    }

    package var headers: [(String, String)] {
        if let challenge = challenge ?? (status == 401 ? "Bearer" : nil) { return [("WWW-Authenticate", challenge)] }
        guard let pause = report.retryAfter ?? (report.code == .noDaemon ? .seconds(1) : nil) else { return [] }
        return [("Retry-After", String(max(1, (pause.wholeMilliseconds + 999) / 1000)))]
    }
}

/// The codes of the API itself.
extension ErrorReport.Code {
    package static let unauthorized = Self(rawValue: "unauthorized")
    package static let unknownPath = Self(rawValue: "unknownPath")
    package static let unknownMethod = Self(rawValue: "unknownMethod")
    package static let unknownFile = Self(rawValue: "unknownFile")
    package static let wrongOffset = Self(rawValue: "wrongOffset")
    package static let badRange = Self(rawValue: "badRange")
    package static let tooManyRequests = Self(rawValue: "tooManyRequests")
    /// intentd cannot be reached.
    package static let noDaemon = Self(rawValue: "noDaemon")
}
