import IntentWire

/// `LoadCredential=NAME:PATH`: a secret, which an app reads from a file in `$CREDENTIALS_DIRECTORY`.
package struct CredentialSource: Equatable, Sendable {
    /// The plain name of the file.
    package var name: String
    package var location: Location

    package enum Location: Equatable, Sendable {
        /// An absolute path, read as the launcher's user.
        case path(String)
        /// A credential of the launcher's unit, by its name in the unit (systemd.exec(5), LoadCredential=).
        case ownUnit(name: String)
    }

    /// The folder of secrets that only root can read. systemd passes each of its files to the launcher's unit as
    /// `intentd_NAME` when the unit starts (systemd.exec(5), LoadCredential= of a folder).
    package static let folder = "/etc/intentd/credentials"

    /// The credential name of a file in ``folder`` in the launcher's unit; nil for all other paths.
    package static func nameInUnit(of path: String) -> String? {
        let start = folder + "/"
        guard path.utf8.starts(with: start.utf8) else { return nil }
        let name = path.utf8.dropFirst(start.utf8.count)
        return name.contains(UInt8(ascii: "/")) ? nil : "intentd_" + String(Substring(name))
    }

    package init(name: String, location: Location) {
        self.name = name
        self.location = location
    }

    /// Parses `NAME:PATH`, `NAME:NAME` or, as in systemd, `NAME` for a unit's credential with that name. Nil if invalid.
    static func parse(_ text: String) -> CredentialSource? {
        let name = text.prefix { $0 != ":" }
        guard isName(name) else { return nil }
        let rest = text.dropFirst(name.count + 1)
        if rest.hasPrefix("/") {
            return AbsolutePath.parse(String(rest)).map { CredentialSource(name: String(name), location: .path($0)) }
        }
        let origin = name.count == text.count ? name : rest
        return isName(origin) ? CredentialSource(name: String(name), location: .ownUnit(name: String(origin))) : nil
    }

    /// True for a valid credential name by systemd's rules, which also exclude colons.
    private static func isName(_ text: Substring) -> Bool {
        FileName.isPlain(String(text)) && text.utf8.count <= 255 && !text.contains(":")
    }
}
