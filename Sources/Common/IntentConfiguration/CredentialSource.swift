import IntentLauncherMessages

/// A credential for an app (`LoadCredential=NAME:PATH`), which the app reads from a file in `$CREDENTIALS_DIRECTORY`.
package struct CredentialSource: Equatable, Sendable {
    /// The name of the file that the app reads, without slashes.
    package var name: String
    package var location: Location

    package enum Location: Equatable, Sendable {
        /// The absolute path of a file that the launcher reads.
        case path(String)
        /// The name of a credential in the launcher's unit (systemd.exec(5), LoadCredential=).
        case ownUnit(name: String)
    }

    /// The folder for credentials that only root can read.
    package static let folder = "/etc/intentd/credentials"

    /// Returns the path of the copy of a file in ``folder``, which intentd-credentials.service makes for the launcher after
    /// each change. systemd names the files of a folder `intentd_NAME` (systemd.exec(5), LoadCredential=). Returns nil for a
    /// path that is not directly in this folder.
    package static func copy(of path: String) -> String? {
        let start = folder + "/"
        guard path.utf8.starts(with: start.utf8) else { return nil }
        let name = path.utf8.dropFirst(start.utf8.count)
        return name.contains(UInt8(ascii: "/")) ? nil : "/run/intentd-credentials/intentd_" + String(Substring(name))
    }

    /// The maximum size of a secret value, in bytes.
    package static let byteLimit = 64 << 10

    /// Returns the secret value in a file. A text file ends with a line feed, which is not part of the secret.
    package static func secret(in bytes: [UInt8]) -> String {
        String(foreign: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...])
    }

    package init(name: String, location: Location) {
        self.name = name
        self.location = location
    }

    /// Parses `NAME:PATH` or `NAME:CREDENTIAL`. As in systemd, `NAME` is short for `NAME:NAME`. Returns nil if the
    /// string is invalid.
    static func parse(_ text: String) -> CredentialSource? {
        let parts = text.split(scalar: ":", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        let (name, origin) = (parts[0], parts.last ?? "")
        guard isName(name) else { return nil }
        if parts.count > 1, origin.hasPrefix(utf8: "/") {
            return AbsolutePath.parse(origin).map { CredentialSource(name: name, location: .path($0)) }
        }
        return isName(origin) ? CredentialSource(name: name, location: .ownUnit(name: origin)) : nil
    }

    /// Returns true if systemd accepts the name for a credential and the name contains no colon.
    private static func isName(_ text: String) -> Bool {
        FileName.isPlain(text) && text.utf8.count <= 255 && !text.contains(utf8: ":")
    }
}
