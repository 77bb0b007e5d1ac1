/// The name of a host in a form that ssh accepts as its destination: `web1`, `user@web1`, `ssh://user@web1:2222`, or a
/// Host in ssh_config(5).
package struct HostName: Hashable, Sendable, CustomStringConvertible {
    private static let byteLimit = 255

    package let text: String

    /// - Throws: ``CommandFailure`` for a string that ssh could interpret as an option, or a shell as a command.
    package init(_ text: String) throws(CommandFailure) {
        guard !text.isEmpty else { throw Self.failure(text, "it is empty") }
        guard text.utf8.count <= Self.byteLimit else {
            throw Self.failure("\(text.prefix(scalars: 40))…", "it is longer than \(Self.byteLimit) bytes")
        }
        guard !text.hasPrefix(utf8: "-") else { throw Self.failure(text, "it starts with '-' like an ssh option") }
        // Permit only characters that a shell does not interpret, because ssh passes the name to commands in its
        // configuration (ProxyCommand).
        guard text.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "._-@:/[]%+".utf8.contains($0) }) else {
            throw Self.failure(text, "expected letters, digits and the characters . _ - @ : / [ ] % +")
        }
        self.text = text
    }

    package var description: String { text }

    /// The name as one component of a path, for the folder that stores the host's files.
    package var folderName: String {
        let name = text.replacing(utf8: "/", with: "_")
        return name.hasPrefix(utf8: ".") ? "_\(name.dropFirst(scalars: 1))" : name
    }

    private static func failure(_ text: String, _ reason: String) -> CommandFailure {
        .usage("invalid host '\(text)': \(reason)", hint: "name a host as for ssh: web1 or user@web1")
    }
}
