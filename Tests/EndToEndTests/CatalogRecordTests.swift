import Foundation
import Glibc
import TestSupport
import Testing

/// The record with which a private daemon performs a run without a description of the app.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct CatalogRecordTests {
    private let cache: TemporaryFolder

    init() throws { cache = try TemporaryFolder() }

    private var records: [URL] {
        let folder = cache.appending("intentd/catalogs")
        // The folder does not exist before the first record.
        return (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    }

    /// Runs intentctl until it exits.
    private func intentctl(_ words: String...) throws -> Command {
        let command = try Command(Programs.intentctl, words, environment: ["XDG_CACHE_HOME": cache.url.path])
        command.exitCode()
        return command
    }

    /// Installs a file that describes the intent Say, which returns a text.
    private func install(_ text: String) throws -> String {
        let file = cache.appending("Speech.intents")
        try "[Intent Say]\nTitle=Say \(text)\nExec=/bin/echo \(text)\nResult=text\n[Sandbox]\nPrograms=system\n".write(
            to: file,
            atomically: true,
            encoding: .utf8
        )
        return file.path
    }

    /// Performs the intent until its app's catalogue is recorded, which a daemon does not do within a second of a change
    /// of the app's file.
    private func recorded(_ file: String) throws -> URL {
        try eventually(within: .seconds(60), "a record") {
            let run = try intentctl("run", "--local", file, "Say")
            try #require(run.exitCode() == 0, "\(run.errors)")
            return !records.isEmpty
        }
        return try #require(records.first)
    }

    @Test func `a run uses the catalogue of an earlier run until the app changes`() throws {
        let record = try recorded(try install("hello"))
        #expect(try FileManager.default.attributesOfItem(atPath: record.path)[.posixPermissions] as? Int == 0o600)
        // The help is what the record says, and the run is what the app does.
        let text = String(decoding: try Data(contentsOf: record).dropFirst(32), as: UTF8.self)
        let altered = text.replacing("Say hello", with: "Say nothing")
        try #require(altered != text)
        let head = try Data(contentsOf: record).prefix(32)
        try (head + Data(altered.utf8)).write(to: record)
        chmod(record.path, 0o600)
        let file = cache.appending("Speech.intents").path
        #expect(try intentctl("run", "--local", file, "Say", "--help").output.contains("Say nothing"))
        let run = try intentctl("run", "--local", file, "Say")
        #expect(run.exitCode() == 0, "\(run.errors)")
        #expect(run.output == "hello\n")
        // A description always comes from the app.
        #expect(try intentctl("describe", "--local", file).output.contains("Say hello"))

        _ = try install("howdy")
        #expect(try intentctl("run", "--local", file, "Say", "--help").output.contains("Say howdy"))
        #expect(try intentctl("run", "--local", file, "Say").output == "howdy\n")
    }

    @Test(.enabled(if: getuid() == 0, "needs root to act as another user"))
    func `another user cannot plant a record`() throws {
        let file = try install("hello")
        let record = try recorded(file)
        let altered = String(decoding: try Data(contentsOf: record).dropFirst(32), as: UTF8.self)
            .replacing("Say hello", with: "Say nothing")
        try (Data(contentsOf: record).prefix(32) + Data(altered.utf8)).write(to: record)
        chmod(record.path, 0o600)
        chown(record.path, 1234, 1234)
        #expect(try intentctl("run", "--local", file, "Say", "--help").output.contains("Say hello"))
        chown(record.path, 0, 0)
        chmod(record.deletingLastPathComponent().path, 0o777)
        #expect(try intentctl("run", "--local", file, "Say", "--help").output.contains("Say hello"))
    }

    @Test func `examinations neither use nor write the record`() throws {
        let verify = try intentctl("verify", Programs.url("Probe").path)
        _ = verify.exitCode()
        let describe = try intentctl("describe", "--local", Programs.url("Probe").path)
        #expect(describe.exitCode() == 0, "\(describe.errors)")
        #expect(records.isEmpty)
    }
}
