import AppIntents
import AppIntentsTesting
import CoreSpotlight
import Foundation
import Testing

/// The file of a search index, and queries.
@Suite struct SearchIndexTests {
    private func item(_ id: String, title: String, _ describe: (CSSearchableItemAttributeSet) -> Void = { _ in })
        -> CSSearchableItem
    {
        let attributes = CSSearchableItemAttributeSet(contentType: .text)
        attributes.title = title
        describe(attributes)
        return CSSearchableItem(uniqueIdentifier: id, domainIdentifier: nil, attributeSet: attributes)
    }

    private func file() -> URL {
        URL(filePath: IntentState.directory ?? "/").appending(path: ".search-index/default.log")
    }

    private func status() throws -> (size: Int, inode: Int) {
        let attributes = try FileManager.default.attributesOfItem(atPath: file().path)
        return (
            try #require(attributes[.size] as? Int),
            try #require((attributes[.systemFileNumber] as? NSNumber)?.intValue)
        )
    }

    // MARK: The file

    @Test func `a change is appended, so that its cost does not depend on the size of the index`() async throws {
        try await withIntentRun { _ in
            let index = CSSearchableIndex.default()
            let text = String(repeating: "x", count: 1000)
            try await index.indexSearchableItems((0..<1000).map { item("\($0)", title: text) })
            let before = try status()
            #expect(before.size > 1_000_000)
            try await index.indexSearchableItems([item("new", title: "small")])
            try await index.deleteSearchableItems(withIdentifiers: ["7"])
            let after = try status()
            #expect(after.inode == before.inode)
            #expect(after.size - before.size < 1000)
            let found = try await index.identifiers(matching: "")
            #expect(found.count == 1000 && found.contains("new") && !found.contains("7"))
        }
    }

    @Test func `a file that consists mostly of replaced items is compacted`() async throws {
        try await withIntentRun { _ in
            let index = CSSearchableIndex.default()
            for number in 0..<100 {
                let text = String(repeating: "\(number % 10)", count: 4000)
                try await index.indexSearchableItems([item("only", title: text)])
            }
            #expect(try status().size < 80_000)
            let found = try await index.identifiers(matching: "9999")
            #expect(found == ["only"])
        }
    }

    /// What a crash of the process or of the host leaves: a part of a line, or blocks that were never written.
    @Test(arguments: ["[{\"put\":{\"id\":\"torn\"", "[{\"put\":\0\0\0\0}]\n", "\0\0\0\0"])
    func `an incomplete change is ignored, and later changes are kept`(_ rest: String) async throws {
        try await withIntentRun { _ in
            let index = CSSearchableIndex.default()
            try await index.indexSearchableItems([item("old", title: "a")])
            let handle = try FileHandle(forWritingTo: file())
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(rest.utf8))
            try handle.close()
            let before = try await index.identifiers(matching: "")
            #expect(before == ["old"])
            try await index.indexSearchableItems([item("new", title: "b")])
            let after = try await index.identifiers(matching: "")
            #expect(after == ["new", "old"])
        }
    }

    @Test func `an index that would exceed 64 MiB is unchanged`() async throws {
        try await withIntentRun { _ in
            let index = CSSearchableIndex.default()
            let text = String(repeating: "x", count: 250 << 10)
            try await index.indexSearchableItems([item("first", title: "a")])
            await #expect(throws: CSIndexError.self) {
                try await index.indexSearchableItems((0..<270).map { item("\($0)", title: text) })
            }
            let found = try await index.identifiers(matching: "")
            #expect(found == ["first"])
        }
    }

    @Test func `a domain and an identifier may begin with a combining mark`() async throws {
        try await withIntentRun { _ in
            let index = CSSearchableIndex.default()
            try await index.indexSearchableItems([
                CSSearchableItem(
                    uniqueIdentifier: "\u{301}1",
                    domainIdentifier: "notes.\u{301}old",
                    attributeSet: CSSearchableItemAttributeSet(contentType: .text)
                )
            ])
            let before = try await index.identifiers(matching: "")
            #expect(before == ["\u{301}1"])
            try await index.deleteSearchableItems(withDomainIdentifiers: ["notes"])
            let after = try await index.identifiers(matching: "")
            #expect(after == [])
        }
    }

    // MARK: Queries

    private func fill() async throws {
        let index = CSSearchableIndex.default()
        try await index.indexSearchableItems([
            item("soup", title: "Tomato Soup") {
                $0.rating = 4
                $0.keywords = ["red", "warm"]
                $0.startDate = Date(timeIntervalSinceReferenceDate: 1000)
                $0.setValue(.text("blue"), forCustomKey: "plate")
            },
            item("cake", title: "Crème brûlée") {
                $0.rating = 5
                $0.rankingHint = 9
                $0.contentURL = URL(string: "https://example.org/cake")
            },
        ])
        try await CSSearchableIndex(name: "more").indexSearchableItems([item("tea", title: "Green tea * hot")])
    }

    @Test(arguments: [
        ("title == \"x/*\"", ["a"]), ("title == \"*/*\"", ["a"]), ("title == \"*\u{301}y\"", ["a"]),
        ("title == \"*\u{301}\" || title == '*\r\nb'", ["b"]), ("title == \"*\n*\"", ["b"]),
        ("title == \"Crème*\"", ["c"]), ("title == \"Cre\u{300}me fra*\"", ["c"]), ("title == \"Cre*\"", []),
        ("title == \"creme FRA*\"cd", ["c"]), ("title == \"crème\"cw", ["c"]), ("title == \"me\"w", []),
    ])
    func `a pattern is compared by scalars, and finds equivalent texts`(_ query: String, _ ids: [String]) async throws {
        try await withIntentRun { _ in
            try await CSSearchableIndex.default().indexSearchableItems([
                item("a", title: "x/\u{301}y"), item("b", title: "a\r\nb"), item("c", title: "Cre\u{300}me fraîche"),
            ])
            var found: [String] = []
            for try await result in CSSearchQuery(queryString: query, queryContext: nil).results {
                found.append(result.item.uniqueIdentifier)
            }
            #expect(found == ids)
        }
    }

    @Test(arguments: [("/", ["a"]), ("X \r\n Y", ["a"]), ("CRÈME", ["c"]), ("cre", []), ("\u{301}", ["a"])])
    func `words are searched by scalars`(_ text: String, _ ids: [String]) async throws {
        try await withIntentRun { _ in
            let index = CSSearchableIndex.default()
            try await index.indexSearchableItems([
                item("a", title: "x/\u{301}y"), item("c", title: "Cre\u{300}me"),
            ])
            let found = try await index.identifiers(matching: text)
            #expect(found == ids)
        }
    }

    @Test(arguments: [
        (#"title == "Tomato Soup""#, ["soup"]), (#"title == "tomato soup""#, []),
        (#"title == 'tomato soup'c"#, ["soup"]),
        (#"title == "*SOUP"c"#, ["soup"]), (#"title == "*oma*ou*""#, ["soup"]), (#"title == "oma*""#, []),
        (#"title == "creme*"cd"#, ["cake"]), (#"title == "creme*"c"#, []),
        (#"title == "soup"cw"#, ["soup"]), (#"title == "sou"cw"#, []), (#"title == "sou*"cw"#, ["soup"]),
        (#"title == "*\**""#, ["tea"]), (#"kMDItemTitle == "Green*""#, ["tea"]),
        (#"keywords == "warm""#, ["soup"]), (#"keywords != "warm""#, ["cake", "tea"]),
        (#"** == "*red*"c"#, ["soup"]), (#"plate == "blue""#, ["soup"]),
        ("rating > 4", ["cake"]), ("rating >= 4", ["cake", "soup"]), ("rating<5", ["soup"]),
        ("InRange(rating, 4, 4)", ["soup"]), ("startDate == 1000", ["soup"]),
        ("startDate < $time.today(-1)", ["soup"]), ("startDate > $time.iso(2001-01-01T00:00:00Z)", ["soup"]),
        (#"title == "Tomato*" && rating == 5"#, []), (#"title == "Tomato*" || rating == 5"#, ["cake", "soup"]),
        (#"!(rating == 5 || title == "G*") && contentType == "public.text""#, ["soup"]),
        (#"contentURL == "*example.org*""#, ["cake"]), (#"uniqueIdentifier == "tea""#, ["tea"]),
    ])
    func `a query finds the items of all indexes that meet its condition`(_ query: String, _ ids: [String]) async throws
    {
        try await withIntentRun { _ in
            try await fill()
            var found: [String] = []
            for try await result in CSSearchQuery(queryString: query, queryContext: nil).results {
                found.append(result.item.uniqueIdentifier)
            }
            #expect(found == ids)
        }
    }

    @Test(arguments: [
        ("", "character 1: expected the name"), ("title", "expected '=='"), (#"title == "x"#, "quotation mark"),
        (#"title == "x" rating == 1"#, "expected '&&'"), ("rating == x", "expected a string"), ("(rating == 1", "')'"),
        ("a == $time.never", "$time.now"), (String(repeating: "(", count: 100) + "a == 1", "nested"),
    ])
    func `an invalid query is an error with its position`(_ query: String, _ reason: String) async throws {
        try await withIntentRun { _ in
            let search = CSSearchQuery(queryString: query, attributes: nil)
            var failure: (any Error)?
            search.completionHandler = { failure = $0 }
            search.start()
            let error = try #require(failure as? CSSearchQueryError)
            #expect(error.code == .invalidQuery)
            #expect(error.errorDescription?.contains(reason) == true, "\(error)")
        }
    }

    @Test func `the handlers receive the items with their attributes and the end, unless the query is cancelled`()
        async throws
    {
        try await withIntentRun { _ in
            try await fill()
            let context = CSSearchQueryContext()
            context.fetchAttributes = ["title"]
            context.filterQueries = ["rating > 0"]
            var events: [String] = []
            for isCancelled in [false, true] {
                let query = CSSearchQuery(queryString: #"title == "*""#, queryContext: context)
                query.foundItemsHandler = { events += $0.map { $0.attributeSet.title ?? "-" } }
                query.completionHandler = { events.append($0 == nil ? "end" : "error") }
                if isCancelled { query.cancel() }
                query.start()
                #expect(query.foundItemCount == (isCancelled ? 0 : 2))
            }
            #expect(events == ["Crème brûlée", "Tomato Soup", "end"])
        }
    }
}
