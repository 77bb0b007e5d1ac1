import IntentLauncherMessages

/// A user at an issuer of access tokens who has no account on this host and is a caller of its own: `SUBJECT@REALM`
/// (`Realm=` in `[Web]`).
///
/// The name becomes part of paths, journal entries and command lines. Each part therefore consists of ASCII letters, digits
/// and `._+-`, and begins with a letter or a digit. Every other subject is refused, not changed, so that two subjects never
/// have one name.
package struct RealmCaller: Equatable, Sendable {
    /// The maximum length of a subject and of a realm, in bytes.
    package static let (subjectLimit, realmLimit) = (64, 32)
    /// A valid subject, for error messages.
    package static let subjectForm =
        "1 to \(subjectLimit) ASCII letters, digits and '._+-', beginning with a letter or a digit"

    package let subject: String
    package let realm: String

    /// Returns nil for a subject or a realm that cannot be part of a name.
    package init?(subject: String, realm: String) {
        guard Self.isPart(subject, upTo: Self.subjectLimit), Self.isRealm(realm) else { return nil }
        self.subject = subject
        self.realm = realm
    }

    /// Returns nil for a text that is not `SUBJECT@REALM`.
    package init?(_ name: String) {
        let parts = name.split(scalar: "@", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return nil }
        self.init(subject: parts[0], realm: parts[1])
    }

    package var name: String { "\(subject)@\(realm)" }

    package static func isRealm(_ text: String) -> Bool { isPart(text, upTo: realmLimit) }

    private static func isPart(_ text: String, upTo limit: Int) -> Bool {
        guard (1...limit).contains(text.utf8.count), let first = text.utf8.first, first.isASCIILetterOrDigit else {
            return false
        }
        return text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "._+-".utf8.contains($0) }
    }
}

extension WebSettings {
    /// An issuer of access tokens with the name that its users have after the `@` (`Realm=`).
    package struct Realm: Equatable, Sendable {
        package var name: String
        package var issuer: String

        package init(name: String, issuer: String) {
            self.name = name
            self.issuer = issuer
        }
    }

    /// Returns true if `Realm=` names the realm of a caller.
    package func isOfRealm(_ name: String) -> Bool {
        RealmCaller(name).map { caller in realms.contains { $0.name == caller.realm } } ?? false
    }

    /// Returns true if `Users=` names an account, or `Realm=` the realm of a caller. intentd also refuses root and operators.
    package func actsFor(_ name: String) -> Bool { users.contains(name) || isOfRealm(name) }

    /// The issuers in `Subject=` and `Realm=` that `Issuers=` does not name, so that their tokens are refused.
    package var unknownIssuers: [String] {
        Set(subjects.map(\.issuer) + realms.map(\.issuer)).subtracting(issuers).sorted()
    }

    /// True if each line of `Realm=` has a name and an issuer of its own. Otherwise, users of two issuers could have
    /// one name.
    var hasDistinctRealms: Bool {
        Set(realms.map(\.name)).count == realms.count && Set(realms.map(\.issuer)).count == realms.count
    }
}

extension WebSettings {
    /// The questions for which notifications have a link (`AnswerLinks=`).
    package enum LinkedQuestions: String, CaseIterable, Sendable {
        case none = "no"
        /// The questions of apps.
        case ofApps = "yes"
        /// The questions of apps, and approvals of agents' requests. The holder of a link is then the approver.
        case approvals = "approvals"

        /// Returns true if the question with this number may have a link. A question about a host never has one.
        package func contains(_ question: UInt64) -> Bool {
            switch self {
            case .none: false
            case .ofApps: AnswerLink.questions.contains(question)
            case .approvals: question == AnswerLink.approval || AnswerLink.questions.contains(question)
            }
        }
    }

    /// Returns true if the questions of an account's runs may have links, and the service acts for the account.
    package func hasLinks(_ account: String) -> Bool { linkedQuestions != .none && actsFor(account) }

    /// Returns the address of a page that shows an open question to the owner of its run, and accepts one answer; nil unless
    /// `AnswerLinks=` permits it.
    package func answerLink(for question: UInt64, to account: String, ticket: () -> String) -> String? {
        guard linkedQuestions.contains(question), !isBroken, user != nil, hasLinks(account), let address else {
            return nil
        }
        return "\(address)\(AnswerLink.path)\(account)/\(ticket())"
    }
}

/// A link that shows one open question and accepts one answer: the service's address, ``path``, the account, and a ticket.
package enum AnswerLink {
    package static let path = "/answer/"
    /// The digest of its tickets (``TicketRequest/digest``), which no ticket of another purpose has.
    package static let digest = "answer link"
    /// The numbers of questions that an app asks. intentd asks the other questions (``Question/number``).
    package static let questions: ClosedRange<UInt64> = 1...1000
    /// The number of the question that asks a person to approve an agent's request.
    package static let approval: UInt64 = 0
}
