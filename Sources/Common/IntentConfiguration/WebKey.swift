import IntentLauncherMessages

/// The keys of `[Web]`, the service of the HTTP API (intentd-web(8)). intentd reads `User=` and `Users=`, and the service
/// all of them.
enum WebKey: String, TabledKey {
    case user = "User"
    case users = "Users"
    case hosts = "Hosts"
    case certificate = "Certificate"
    case privateKey = "PrivateKey"
    case issuers = "Issuers"
    case resource = "Resource"
    case audience = "Audience"
    case subject = "Subject"
    case realm = "Realm"
    case scope = "Scope"
    case answerLinks = "AnswerLinks"

    var setting: Setting<WebSettings> {
        switch self {
        case .user:
            Setting(
                \.user,
                .value(name: "user", of: "a name"),
                standard: "none; the service does not start",
                example: "intentd-web",
                """
                The user of
                .Xr intentd-web 8 ,
                the only user that may act for the users in
                .Cm Users= .
                """
            ) { (assignment) throws(ConfigurationProblem) in
                let names = try assignment.plainNames()
                guard names.count == 1, let name = names.first, name != "root", UInt32(name) == nil else {
                    throw assignment.problem(
                        "expected the name of one user other than root, got '\(assignment.excerpt)'"
                    )
                }
                return name
            }
        case .users:
            Setting(
                \.users,
                .list(name: "user", of: "names, separated by spaces"),
                example: "alice",
                """
                The accounts for which the service may act.
                The service is an ordinary client of intentd: it acts for an account without the permissions of an operator,
                and never for root or for an operator, whether this list names them or not.
                """,
                each: "the name of a user other than root"
            ) { word in
                word == "root" || UInt32(word) != nil
                    || word.unicodeScalars.contains { "=[]#;,:/\"'`@".unicodeScalars.contains($0) }
                    ? nil : word
            }
        case .hosts:
            Setting(
                \.hosts,
                .list(name: "host", of: "names, separated by spaces"),
                standard: "127.0.0.1 and localhost",
                example: "intents.example.org",
                """
                The names under which clients reach the service, as they send them in
                .Li Host .
                A request for another name is refused.
                """,
                each: "a host name"
            ) { word in
                word.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-.".utf8.contains($0) } ? word.lowercased() : nil
            }
        case .certificate: Self.path(\.certificate, "/etc/intentd/web/fullchain.pem", Self.certificateText)
        case .privateKey:
            Self.path(
                \.privateKey,
                "/etc/intentd/web/key.pem",
                """
                The private key of
                .Cm Certificate= ,
                which the user of the service must be able to read.
                """
            )
        case .issuers, .resource, .audience, .subject, .realm, .scope: issuerSetting
        case .answerLinks:
            Setting(
                \.linkedQuestions,
                .choice(WebSettings.LinkedQuestions.allCases.map(\.rawValue)),
                standard: "no",
                example: "yes",
                """
                Determines which notifications of
                .Cm OnQuestion=
                have a link in their parameter
                .Li link ,
                which shows the question of a run of an account in
                .Cm Users=
                or of a caller of a
                .Cm Realm= ,
                and accepts one answer.
                The holder of the link can answer in the owner's name until the question is answered or expires.
                With
                .Cm yes ,
                the questions of apps have a link.
                With
                .Cm approvals ,
                the approvals of agents' requests have one, too:
                the holder of the link is then the approver.
                Questions about hosts
                .Pq Cm AllowHosts=ask
                never have a link.
                """
            ) { (assignment) throws(ConfigurationProblem) in
                let text = assignment.value.lowercased()
                if let choice = WebSettings.LinkedQuestions(rawValue: text) { return choice }
                guard let flag = try? assignment.flag() else {
                    throw assignment.problem("expected yes, no or approvals, got '\(assignment.excerpt)'")
                }
                return flag ? .ofApps : .none
            }
        }
    }

    /// The keys about access tokens of other servers (OAuth 2.1).
    private var issuerSetting: Setting<WebSettings> {
        switch self {
        case .issuers:
            Setting(
                \.issuers,
                .list(name: "url", of: "addresses, separated by spaces"),
                example: "https://id.example.org",
                """
                The authorization servers of which the service accepts access tokens: JWTs that name the service as their audience.
                The service fetches their keys from the address that an issuer's metadata names (OpenID Connect Discovery or RFC 8414).
                The service does not issue JWT tokens.
                """,
                each: "an address that begins with https://",
                parse: WebAddress.parse
            )
        case .resource:
            Setting(
                \.resource,
                .value(name: "url", of: "an address"),
                standard: "https:// and the first name in Hosts=",
                example: "https://intents.example.org:8443",
                """
                The address of the service, as clients know it.
                Access tokens must name it, or the address with
                .Li /mcp ,
                as their audience.
                """
            ) { (assignment) throws(ConfigurationProblem) in
                try assignment.parsed(as: "an address that begins with https:// and does not end with a slash") {
                    $0.hasSuffix(utf8: "/") ? nil : WebAddress.parse($0)
                }
            }
        case .audience:
            Setting(
                \.audiences,
                .list(name: "name", of: "names, separated by spaces"),
                example: "api://intents",
                """
                Further audiences that an access token may name, for issuers that do not use the address of the service (RFC 8707).
                Every token of the issuers with this audience is accepted, so no other service may have it.
                """,
                each: "a name of at most 200 visible ASCII characters"
            ) { WebAddress.isVisible($0) ? $0 : nil }
        case .subject:
            Setting(
                \.subjects,
                .value(name: "user issuer subject", of: "an account, an issuer in Issuers= and a subject"),
                example: "alice https://id.example.org 248289761001",
                """
                The account in
                .Cm Users=
                for which an access token acts: the token's issuer, and the name of the user at the issuer
                .Pq the claim Li sub .
                The key may be repeated.
                The token of another subject permits nothing without a
                .Cm Realm= .
                """,
                adding: "USER ISSUER SUBJECT"
            ) { words in
                guard words.count == 3, WebAddress.parse(words[1]) != nil, WebAddress.isVisible(words[2]) else {
                    return nil
                }
                return WebSettings.Subject(user: words[0], issuer: words[1], subject: words[2])
            }
        case .realm:
            Setting(
                \.realms,
                .value(name: "realm issuer", of: "a name and an issuer in Issuers="),
                example: "home https://id.example.org",
                """
                Makes every user of an issuer who has no
                .Cm Subject=
                a caller without an account on this host:
                .Ar SUBJECT@REALM ,
                with sandboxes, runs, history and limits of its own.
                Such a caller is never an operator and has no groups.
                It may perform what
                .Li [Access]
                of an app permits every user, or names in
                .Cm AllowUsers= ,
                and confirms no other user's run.
                A subject must have \(RealmCaller.subjectForm); another one permits nothing.
                The key may be repeated, with another realm and another issuer.
                A realm must not have the name of a host of a fleet.
                """,
                adding: "REALM ISSUER"
            ) { words in
                guard words.count == 2, RealmCaller.isRealm(words[0]), WebAddress.parse(words[1]) != nil else {
                    return nil
                }
                return WebSettings.Realm(name: words[0], issuer: words[1])
            }
        case .scope:
            Setting(
                \.scopes,
                .value(name: "scope pattern ...", of: "a scope and patterns of intents"),
                example: "archive Archive/*",
                """
                The intents that a scope of an access token permits, as
                .Ar APP/INTENT ,
                .Ar APP/*
                or
                .Li * .
                The key may be repeated.
                A token without one of the scopes permits nothing.
                """,
                adding: "SCOPE PATTERN..."
            ) { words in
                guard words.count > 1, WebAddress.isVisible(words[0]), words.dropFirst().allSatisfy(WebToken.isPattern)
                else {
                    return nil
                }
                return WebSettings.Scope(name: words[0], allow: Array(words.dropFirst()))
            }
        case .user, .users, .hosts, .certificate, .privateKey, .answerLinks:
            preconditionFailure("\(self) is no key about issuers")
        }
    }

    private static let certificateText = """
        The certificate of the service, with its chain.
        Without it, the service listens only on 127.0.0.1 and on Unix sockets, for a proxy that ends TLS.
        """

    private static func path(
        _ property: WritableKeyPath<WebSettings, String?>,
        _ example: String,
        _ text: String
    ) -> Setting<WebSettings> {
        Setting(property, .value(name: "file", of: "an absolute path"), standard: "none", example: example, text) {
            (assignment) throws(ConfigurationProblem) in
            try assignment.parsed(as: "an absolute path") { $0.hasPrefix(utf8: "/") ? $0 : nil }
        }
    }
}

/// The settings in `[Web]` of `intentd.conf`.
package struct WebSettings: Equatable, Sendable, DefaultSettings {
    /// The user of the service, by name (`User=`); nil without a service.
    package var user: String?
    /// The accounts for which it may act (`Users=`).
    package var users: [String] = []
    /// The names of the service (`Hosts=`); empty for this host only.
    package var hosts: [String] = []
    package var certificate: String?
    package var privateKey: String?
    /// The authorization servers of which the service accepts access tokens (`Issuers=`).
    package var issuers: [String] = []
    /// The address of the service, as clients know it (`Resource=`); nil for the first of ``hosts``.
    package var resource: String?
    /// Further audiences of access tokens (`Audience=`).
    package var audiences: [String] = []
    /// The accounts of the issuers' subjects (`Subject=`).
    package var subjects: [Subject] = []
    /// The issuers with users who are callers of their own (`Realm=`).
    package var realms: [Realm] = []
    /// The intents that scopes permit (`Scope=`).
    package var scopes: [Scope] = []
    /// The questions for which notifications have a link (`AnswerLinks=`).
    package var linkedQuestions = LinkedQuestions.none
    /// True if a line of `[Web]` is invalid. The service then acts for no user.
    package var isBroken = false

    package init() {}

    /// The address of the service, as clients know it; nil if no setting states it.
    package var address: String? { resource ?? hosts.first.map { "https://" + $0 } }

    /// A user at an issuer, and the account that it stands for.
    package struct Subject: Equatable, Sendable {
        package var user: String
        package var issuer: String
        package var subject: String

        package init(user: String, issuer: String, subject: String) {
            self.user = user
            self.issuer = issuer
            self.subject = subject
        }
    }

    /// A scope of access tokens, and the patterns of the intents that it permits (``WebToken/allow``).
    package struct Scope: Equatable, Sendable {
        package var name: String
        package var allow: [String]

        package init(name: String, allow: [String]) {
            self.name = name
            self.allow = allow
        }
    }
}

/// The syntax of addresses and names of access tokens.
enum WebAddress {
    /// Returns an address that begins with `https://` and has neither a query nor a fragment.
    static func parse(_ text: String) -> String? {
        text.hasPrefix(utf8: "https://") && text.utf8.count > 8 && isVisible(text)
            && !text.utf8.contains { "?#\"\\".utf8.contains($0) } ? text : nil
    }

    /// Returns true for 1 to 200 visible ASCII characters.
    static func isVisible(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\"") }
    }
}
