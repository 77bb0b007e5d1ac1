import IntentLauncherMessages
import Testing

@Suite struct HostGrantTests {
    @Test(arguments: [
        ("API.Example:443", "api.example:443"), ("*.w.example:80,unchecked", "*.w.example:80,unchecked"),
        ("db:5432,unchecked,private", "db:5432,private,unchecked"), ("10.1.2.3:22", "10.1.2.3:22"),
        ("[2001:DB8::1]:22", "[2001:db8:0:0:0:0:0:1]:22"), ("xn--bcher-kva.example:1", "xn--bcher-kva.example:1"),
    ])
    func `a grant has one spelling`(word: String, text: String) throws {
        let grant = try #require(HostGrant(word))
        #expect(grant.text == text)
        #expect(HostGrant(grant.text) == grant)
    }

    @Test func `a wildcard covers names below its name`() throws {
        let grant = try #require(HostGrant("*.w.example:443"))
        #expect(grant.covers("a.w.example") && grant.covers("b.a.w.example"))
        for name in ["w.example", ".w.example", "aw.example", "w.example.evil"] {
            #expect(!grant.covers(name), "\(name)")
        }
    }

    @Test(arguments: [
        ("1.2.3.4", "1.2.3.4"), ("::1", "0:0:0:0:0:0:0:1"), ("::", "0:0:0:0:0:0:0:0"), ("::ffff:1.2.3.4", "1.2.3.4"),
        ("64:ff9b::1.2.3.4", "64:ff9b:0:0:0:0:102:304"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
        ("fe80::", "fe80:0:0:0:0:0:0:0"),
    ])
    func `an address is parsed in each of its forms`(text: String, full: String) throws {
        let address = try #require(HostAddress(text))
        #expect(address.text == full)
        #expect(HostAddress(address.array) == address)
        #expect(HostAddress(address.text) == address)
    }

    @Test(arguments: [
        "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.256", "1.2.3.+4", "0x7f.1.1.1", "", ":", ":::", "1::2::3",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8", "12345::", "::g", "fe80::1%lo", "::1.2.3", "::+1", "1.2.3.4::",
    ])
    func `other spellings are no address`(text: String) { #expect(HostAddress(text) == nil) }

    @Test(arguments: [
        "127.0.0.1", "0.0.0.0", "10.0.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "224.0.0.1",
        "255.255.255.255", "198.18.0.1", "::1", "::", "::127.0.0.1", "fe80::1", "fd00::1", "ff02::1",
        "64:ff9b::10.0.0.1",
        "64:ff9b:1::1", "2002:7f00:1::", "2002:a00:1::", "2001::1", "2001:db8::1", "fec0::1",
    ])
    func `an address that is not of the internet is private`(text: String) throws {
        #expect(try #require(HostAddress(text)).isPrivate)
    }

    @Test(arguments: ["1.1.1.1", "172.32.0.1", "192.0.1.1", "2606:4700::1111", "64:ff9b::1.1.1.1", "2002:101:101::"])
    func `an address of the internet is not private`(text: String) throws {
        #expect(try !#require(HostAddress(text)).isPrivate)
    }
}
