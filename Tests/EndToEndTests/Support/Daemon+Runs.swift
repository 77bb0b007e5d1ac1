import Testing

extension Daemon {
    /// The run that was accepted last.
    func newestRun() throws -> String {
        try #require((try json("history", "-n", "1")["runs"] as? [[String: Any]])?.first?["run"] as? String)
    }

    /// How runs are isolated here.
    func grade() throws -> String? {
        #expect(try intentctl("run", "Probe/Echo", "--text", "a").code == 0)
        return (try json("history", "-n", "1")["runs"] as? [[String: Any]])?.first?["isolation"] as? String
    }
}
