package import IntentProtocol

/// The first line of a client on the standard input of `intentctl web --stdio`. HTTP follows.
package struct SessionOpening: Hashable, Sendable, Codable {
    package var version = SessionAnswer.currentVersion
    package var software: String
    /// The session to which this channel belongs; nil for a new session.
    package var session: String?

    package init(software: String, session: String?) {
        self.software = software
        self.session = session
    }

    private enum CodingKeys: String, CodingKey { case version, software, session }
}

/// The line with which the server answers. HTTP follows, unless it contains an error.
package struct SessionAnswer: Hashable, Sendable, Codable {
    package static let currentVersion = 1
    /// The maximum length of either line, in bytes.
    package static let byteLimit = 4 << 10

    package var version = SessionAnswer.currentVersion
    package var software: String
    /// The name of the session. It differs from the client's if that session has ended.
    package var session: String?
    /// The value of the header field Authorization; nil for a session that continues.
    package var authorization: String?
    package var error: ErrorReport?

    package init(
        software: String,
        session: String? = nil,
        authorization: String? = nil,
        error: ErrorReport? = nil
    ) {
        self.software = software
        self.session = session
        self.authorization = authorization
        self.error = error
    }

    private enum CodingKeys: String, CodingKey { case version, software, session, authorization, error }

    /// True for a name that a server has given: letters and digits, which no path can contain by accident.
    package static func isSession(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && name.utf8.allSatisfy(\.isASCIILetterOrDigit)
    }
}
