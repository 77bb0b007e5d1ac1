import IntentProtocol

/// The user for which a request acts, and how it proved that.
package struct APICaller: Hashable, Sendable {
    /// A name that no other caller has, for limits and stored files.
    package var name: String
    /// What the caller is called in history (`software`), with the name of its token.
    package var software: String
    /// The account, or the caller of a realm, that the service acts for; nil for the user who has started the server.
    package var user: String?
    /// The intents that the caller's token permits; nil for all.
    package var allowed: [String]?

    package init(name: String, software: String, user: String? = nil, allowed: [String]? = nil) {
        self.name = name
        self.software = software
        self.user = user
        self.allowed = allowed
    }

    package static let program = "intentd-web \(Hello.softwareVersion)"
    /// The sender of a request to a hook, before its signature is checked. It may nothing else.
    package static let hook = APICaller(name: "hook ", software: program, user: "", allowed: [])
    /// The holder of an answer link, before its ticket is checked. It may nothing else.
    package static let linkHolder = APICaller(name: "link ", software: program, user: "", allowed: [])
    /// A client that asks how to obtain an access token. It may nothing else.
    package static let anyone = APICaller(name: "anyone ", software: program, user: "", allowed: [])
    /// The user who has started the server.
    package static let ownUser = APICaller(name: "", software: program)
}
