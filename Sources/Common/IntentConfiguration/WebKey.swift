import IntentLauncherMessages

/// The keys of `[Web]`, the service of the HTTP API (intentd-web(8)). intentd reads `User=` and `Users=`, and the service
/// all of them.
enum WebKey: String, TabledKey {
    case user = "User"
    case users = "Users"
    case hosts = "Hosts"
    case certificate = "Certificate"
    case privateKey = "PrivateKey"

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
    /// True if a line of `[Web]` is invalid. The service then acts for no user.
    package var isBroken = false

    package init() {}
}
