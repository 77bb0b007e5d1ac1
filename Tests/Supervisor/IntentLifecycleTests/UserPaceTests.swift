import IntentLauncherMessages
import IntentLifecycle
import Testing

@Suite struct UserPaceTests {
    private let ada = Account.local(user: 1000)
    private let bob = Account.local(user: 1001)

    private func at(_ milliseconds: Int64) -> Now.Monotonic {
        Now.Monotonic(nanoseconds: 10_000_000_000 + milliseconds * 1_000_000)
    }

    /// How many requests of one millisecond each the user has served in a second.
    private func servedCount(_ user: Account, _ pace: inout UserPace, from begin: Int64 = 0) -> Int {
        (begin..<begin + 1000).count { instant in
            guard pace.resumption(of: user, at: at(instant)) == nil else { return false }
            pace.served(user, for: .milliseconds(1), at: at(instant))
            return true
        }
    }

    @Test func `the only active user may use all of the time`() {
        var pace = UserPace(processorCount: 2)
        #expect(servedCount(ada, &pace) == 1000)
    }

    @Test func `a user gets a share of the time while another user makes requests, and all of it a second later`() {
        var pace = UserPace(processorCount: 2)
        pace.served(bob, for: .milliseconds(1), at: at(0))
        #expect((300...350).contains(servedCount(ada, &pace)))
        #expect(servedCount(ada, &pace, from: 1000) > 980)
    }

    @Test func `a user who was alone has at most the burst as debt when a second user begins`() throws {
        var pace = UserPace(processorCount: 2)
        for instant in 0..<5000 { pace.served(ada, for: .milliseconds(1), at: at(Int64(instant))) }
        pace.served(bob, for: .milliseconds(1), at: at(5000))
        pace.served(ada, for: .milliseconds(1), at: at(5000))
        let resumption = try #require(pace.resumption(of: ada, at: at(5000)))
        #expect(resumption < at(5010))
    }

    @Test func `a user with few requests never waits, whatever another user does`() {
        var pace = UserPace(processorCount: 2)
        for second in 0..<100 {
            let now = at(Int64(second) * 10)
            pace.served(ada, for: .milliseconds(500), at: now)
            #expect(pace.resumption(of: bob, at: now) == nil)
            pace.served(bob, for: .milliseconds(1), at: now)
        }
    }

    @Test func `one request of any length delays its user by a few seconds at most`() throws {
        var pace = UserPace(processorCount: 1)
        pace.served(bob, for: .zero, at: at(0))
        pace.served(ada, for: .seconds(3600), at: at(0))
        let resumption = try #require(pace.resumption(of: ada, at: at(0)))
        #expect(resumption < at(5000))
    }

    @Test(arguments: [(1, 150), (2, 300), (64, 1000)])
    func `the rate at which a user begins runs depends on the number of processors`(_ processors: Int, _ most: Int) {
        var pace = UserPace(processorCount: processors)
        pace.served(bob, for: .zero, at: at(0))
        let count = (0..<1000).count { instant in
            guard pace.resumption(of: ada, at: at(Int64(instant))) == nil else { return false }
            pace.beganRun(of: ada, at: at(Int64(instant)))
            return true
        }
        #expect((most..<most + most / 5).contains(count) || count == most)
    }

    @Test func `a long request of another user, a second ago, does not slow down the only active user`() {
        var pace = UserPace(processorCount: 1)
        pace.served(ada, for: .zero, at: at(0))
        pace.served(bob, for: .milliseconds(900), at: at(0))
        pace.served(ada, for: .milliseconds(900), at: at(1500))
        #expect(pace.resumption(of: ada, at: at(1500)) == nil)
    }

    @Test(arguments: [(Int64(999), true), (1000, false)])
    func `a user counts as active for a second after a request`(milliseconds: Int64, waits: Bool) {
        var pace = UserPace(processorCount: 1)
        pace.served(bob, for: .zero, at: at(0))
        pace.served(ada, for: .seconds(3600), at: at(0))
        #expect((pace.resumption(of: ada, at: at(milliseconds)) != nil) == waits)
    }

    @Test func `a user who has used more than a share still waits after a second without requests`() throws {
        var pace = UserPace(processorCount: 1)
        pace.served(bob, for: .zero, at: at(0))
        pace.served(ada, for: .seconds(3600), at: at(0))
        pace.served(bob, for: .zero, at: at(1500))
        #expect(pace.resumption(of: ada, at: at(1500)) != nil)
    }
}
