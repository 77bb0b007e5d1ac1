import Foundation
import Testing

extension Daemon {
    /// The most recently accepted run.
    func newestRun() throws -> String {
        try #require((try json("history", "-n", "1")["runs"] as? [[String: Any]])?.first?["run"] as? String)
    }

    /// Creates the file that Probe's AwaitFile and similar intents wait for.
    func bring(_ file: String = "go") throws {
        try Data().write(to: runFolder(holding: "\(file).awaited").appending(path: file))
    }

    /// Waits until 'intentctl ps' shows that a run is at least this old.
    func waitForAge(of run: String, seconds: Int) throws {
        try eventually("the run is \(seconds) s old") {
            let rows = try intentctl("ps").output.split(whereSeparator: \.isNewline)
            let row = try #require(rows.first { $0.hasPrefix(run) }, "the run has ended")
            guard let age = row.firstMatch(of: #/\s(\d+) s\s/#).flatMap({ Int($0.1) }) else { return false }
            return age >= seconds
        }
    }

    /// Waits for this number of workers, and returns their pids and names.
    ///
    /// A worker gets its app's name a moment after its run is reported as running. A process that describes an app
    /// looks like a worker at first, so this waits until every app is described.
    func settledWorkers(_ count: Int = 1) throws -> [Int32: String] {
        #expect(try intentctl("list").code == 0)
        var found: [Int32: String] = [:]
        try eventually("there are \(count) workers: \(found)") {
            found = workers
            return found.count == count
        }
        return found
    }

    /// Waits for exactly one fork server. A worker shares its name for a moment after the fork.
    func forkServer() throws -> Int32 {
        var found: [Int32] = []
        try eventually("there is one fork server: \(found)") {
            found = family.filter { $0.value == "intentd-fork" }.map(\.key)
            return found.count == 1
        }
        return try #require(found.first)
    }

    /// The isolation grade of runs on this host.
    func grade() throws -> String? {
        #expect(try intentctl("run", "Probe/Echo", "--text", "a").code == 0)
        return (try json("history", "-n", "1")["runs"] as? [[String: Any]])?.first?["isolation"] as? String
    }
}
