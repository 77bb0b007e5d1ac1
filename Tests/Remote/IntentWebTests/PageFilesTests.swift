import Foundation
import Testing

/// Tests the files of the page, as the server delivers them.
struct PageFilesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/Remote/intentd-web/page")

    private static func texts() throws -> [String: String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains(".") }
        var texts: [String: String] = [:]
        for name in names { texts[name] = try String(contentsOf: folder.appending(path: name), encoding: .utf8) }
        return texts
    }

    @Test func `the page has at most 160 KB`() throws {
        let sizes = try Self.texts().mapValues(\.utf8.count)
        #expect(sizes.count > 10 && sizes.values.reduce(0, +) <= 160_000, "\(sizes)")
    }

    @Test func `no script inserts markup or evaluates strings`() throws {
        let marks = [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "DOMParser",
            "srcdoc",
        ]
        for (name, text) in try Self.texts() where name.hasSuffix(".js") {
            for mark in marks { #expect(!text.contains(mark), "\(name) uses \(mark)") }
        }
    }

    @Test func `the document has no inline script or style, and refers to no other site`() throws {
        let texts = try Self.texts()
        let page = try #require(texts["index.html"])
        #expect(
            page.matches(of: /<script(?![^>]* src=)/).isEmpty && !page.contains("<style") && !page.contains(" style=")
        )
        for (name, text) in texts where name != "icon.svg" {
            let addresses = text.matches(of: /https?:\/\/[a-z0-9.]+/).map { String($0.0) }
            #expect(addresses.allSatisfy { $0 == "http://www.w3.org" }, "\(name) names \(addresses)")
        }
    }
}
