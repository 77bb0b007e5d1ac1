import IntentLauncherMessages

/// The names to which a sandbox may connect, each with an address of its own that only the sandbox has.
///
/// The address of a name that is granted by itself follows from its place among the grants. A name below a wildcard gets
/// the next address of its generation, so that an address never stands for two names.
struct NameTable {
    /// The maximum number of names below wildcards.
    static let wildcardLimit = 1024
    /// The reserved range of IPv4 addresses (INTENTD_NETWORK_RANGE of CIntentLaunch), and that of IPv6 addresses, which
    /// end with an IPv4 address of the first.
    private static let range: UInt32 = 0xC612_0000
    private static let rangeCount: UInt32 = 1 << 17
    private static let prefix: UInt64 = 0xFD69_6E74_656E_7464
    /// The first addresses of the range stand for no name.
    private static let first: UInt32 = 16

    let grants: [HostGrant]
    private let firstWildcard: UInt32
    private var names: [UInt32: String] = [:]
    private var addresses: [String: UInt32] = [:]
    private var wildcardCount: UInt32 = 0

    init(_ grants: [HostGrant], generation: Int = 0) {
        self.grants = grants
        let base = Self.range + Self.first + UInt32(HostGrant.countLimit)
        firstWildcard = base &+ UInt32(truncatingIfNeeded: generation) &* UInt32(Self.wildcardLimit)
        for (index, grant) in grants.prefix(HostGrant.countLimit).enumerated() {
            guard case .name(let name) = grant.host, addresses[name] == nil else { continue }
            add(name, at: Self.range + Self.first + UInt32(index))
        }
    }

    private mutating func add(_ name: String, at address: UInt32) {
        names[address] = name
        addresses[name] = address
    }

    enum Entry: Equatable {
        case address(UInt32)
        case notGranted
        /// The sandbox has as many names as it may have.
        case full
    }

    /// Returns the address that stands for a name in lower case.
    mutating func entry(for name: String) -> Entry {
        if let address = addresses[name] { return .address(address) }
        guard grants.contains(where: { $0.host == .asked || $0.covers(name) }) else { return .notGranted }
        let address = firstWildcard &+ wildcardCount
        guard wildcardCount < UInt32(Self.wildcardLimit), address >= firstWildcard,
            address &- Self.range < Self.rangeCount
        else { return .full }
        wildcardCount += 1
        add(name, at: address)
        return .address(address)
    }

    /// The host that an address stands for.
    enum Target: Equatable {
        case name(String)
        /// An address in the reserved ranges that stands for no name.
        case nothing
        /// An address outside the reserved ranges.
        case address
    }

    func target(of address: HostAddress) -> Target {
        let isIPv6 = address.high == Self.prefix && address.low >> 32 == 0
        guard let value = address.v4 ?? (isIPv6 ? UInt32(truncatingIfNeeded: address.low) : nil) else {
            return address.high == Self.prefix ? .nothing : .address
        }
        guard isIPv6 || value &- Self.range < Self.rangeCount else { return .address }
        return names[value].map { .name($0) } ?? .nothing
    }

    /// The IPv6 address that stands for the same name as an IPv4 address.
    static func v6(_ address: UInt32) -> [UInt8] { HostAddress(high: prefix, low: UInt64(address)).array }

    /// Returns true if a person decides about a connection to a name that no grant covers.
    func asks(about port: UInt16) -> Bool { grants.contains { $0.host == .asked && $0.ports.contains(port) } }

    /// Returns the grant for a connection that a person has permitted, with the options of the word `ask`.
    func grant(by question: HostQuestion) -> HostGrant? {
        var grant = HostGrant(question.grant)
        grant?.allowsPrivate = grants.contains { $0.host == .asked && $0.allowsPrivate }
        return grant
    }

    /// Returns the closest grant for a connection to a name or an address; nil if it is not granted.
    func grant(for target: String, at address: HostAddress?, port: UInt16) -> HostGrant? {
        let covering = grants.filter { grant in
            guard grant.port == port else { return false }
            if let address { return grant.host == .address(address) }
            return grant.covers(target)
        }
        return covering.max { $0.precision < $1.precision }
    }
}
