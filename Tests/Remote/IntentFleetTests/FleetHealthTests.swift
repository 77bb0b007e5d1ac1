import IntentFleet
import IntentProtocol
import Testing

/// What an operator should know about a fleet's server, from its figures.
@Suite struct FleetHealthTests {
    private let sound: [(String, String)] = [
        ("version", "\(FleetSchema.current.version)"), ("epochMilliseconds", "1000000"), ("superuser", "false"),
        ("local", "false"), ("tls", "TLSv1.3"), ("synchronousNames", "ANY 1 (a, b)"), ("synchronousCommit", "on"),
        ("synchronousStandbys", "1"), ("oldestTransactionSeconds", "59"), ("deadRows", "20000"), ("partitionDays", "2"),
        ("hosts", "3"),
        ("hostsAlive", "3"), ("queued", "7"),
    ]

    private func health(_ changes: (String, String)...) -> FleetHealth {
        FleetHealth((sound + changes).map { [$0.0, $0.1] })
    }

    @Test func `a sound server has no problems`() {
        #expect(health().problems(at: 1_004_999) == [])
        // On a Unix socket nothing is encrypted, and a single server has no standby.
        #expect(health(("local", "true"), ("tls", "none")).problems(at: 1_000_000) == [])
        #expect(health(("synchronousNames", ""), ("synchronousStandbys", "0")).problems(at: 1_000_000) == [])
    }

    @Test(arguments: [
        ("version", "0", "fleet upgrade"), ("superuser", "true", "add-host"), ("tls", "none", "sslmode=verify-full"),
        ("synchronousCommit", "off", "synchronous_commit = on"),
        ("synchronousStandbys", "0", "synchronous_standby_names"),
        ("partitionDays", "1", "pg_stat_activity"),
        ("oldestTransactionSeconds", "60", "pg_stat_activity"), ("deadRows", "20001", "vacuum fleet.run"),
        ("hostsAlive", "2", "fleet nodes"), ("epochMilliseconds", "990000", "set-ntp"),
    ])
    func `each trouble of the server is one problem with a next step`(name: String, value: String, hint: String) {
        let problems = health((name, value)).problems(at: 1_000_000)
        #expect(problems.count == 1)
        #expect(problems.first?.hint?.contains(hint) == true, "\(problems)")
    }

    @Test func `a certificate is a problem from thirty days before its expiry`() {
        func message(_ milliseconds: Int64?) -> String? {
            let expiry = milliseconds.map { Timestamp(millisecondsSince1970: 1_000_000 + $0) }
            let problems = health().problems(at: 1_000_000, certificates: [("/c", expiry)])
            #expect(problems.allSatisfy { $0.hint?.contains("add-host") == true })
            return problems.first?.message
        }
        #expect(message(30 * 86_400_000) == nil)
        #expect(message(30 * 86_400_000 - 1) == "the certificate '/c' expires in 29 days")
        #expect(message(-1) == "the certificate '/c' has expired")
        #expect(message(nil) == "the certificate '/c' cannot be read")
    }

    @Test func `the figures are metrics`() {
        let text = health().metrics
        #expect(text.contains("\nintentd_fleet_queued_runs 7\n"))
        #expect(text.contains("# UNIT intentd_fleet_oldest_transaction_seconds seconds\n"))
        #expect(text.hasSuffix("# EOF\n"))
        // A server that says nothing makes no failure.
        #expect(FleetHealth([[nil, "1"], ["x"]]).metrics.contains("intentd_fleet_hosts 0\n"))
    }
}
