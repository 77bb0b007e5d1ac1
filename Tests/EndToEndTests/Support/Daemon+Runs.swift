import Foundation
import Testing

extension Daemon {
    /// The run that was accepted last.
    func newestRun() throws -> String {
        try #require((try json("history", "-n", "1")["runs"] as? [[String: Any]])?.first?["run"] as? String)
    }

    /// Brings the file that Probe's AwaitFile and others wait for.
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

    /// The workers of the runs under way, by number and name, when there are so many.
    ///
    /// A worker has its app's name a moment after its run is called running; and until every app has told what it can do,
    /// a process that is to tell may be there and not yet be known as one.
    func settledWorkers(_ count: Int = 1) throws -> [Int32: String] {
        #expect(try intentctl("list").code == 0)
        var found: [Int32: String] = [:]
        try eventually("there are \(count) workers: \(found)") {
            found = workers
            return found.count == count
        }
        return found
    }

    /// The fork server of the one app in use; a worker has its name, too, for a moment after its fork.
    func forkServer() throws -> Int32 {
        var found: [Int32] = []
        try eventually("there is one fork server: \(found)") {
            found = family.filter { $0.value == "intentd-fork" }.map(\.key)
            return found.count == 1
        }
        return try #require(found.first)
    }

    /// How runs are isolated here.
    func grade() throws -> String? {
        #expect(try intentctl("run", "Probe/Echo", "--text", "a").code == 0)
        return (try json("history", "-n", "1")["runs"] as? [[String: Any]])?.first?["isolation"] as? String
    }
}
