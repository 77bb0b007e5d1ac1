/// A header with a secret that intentd-egress adds to the requests for a host (`Credential=`). The app sends plain HTTP, and
/// does not learn the secret.
package struct InsertedCredential: Hashable, Sendable {
    /// The name of the credential in intentd-egress.service (systemd.exec(5), `LoadCredential=`).
    package var name: String
    /// The TCP port on which the host expects TLS.
    package var port: UInt16
    /// The name of the header, such as `Authorization`.
    package var header: String
    /// The value of the header, in which `%s` stands for the secret.
    package var value: String

    /// The port on which the app sends plain HTTP.
    package static let plainPort: UInt16 = 80
    private static let standardPort: UInt16 = 443
    private static let placeholder = "%s"
    /// Headers that decide where a request ends and who receives it.
    private static let reserved: Set = [
        "connection", "content-length", "expect", "host", "http2-settings", "keep-alive", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// A valid value of `Credential=`, for error messages.
    package static let form = "NAME host=HOST[:PORT][,private] [header=NAME] [value=\"TEXT with %s\"]"

    private init(name: String, port: UInt16, header: String, value: String) {
        self.name = name
        self.port = port
        self.header = header
        self.value = value
    }

    /// Returns the header's value with the secret in the place of `%s`.
    package func value(with secret: [UInt8]) -> [UInt8] {
        guard let range = value.firstRange(utf8: Self.placeholder) else { return [] }
        return Array(value.utf8[..<range.lowerBound]) + secret + Array(value.utf8[range.upperBound...])
    }

    /// Parses the words of `Credential=`. The result is the grant of plain HTTP to the host, with the credential.
    package static func grant(_ words: [String]) -> HostGrant? {
        guard let name = words.first, isName(name) else { return nil }
        var options: [String: String] = [:]
        for word in words.dropFirst() {
            let parts = word.split(scalar: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
            guard parts.count == 2, ["host", "header", "value"].contains(parts[0]), options[parts[0]] == nil else {
                return nil
            }
            options[parts[0]] = parts[1]
        }
        guard let target = options["host"] else { return nil }
        let header = options["header"] ?? "Authorization"
        let value = options["value"] ?? "Bearer \(placeholder)"
        let pieces = target.split(scalar: ",", maxSplits: 1, omittingEmptySubsequences: false)
        let hasPort = pieces[0].contains(utf8: ":")
        let word =
            "\(pieces[0])\(hasPort ? "" : ":\(standardPort)")\(pieces.count > 1 ? ",\(pieces[1])" : "")"
        guard var grant = HostGrant(word), case .name = grant.host, !grant.isUnchecked, isToken(header),
            !reserved.contains(header.lowercased()), value.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }),
            value.utf8.count <= 256, let range = value.firstRange(utf8: placeholder),
            Substring(value.utf8[range.upperBound...]).firstRange(utf8: placeholder) == nil
        else { return nil }
        grant.credential = InsertedCredential(name: name, port: grant.port, header: header, value: value)
        grant.port = plainPort
        return grant
    }

    /// Returns true if systemd accepts the name for a credential.
    private static func isName(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count) && text != "." && text != ".."
            && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_.".utf8.contains($0) }
    }

    /// Returns true for a token of HTTP (RFC 9110, 5.6.2).
    private static func isToken(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }

    /// The value of `Credential=` for a host.
    func text(for host: String, options: String) -> String {
        [name, "host=\(host):\(port)\(options)", "header=\(header)", "value=\(value)"].map(ListWords.quote)
            .joined(separator: " ")
    }
}
