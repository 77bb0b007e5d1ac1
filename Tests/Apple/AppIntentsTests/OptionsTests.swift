import IntentLauncherMessages
import TestSupport
import Testing

/// Tests the options of a parameter, which a worker lists instead of performing the intent.
@Suite(.ownThread) struct OptionsTests {
    private func options(
        _ intent: String,
        _ parameter: String,
        _ text: String? = nil,
        values: [String: IntentValue] = [:]
    ) throws -> RunRecord {
        try AppProcess.run(intent, of: "Ported", values, query: OptionsQuery(parameter: parameter, text: text))
    }

    private func member(_ name: String, of record: RunRecord) -> [String?] {
        guard case .array(let options)? = record.value else { return [] }
        return options.map { option in
            guard case .object(let members) = option, case .string(let text)? = members[name] else { return nil }
            return text
        }
    }

    @Test func `an entity's query suggests entities, and finds them by a search string`() throws {
        let suggested = try options("ShowBook", "book")
        #expect(member("value", of: suggested) == ["1", "2"])
        #expect(member("title", of: suggested) == ["Dune", "Emma"])
        #expect(member("subtitle", of: suggested) == ["by Herbert", "by Austen"])
        #expect(member("value", of: try options("ShowBook", "book", "une")) == ["1", "4"])
        #expect(try options("ShowBook", "book", "zzz").value == .array([]))
    }

    @Test func `a search by identifier returns one entity with its properties`() throws {
        func entity(_ identifier: String) throws -> RunRecord {
            let query = OptionsQuery(parameter: "book", identifier: identifier)
            return try AppProcess.run("ShowBook", of: "Ported", query: query)
        }
        let found = try entity("2")
        #expect(member("value", of: found) == ["2"] && member("title", of: found) == ["Emma"])
        guard case .array(let options)? = found.value, case .object(let members)? = options.first,
            case .object(let properties)? = members["properties"]
        else {
            Issue.record("no properties: \(found)")
            return
        }
        #expect(!properties.isEmpty)
        #expect(try entity("no such book").value == nil)
    }

    @Test func `a provider's dependencies are resolved, and its values can be searched`() throws {
        #expect(member("value", of: try options("AddBook", "author")) == ["Austen", "Herbert"])
        #expect(member("value", of: try options("AddBook", "author", "HERB")) == ["Herbert"])
    }

    @Test func `a parameter's own query provides sections`() throws {
        let grouped = try options("LendBook", "instead")
        #expect(member("section", of: grouped) == ["Austen", "Austen", "Herbert", "Herbert"])
        #expect(member("value", of: grouped) == ["2", "3", "1", "4"])
    }

    @Test func `queries of the main actor, of a unique entity, and of all entities in sections run`() throws {
        func options(_ parameter: String) throws -> RunRecord {
            try AppProcess.run(
                "ShelfWidget",
                of: "CompileShapes5",
                query: OptionsQuery(parameter: parameter, text: nil)
            )
        }
        #expect(member("value", of: try options("first")) == ["Attic", "Cellar"])
        #expect(member("value", of: try options("shelves")) == ["Attic"])
        #expect(member("title", of: try options("rules")) == ["House rules"])
        #expect(member("section", of: try options("any")) == ["All", "All"])
        #expect(member("value", of: try options("any")) == ["Attic", "Cellar"])
    }

    @Test func `options may depend on another parameter, once it has a value`() throws {
        #expect(try options("LendBook", "reader").value == .array([]))
        let readers = try options("LendBook", "reader", values: ["book": .int(2)])
        #expect(member("section", of: readers) == ["Readers of Austen", "Readers of Austen"])
        #expect(member("title", of: readers) == ["Ann", "Bob"])
        #expect(member("subtitle", of: readers) == ["since 1999", nil])
    }

    @Test func `a value that a provider does not list is refused with the nearest match`() throws {
        let values: [String: IntentValue] = ["title": .string("X"), "author": .string("Austin")]
        #expect(
            try AppProcess.run("AddBook", of: "Ported", values).message
                == "parameter 'author' must be one of Austen, Herbert; did you mean 'Austen'?"
        )
    }

    @Test func `a provider's error and a missing provider are reported`() throws {
        let failed = try options("OpenArchive", "thing")
        #expect(failed.message == "The network request failed.")
        #expect(failed.result.details?.code == "unrecoverable.networkFailure")
        #expect(try options("LendBook", "days").message?.contains("no options") == true)
        #expect(try options("LendBook", "daze").message?.contains("no parameter 'daze'") == true)
    }
}
