import Foundation
import Glibc
import Testing

/// A running `intentctl web`, and the scenarios that a browser performs with its page.
final class WebPage {
    let server: Command
    private let folder: URL
    let url: String
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// - Parameters:
    ///   - user: The user of the server; nil for the user who runs the tests.
    ///   - arguments: Further arguments of `intentctl web`.
    ///   - start: Starts the server with these arguments; nil: `intentctl web` of the daemon.
    init(
        _ daemon: Daemon,
        as user: UInt32? = nil,
        arguments: [String] = [],
        start: (([String]) throws -> Command)? = nil
    ) throws {
        folder = try daemon.makeFolder("web")
        if let kept = ProcessInfo.processInfo.environment["TESTS_SCREENSHOTS"] {
            try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
        }
        let page = Self.tests.deletingLastPathComponent().appending(path: "Sources/Remote/intentd-web/page")
        if let user {
            // The user may lack search permission on the checkout and on the build folder.
            let bin = daemon.folder.appending("bin")
            try Programs.install(Programs.url("intentd-web"), as: bin.appending(path: "intentd-web"))
            let copy = daemon.folder.appending("page")
            try FileManager.default.copyItem(at: page, to: copy)
            server = try daemon.start(as: user, ["web", "--page", copy.path] + arguments)
        } else if let start {
            server = try start(["--page", page.path] + arguments)
        } else {
            server = try daemon.start(["web", "--page", page.path] + arguments)
        }
        let server = server
        try eventually("intentctl web prints an address; it printed: \(server.errors)") {
            server.output.hasPrefix("http://") && server.output.hasSuffix("\n")
        }
        url = server.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns the path of a file in Tests/Web.
    static func script(_ name: String) -> String { tests.appending(path: "Web/\(name)").path }

    /// Starts a scenario of Tests/Web/page.py. Skips the test if its packages cannot be installed.
    func start(_ scenario: String, environment: [String: String] = [:]) throws -> Command {
        for program in ["chromium", "chromedriver"] where access("/usr/bin/\(program)", X_OK) != 0 {
            try skipTest("/usr/bin/\(program) is missing: install chromium and chromium-driver")
        }
        let installing = try Command(Self.tests.appending(path: "install-python"), ["chromium"])
        guard installing.exitCode() == 0 else {
            try skipTest(installing.errors.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        let python = URL(filePath: installing.output.trimmingCharacters(in: .whitespacesAndNewlines))
        return try Command(
            python.appending(path: "bin/python"),
            [Self.script("page.py"), scenario, url, folder.path],
            environment: ["PYTHONDONTWRITEBYTECODE": "1", "HOME": folder.path].merging(environment) { $1 }
        )
    }

    /// Returns a document as it is after its scripts have run. Skips the test without Chromium.
    static func document(at file: URL) throws -> String {
        guard access("/usr/bin/chromium", X_OK) == 0 else {
            try skipTest("/usr/bin/chromium is missing: install chromium")
        }
        let folder = file.deletingLastPathComponent().path
        let browser = try Command(
            URL(filePath: "/usr/bin/chromium"),
            [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--user-data-dir=\(folder)/browser", "--virtual-time-budget=5000",
                "--dump-dom", file.absoluteString,
            ],
            environment: ["HOME": folder]
        )
        #expect(browser.exitCode() == 0, "\(browser.errors)")
        return browser.output
    }

    /// Waits until the scenario has printed the line, or has failed.
    func waitFor(_ line: String, of scenario: Command) throws {
        try eventually(
            within: .seconds(120),
            "the scenario prints '\(line)'; it printed: \(scenario.output)\(scenario.errors)"
        ) {
            scenario.output.contains(line) || !scenario.isRunning
        }
        try #require(scenario.output.contains(line), "\(scenario.output)\(scenario.errors)")
    }

    /// Waits until the scenario ends. The server runs until then.
    func finish(_ scenario: Command) {
        #expect(scenario.exitCode() == 0, "\(scenario.output)\(scenario.errors)\(server.errors)")
    }

    /// Creates the file for which the scenario waits.
    func tell(_ name: String) throws { try Data().write(to: folder.appending(path: name)) }

    deinit {
        guard let kept = ProcessInfo.processInfo.environment["TESTS_SCREENSHOTS"] else { return }
        // Screenshots are for people. A missing one fails no test.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.hasSuffix(".png") {
            let copy = URL(filePath: kept).appending(path: name)
            try? FileManager.default.removeItem(at: copy)
            try? FileManager.default.copyItem(at: folder.appending(path: name), to: copy)
        }
    }
}
