import Foundation
import Glibc
import TestSupport
import Testing

/// The example apps, used by a client.
@Suite(.ownThread) struct ExampleTests {
    @Test func `an order names an enum case, and returns the price`() throws {
        let run = try local("Soup", "OrderSoup", "--soup", "tomato", "--quantity", "2")
        #expect(run.exitCode() == 0, "\(run.errors)")
        #expect(!run.output.isEmpty)
        #expect(run.errors.contains("2 ×"))
    }

    @Test func `a missing value is asked for, and with --no-input the error names its flag`() throws {
        let run = try Command(
            Programs.intentctl,
            ["run", "--local", "--no-input", Programs.url("Soup").path, "OrderSoup", "--soup", "tomato"]
        )
        #expect(run.exitCode() == 76)
        #expect(run.errors.contains("How many bowls?"))
        #expect(run.errors.contains("--quantity"))
    }

    @Test func `a private run without a terminal ends at once when it asks`() throws {
        let start = ContinuousClock.now
        let run = try local("Soup", "OrderSoup", "--soup", "tomato")
        #expect(run.exitCode() == 76)
        #expect(run.errors.contains("How many bowls?"))
        #expect(run.errors.contains("--quantity INTEGER"))
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test func `a private run with a socket prints the command that answers its question`() throws {
        let folder = try TemporaryFolder()
        let run = try Command(
            Programs.intentctl,
            [
                "--socket", folder.appending("answers.sock").path, "run", "--local", Programs.url("Soup").path,
                "OrderSoup", "--soup", "tomato",
            ]
        )
        try run.waitFor("answer it within")
        let words = try #require(run.errors.firstMatch(of: /intentctl --socket (\S+) answer (\w+)/))
        let answer = try Command(
            Programs.intentctl,
            ["--socket", String(words.1), "answer", String(words.2), "2"]
        )
        #expect(answer.exitCode() == 0, "\(answer.errors)")
        #expect(run.exitCode() == 0, "\(run.errors)")
        #expect(run.errors.contains("2 ×"))
        #expect(!FileManager.default.fileExists(atPath: String(words.1)))
    }

    @Test(arguments: [
        (["--soup", "tomatto"], "'tomato'"),
        (["--soup", "tomato", "--quantity", "11"], "from 1 to 10"),
    ])
    func `a value that does not fit is refused before any process starts`(_ values: [String], _ words: String) throws {
        let run = try local("Soup", ["OrderSoup"] + values)
        #expect(run.exitCode() == 64)
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    @Test func `an intent can return a list`() throws {
        let run = try local("Soup", "ListSoups")
        #expect(run.exitCode() == 0)
        #expect(run.output.contains("tomato"))
    }

    @Test func `a payment that times out is rolled back, and the ledger is closed before the run ends`() throws {
        let run = try Command(
            Programs.intentctl,
            ["run", "--local", "--limit", "3s", Programs.url("Payments").path, "SendPayment"]
                + ["--amount", "12.50", "--recipient", "Ada", "--step-count", "2", "--confirmation", "1h"]
        )
        #expect(run.exitCode() == 124)
        #expect(run.errors.contains("undid step 1"))
        #expect(run.errors.contains("ledger closed: rolled back"))
    }

    @Test func `a payment that is cancelled is rolled back, and reports it`() throws {
        let run = try local("Payments", "SendPayment", "--amount", "1", "--recipient", "Ada", "--step-count", "900")
        try run.waitFor("booked step 2")
        run.signal(SIGINT)
        #expect(run.exitCode() == 130)
        #expect(run.errors.contains("ledger closed: cancelled"))
    }

    private func local(_ app: String, _ arguments: String...) throws -> Command {
        try local(app, arguments)
    }

    private func local(_ app: String, _ arguments: [String]) throws -> Command {
        try Command(Programs.intentctl, ["run", "--local", Programs.url(app).path] + arguments)
    }
}
