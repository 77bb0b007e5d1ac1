import Testing

/// Requests to the host that performed a run, or that stores the files of a run.
extension SchemaTests {
    @Test func `only the owner asks about a run, only its host answers, and only the asking role reads the answer`()
        throws
    {
        try beat("web1")
        try beat("web2", offers: "{}")
        _ = try submit("service", key: "k")
        try database.sql("web1", "select * from fleet.take(1, 'e')")
        #expect(try database.sql("other", "select * from fleet.ask_host(1, 'logs', 0)") == "")
        let errand = try ask("service", "select * from fleet.ask_host(1, 'logs', 0)", host: "web1")
        #expect(try database.sql("web2", "select * from fleet.errands()") == "")
        #expect(try database.sql("web1", "select o_errand, o_asker from fleet.errands()") == "\(errand)|service")
        #expect(try database.sql("web2", "select fleet.deliver(\(errand), 0, 'aa', true)") == "f")
        #expect(try database.sql("web1", "select fleet.deliver(\(errand), 16, 'aa', true)") == "f")
        #expect(try database.sql("web1", "select fleet.deliver(\(errand), 0, '6162', true)") == "t")
        for role in ["other", "web2", "operator"] {
            #expect(try database.sql(role, "select * from fleet.collect(\(errand), 0)") == "", "\(role)")
        }
        #expect(try database.sql("service", "select * from fleet.collect(\(errand), 0)") == "||\n0|6162|t")
        let long = "select fleet.deliver(\(errand), 1, repeat('a', 262146), true)"
        #expect(database.refusal("web1", long).contains("too long"))
        for table in ["errand", "parcel"] {
            #expect(database.refusal("service", "select * from fleet.\(table)").contains("permission denied"))
        }
        for _ in 2...16 { try database.sql("service", "select * from fleet.ask_host(1, 'logs', 0)") }
        #expect(
            database.refusal("service", "select * from fleet.ask_host(1, 'logs', 0)").contains("too many questions")
        )
        try database.sql("service", "select fleet.forget_errand(\(errand))")
        #expect(try database.sql("service", "select * from fleet.collect(\(errand), 0)") == "")
    }

    @Test
    func `only the host that holds the attempt requests a run's files, and only the host that stores them answers`()
        throws
    {
        let submission = "select * from fleet.submit_with_files('ada@web1', 'k', 'A/B', '{\"files\": [1]}', '%')"
        try beat("web1", offers: "{}")
        try beat("web2")
        #expect(database.refusal("service", submission.replacing("%", with: "1-a")).contains("permission denied"))
        #expect(database.refusal("web2", submission.replacing("%", with: "1-a")).contains("may not submit"))
        #expect(database.refusal("web1", submission.replacing("%", with: "../a")).contains("invalid"))
        #expect(try database.sql("web1", submission.replacing("%", with: "1-a")) == "1|t")
        // The name of a repeated request does not replace the first name.
        #expect(try database.sql("web1", submission.replacing("%", with: "1-b")) == "1|f")
        #expect(try database.sql("web1", "select * from fleet.spools()") == "1-a")
        #expect(try database.sql("web2", "select * from fleet.spools()") == "")
        let question = "select * from fleet.ask_origin(1, 1, 0)"
        #expect(try database.sql("web2", question) == "")
        #expect(try database.sql("web2", "select o_attempt from fleet.take(1, 'e')") == "1")
        #expect(try database.sql("web1", question) == "")
        #expect(try database.sql("web2", question.replacing("1, 1", with: "1, 2")) == "")
        #expect(database.refusal("service", question).contains("permission denied"))
        let errand = try ask("web2", question, host: "web1")
        #expect(try database.sql("web2", "select * from fleet.errands()") == "")
        #expect(try database.sql("web1", "select o_kind, o_local, o_asker from fleet.errands()") == "input|1-a|web2")
        #expect(try database.sql("web1", "select * from fleet.collect(\(errand), 0)") == "")
        // A second request of the attempt replaces the first.
        let second = try ask("web2", question, host: "web1")
        #expect(second != errand)
        #expect(try database.sql("web1", "select o_errand from fleet.errands()") == second)
        // A host that has lost the attempt receives nothing more.
        try database.sql("admin", "update fleet.node set seen = clock_timestamp() - interval '1 h' where name = 'web2'")
        #expect(try database.sql("web2", question) == "")
        try beat("web2")
        try database.sql("admin", "update fleet.run set attempt = 2")
        #expect(try database.sql("web1", "select * from fleet.errands()") == "")
        // The host that stores the files is lost.
        try database.sql("admin", "update fleet.node set seen = clock_timestamp() - interval '1 h' where name = 'web1'")
        #expect(try database.sql("web2", "select * from fleet.ask_origin(1, 2, 0)") == "|web1")
        #expect(try finish("web2", 1, attempt: 2, state: "failed") == "1|committed")
        #expect(try database.sql("web1", "select * from fleet.spools()") == "")
        #expect(database.refusal("web1", "select * from fleet.retry(1)").contains("were deleted"))
    }

    @Test func `the number of an errand is not used again after a crash of the server`() throws {
        let cluster = try PostgresCluster()
        let database = try cluster.makeDatabase()
        try database.sql("web1", "select * from fleet.beat('e', '{\"A/B\": {\"policy\": \"once\"}}', 1, '5 min')")
        try database.sql("service", submission(key: "k"))
        try database.sql("web1", "select * from fleet.take(1, 'e')")
        let question = "select o_errand from fleet.ask_host(1, 'logs', 0)"
        let before = try (1...4).map { _ in try database.sql("service", question) }
        try cluster.killAll()
        try cluster.startAgain()
        let after = try (1...4).map { _ in try database.sql("service", question) }
        #expect(Set(before + after).count == 8)
        #expect(try database.sql("service", "select * from fleet.collect(\(before[0]), 0)") == "")
    }

    /// Sends a request, and returns the number of its errand.
    private func ask(_ role: String, _ question: String, host: String) throws -> String {
        let fields = try database.sql(role, question).split(separator: "|")
        try #require(fields.count == 2 && fields[1] == host, "\(fields)")
        return String(fields[0])
    }
}
