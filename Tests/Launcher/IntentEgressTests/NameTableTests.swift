import IntentLauncherMessages
import Testing

@testable import IntentEgress

@Suite struct NameTableTests {
    private func table(_ words: String..., generation: Int = 0) -> NameTable {
        NameTable(words.compactMap(HostGrant.init), generation: generation)
    }

    @Test func `each granted name has an address of its own, which leads back to it`() {
        var names = table("a.example:443", "b.example:443", "*.c.example:80")
        for name in ["a.example", "b.example", "x.c.example", "y.x.c.example"] {
            guard case .address(let address) = names.entry(for: name) else {
                Issue.record("\(name) has no address")
                continue
            }
            #expect(names.target(of: HostAddress(v4: address)) == .name(name))
            #expect(names.target(of: HostAddress(NameTable.v6(address))) == .name(name))
        }
        for name in ["c.example", "a.example.", "xa.example"] {
            let entry = names.entry(for: name)
            #expect(entry == .notGranted)
        }
    }

    @Test func `names that a wildcard grants cannot displace a name that is granted by itself`() {
        var names = table("*.w.example:443", "own.example:443")
        for number in 0..<NameTable.wildcardLimit {
            let entry = names.entry(for: "n\(number).w.example")
            #expect(entry != .full)
        }
        let more = names.entry(for: "more.w.example")
        #expect(more == .full)
        guard case .address = names.entry(for: "own.example") else {
            Issue.record("the name has no address")
            return
        }
    }

    @Test func `in another generation, an own name keeps its address, and a wildcard's address stands for nothing`() {
        var (first, second) = (
            table("*.w.example:1", "own.example:1"), table("*.w.example:1", "own.example:1", generation: 1)
        )
        let own = (first.entry(for: "own.example"), second.entry(for: "own.example"))
        #expect(own.0 == own.1)
        guard case .address(let address) = first.entry(for: "a.w.example") else {
            Issue.record("the name has no address")
            return
        }
        let other = second.entry(for: "b.w.example")
        #expect(other != .address(address))
        #expect(second.target(of: HostAddress(v4: address)) == .nothing)
        var last = table("*.w.example:1", generation: 1_000_000)
        let none = last.entry(for: "a.w.example")
        #expect(none == .full)
    }

    @Test func `an address outside the reserved ranges is a target by itself`() throws {
        let names = table("10.1.2.3:22")
        let address = try #require(HostAddress("10.1.2.3"))
        #expect(names.target(of: address) == .address)
        #expect(names.grant(for: "10.1.2.3", at: address, port: 22) != nil)
        #expect(names.grant(for: "10.1.2.3", at: address, port: 23) == nil)
        #expect(names.grant(for: "10.1.2.3", at: HostAddress("10.1.2.4"), port: 22) == nil)
        #expect(names.target(of: try #require(HostAddress("198.19.255.255"))) == .nothing)
        #expect(names.target(of: try #require(HostAddress("fd69:6e74:656e:7464::1:1"))) == .nothing)
    }

    @Test func `the options of the closest grant apply`() {
        let names = table("*.example:443,private", "*.b.example:443,unchecked", "a.b.example:443", "ask")
        for (name, grant) in [
            ("a.b.example", "a.b.example:443"), ("c.b.example", "*.b.example:443,unchecked"),
            ("b.example", "*.example:443,private"),
        ] {
            #expect(names.grant(for: name, at: nil, port: 443)?.text == grant)
        }
        #expect(names.grant(for: "other", at: nil, port: 443) == nil)
    }

    @Test func `with ask, every name has an address, and two ports lead to a question`() {
        var names = table("a.example:22", "ask")
        guard case .address(let address) = names.entry(for: "tracker.example") else {
            Issue.record("the name has no address")
            return
        }
        #expect(names.target(of: HostAddress(v4: address)) == .name("tracker.example"))
        #expect([80, 443, 22].map { names.asks(about: $0) } == [true, true, false])
        #expect(!table("a.example:443").asks(about: 443))
    }
}
