/// A word of `AllowHosts=`: a host with a TCP port, such as `api.example.org:443`, `*.example.org:443`,
/// `db.internal:5432,private` or `[2001:db8::1]:22`.
package struct HostGrant: Hashable, Sendable {
    package enum Host: Hashable, Sendable {
        case name(String)
        /// All names that end with a dot and this name, and not the name itself.
        case below(String)
        /// An address, to which the app connects directly.
        case address(HostAddress)
        /// `ask`: each name that no other grant covers, if a person permits the connection.
        case asked
    }

    package var host: Host
    /// The port; 0 for ``Host/asked``, which has several.
    package var port: UInt16
    /// `private`: the name may resolve to a private address or to an address of this host.
    package var allowsPrivate = false
    /// `unchecked`: the first bytes of a connection to port 443 or 80 may name another host.
    package var isUnchecked = false

    /// `Credential=`: what intentd-egress adds to the requests; nil for a word of `AllowHosts=`.
    package internal(set) var credential: InsertedCredential?

    /// The maximum number of grants of an app, and of different ports in them.
    package static let countLimit = 128
    package static let portLimit = 60
    /// The port of DNS, which cannot be granted: intentd-egress itself answers there.
    package static let dnsPort: UInt16 = 53

    /// The word for ``Host/asked``, and the ports to which it applies.
    private static let askedWord = "ask"
    private static let askedPorts: [UInt16] = [80, 443]

    /// The ports to which the app may connect.
    package var ports: [UInt16] { host == .asked ? Self.askedPorts : [port] }

    /// Parses a word. A name is in lower case afterwards.
    package init?(_ word: String) {
        let parts = word.split(scalar: ",", omittingEmptySubsequences: false)
        for option in parts.dropFirst() {
            switch option {
            case "private" where !allowsPrivate: allowsPrivate = true
            case "unchecked" where !isUnchecked: isUnchecked = true
            default: return nil
            }
        }
        if let first = parts.first, first.utf8.elementsEqual(Self.askedWord.utf8) {
            guard !isUnchecked else { return nil }
            (host, port) = (.asked, 0)
            return
        }
        guard let target = parts.first, let colon = target.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        let digits = Substring(target.utf8[target.utf8.index(after: colon)...])
        guard let port = UInt16(digits), port > 0, port != Self.dnsPort,
            digits.unicodeScalars.allSatisfy(\.isASCIIDigit)
        else { return nil }
        self.port = port
        let text = Substring(target.utf8[..<colon])
        if text.hasPrefix(utf8: "["), text.hasSuffix(utf8: "]") {
            guard let address = HostAddress(text.dropFirst(scalars: 1).dropLast(scalars: 1)), address.v4 == nil,
                parts.count == 1
            else { return nil }
            host = .address(address)
        } else if let address = HostAddress(text), address.v4 != nil {
            guard parts.count == 1 else { return nil }
            host = .address(address)
        } else if text.hasPrefix(utf8: "*.") {
            guard let name = Self.name(text.dropFirst(scalars: 2)) else { return nil }
            host = .below(name)
        } else {
            guard let name = Self.name(text) else { return nil }
            host = .name(name)
        }
    }

    /// Returns a host name in lower case (RFC 1123, and underscores); nil if it is invalid. The last label of a name is no
    /// number, because programs would take the name for an address.
    private static func name(_ text: Substring) -> String? {
        let labels = text.split(scalar: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 253, let last = labels.last, !last.unicodeScalars.allSatisfy(\.isASCIIDigit) else {
            return nil
        }
        for label in labels {
            guard (1...63).contains(label.utf8.count), label.utf8.first != UInt8(ascii: "-"),
                label.utf8.last != UInt8(ascii: "-"),
                label.utf8.allSatisfy({ $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") })
            else { return nil }
        }
        return String(foreign: text.utf8.map { $0.isASCIILetter ? $0 | 0x20 : $0 })
    }

    /// The word of `AllowHosts=`, or the value of `Credential=`.
    package var text: String {
        let name =
            switch host {
            case .name(let name): name
            case .below(let name): "*.\(name)"
            case .address(let address): address.v4 == nil ? "[\(address.text)]" : address.text
            case .asked: Self.askedWord
            }
        let options = (allowsPrivate ? ",private" : "") + (isUnchecked ? ",unchecked" : "")
        if host == .asked { return name + options }
        if let credential { return credential.text(for: name, options: options) }
        return "\(name):\(port)\(options)"
    }

    /// Returns two grants of a host and port that differ in their options; nil if no two do.
    package static func conflict(in grants: [HostGrant]) -> (HostGrant, HostGrant)? {
        struct Key: Hashable { var host: Host, port: UInt16 }
        var seen: [Key: HostGrant] = [:]
        for grant in grants {
            if let other = seen.updateValue(grant, forKey: Key(host: grant.host, port: grant.port)) {
                return (other, grant)
            }
        }
        return nil
    }

    /// How closely the grant names a host: the options of the closest grant apply.
    package var precision: Int {
        switch host {
        case .name, .address: .max
        case .asked: 0
        case .below(let parent): parent.utf8.count
        }
    }

    /// Returns whether the grant covers a name in lower case.
    package func covers(_ name: String) -> Bool {
        switch host {
        case .name(let granted): granted.utf8.elementsEqual(name.utf8)
        case .below(let parent): name.hasSuffix(utf8: ".\(parent)") && name.utf8.count > parent.utf8.count + 1
        case .address, .asked: false
        }
    }
}

extension HostGrant: Codable {
    package init(from decoder: any Decoder) throws {
        let word = try decoder.singleValueContainer().decode(String.self)
        let words = ListWords.split(word) ?? []
        guard let grant = words.count > 1 ? InsertedCredential.grant(words) : HostGrant(word) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "expected HOST:PORT"))
        }
        self = grant
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
