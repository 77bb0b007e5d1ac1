import Foundation
import TestSupport
import Testing

/// Tests an app written for Apple's systems: entities, options, languages and errors.
@Suite(.ownThread) struct PortedTests {
    private func local(_ words: String..., environment: [String: String] = [:]) throws -> Command {
        // intentctl's own options are between the command and the app.
        let command = try Command(
            Programs.intentctl,
            [words[0], "--local"] + words.dropFirst().prefix { Self.isOwnOption($0) }
                + [Programs.url("Ported").path] + words.dropFirst().drop { Self.isOwnOption($0) },
            environment: ["LC_ALL": "C"].merging(environment) { $1 }
        )
        command.exitCode()
        return command
    }

    private static func isOwnOption(_ word: String) -> Bool {
        word == "json" || ["--output", "--where=", "--sort=", "--any", "--limit="].contains { word.hasPrefix($0) }
    }

    @Test func `an entity is passed by its id, and returned with its properties`() throws {
        let run = try local("run", "--output=json", "ShowBook", "--book", "2")
        #expect(run.exitCode() == 0, "\(run.errors)")
        let document = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let book = try #require(document["value"] as? [String: Any])
        #expect(book["id"] as? String == "2")
        #expect((book["properties"] as? [String: Any])?["author"] as? String == "Austen")
    }

    @Test func `options are computed in a sandboxed worker, and shown as a table`() throws {
        let all = try local("options", "ShowBook", "book")
        #expect(all.exitCode() == 0, "\(all.errors)")
        #expect(all.output.contains("Dune") && all.output.contains("by Austen"))
        let found = try local("options", "ShowBook", "book", "messiah")
        #expect(found.output.contains("Dune Messiah") && !found.output.contains("Emma"))
        let cases = try local("options", "AddBook", "genre")
        #expect(cases.output.contains("short-story"))
    }

    @Test func `an app is described in the caller's language`() throws {
        let german = try local("describe", environment: ["LC_ALL": "de_DE.UTF-8"])
        #expect(german.exitCode() == 0, "\(german.errors)")
        #expect(german.output.contains("Regale abstauben") && !german.output.contains("Dust the shelves"))
        let english = try local("describe")
        #expect(english.output.contains("Dust the shelves"))
        let json = try local("describe", "--output=json", environment: ["LC_ALL": "de_DE.UTF-8"])
        #expect(json.output.contains("Dust the shelves"))
    }

    @Test func `entities are filtered, sorted and limited in a sandboxed worker`() throws {
        let found = try local("options", "--where=title contains Dune", "--sort=pages descending", "ShowBook", "book")
        #expect(found.exitCode() == 0, "\(found.errors)")
        #expect(found.output.contains("Dune Messiah") && !found.output.contains("Emma"))
        let one = try local(
            "options",
            "--where=pages >= 1",
            "--where=title equal-to Emma",
            "--any",
            "--sort=title",
            "--limit=1",
            "ShowBook",
            "book"
        )
        #expect(one.exitCode() == 0, "\(one.errors)")
        #expect(one.output.split(separator: "\n").count == 2, "\(one.output)")
        let range = try local("options", "--where=pages isBetween 1 and 2", "ShowBook", "book")
        #expect(range.exitCode() == 0 && !range.output.contains("Dune"), "\(range.errors)")
    }

    @Test(arguments: [
        (["--where=titel contains x"], "did you mean 'title'?"),
        (["--where=pages lesThan 3"], "did you mean 'lessThan'?"),
        (["--where=pages lessThan many"], "expected a whole number, got 'many'"),
        (["--where=pages isBetween 3"], "two values"),
        (["--where=pages"], "expected a property, a comparator and a value"),
        (["--sort=page"], "did you mean 'pages'?"),
        (["--limit=0"], "expected a whole number of at least 1"),
    ])
    func `an invalid condition is refused before a worker starts`(_ words: [String], _ message: String) throws {
        let command = try Command(
            Programs.intentctl,
            ["options", "--local"] + words + [Programs.url("Ported").path, "ShowBook", "book"]
        )
        #expect(command.exitCode() == 64, "\(command.errors)")
        #expect(command.errors.contains(message), "\(command.errors)")
    }

    @Test func `a request for options of a parameter without any is refused before a worker starts`() throws {
        let none = try local("options", "LendBook", "days")
        #expect(none.exitCode() == 64, "\(none.errors)")
        #expect(none.errors.contains("parameters with options: book"))
        let unknown = try local("options", "LendBook", "bok")
        #expect(unknown.exitCode() == 64)
        #expect(unknown.errors.contains("'book'"))
    }

    @Test func `a query that hangs ends at the run's limit, and one that crashes fails the run`() throws {
        let hanging = try Command(
            Programs.intentctl,
            ["run", "--local", "--limit", "300ms", Programs.url("Ported").path, "OpenArchive", "--thing", "hang"]
        )
        #expect(hanging.exitCode() == 124, "\(hanging.errors)")
        #expect(try local("run", "OpenArchive", "--thing", "crash").exitCode() == 70)
        let thrown = try local("run", "OpenArchive", "--thing", "x")
        #expect(thrown.exitCode() == 1)
        #expect(thrown.errors.contains("The archive is closed."))
    }

    @Test func `the caller's language selects the tables of strings beside the app`() throws {
        let german = try local("run", "Greet", "--name", "Ada", environment: ["LC_ALL": "de_AT.UTF-8"])
        #expect(german.output.hasPrefix("Guten Morgen\n"), "\(german.errors)")
        #expect(german.errors.contains("Hallo, Ada"))
        #expect(try local("run", "Greet", "--name", "Ada").output.hasPrefix("Good morning\n"))
    }

    @Test func `a result names the next intent, and an error its code`() throws {
        let added = try local("run", "AddBook", "--title", "Sanditon", "--author", "Austen")
        #expect(added.errors.contains("next: LendBook --book 5 --days 7"), "\(added.errors)")
        let failed = try local("run", "--output=json", "AskAway", "--way", "convertible")
        #expect(failed.exitCode() == 1)
        #expect(failed.output.contains("\"code\" : \"unrecoverable.entityNotFound\""), "\(failed.output)")
    }

    @Test func `a value that does not match the parameter's type is refused before any process starts`() throws {
        let many = try local("run", "CountPages", "--books", "1", "--books", "2", "--books", "3", "--books", "4")
        #expect(many.exitCode() == 64)
        #expect(many.errors.contains("1 to 3 elements"), "\(many.errors)")
        let fee = try local("run", "ExtendLoan", "--loan", "{\"book\":1,\"days\":2}", "--fee", "1 USD")
        #expect(fee.exitCode() == 64)
        let loan = try local("run", "ExtendLoan", "--loan", "{\"book\":1,\"days\":2}", "--fee", "1 EUR")
        #expect(loan.output.contains("Dune 2"), "\(loan.errors)")
    }

    @Test func `verify lists the intents and compares them with the compiler's metadata`() throws {
        let verify = try Command(Programs.intentctl, ["verify", Programs.url("Ported").path])
        #expect(verify.exitCode() == 0, "\(verify.output)")
        #expect(verify.output.contains("ShowBook"))
    }
}
