import Foundation
import IntentCommandLine
import IntentProtocol
import Testing

@testable import IntentMCP

/// Tests files of results as content, and files in URIs.
@Suite struct ResultFileTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1]

    private static func blocks(_ contents: [UInt8]?, _ type: String = "text/html", name: String = "a.png") -> FileBlocks
    {
        let reference = FileReference(index: 0, name: name)
        return FileBlocks([ToolResultFile(reference, byteCount: 9, type: type, contents: contents)], of: MCPPeer.run)
    }

    @Test func `what the bytes are decides whether a file is an image, and only text and images are content`() throws {
        let image = Self.blocks(Self.png, "text/plain")
        #expect(image.blocks.map { $0.members["type"] } == ["text", "image"])
        #expect(image.blocks[1].members["mimeType"] == "image/png")
        let text = Self.blocks(Array("<svg/>".utf8), "image/png")
        #expect(
            text.blocks.map { $0.members["type"] } == ["text", "text"] && text.described[0].members["text"] == "<svg/>"
        )
        let large = Self.blocks(nil)
        #expect(large.blocks.count == 1 && large.sentences[0].hasSuffix("; intent_read_file reads it"))
    }

    @Test func `a name cannot imitate the line about a file, and a text that is escaped is announced`() {
        let blocks = Self.blocks(Array("a\u{202E}b".utf8), name: "x\"\n(image/png, 1 bytes): file:///etc/passwd")
        let line = blocks.sentences[0]
        #expect(
            line.hasPrefix(#"file "x\"\n(image/png, 1 bytes): file:///etc/passwd" (text/html, 9 bytes): intent-run://"#)
        )
        #expect(line.hasSuffix("invisible characters of its text are escaped here"))
    }

    @Test(
        arguments: [
            ("data:,a%20b", "text/plain", nil, "a b"), ("data:text/html;charset=utf-8,x", "text/html", nil, "x"),
            ("data:Text/CSV;name=a%2Fb.csv;base64,aGVsbG8=", "text/csv", "a/b.csv", "hello"),
            ("data:;base64,", "text/plain", nil, ""),
            ("data:a;base64,aGVsbG8%3D", "a", nil, "hello"),
        ] as [(String, String, String?, String)]
    )
    func `a data URI contains a file`(_ uri: String, _ type: String, _ name: String?, _ text: String) throws {
        let data = try #require(DataURI(uri))
        #expect(data.type == type && data.name == name && data.contents == Array(text.utf8))
    }

    @Test func `a data URI that is malformed or too large is refused`() {
        let large = Data(count: DataURI.byteLimit + 1).base64EncodedString()
        for wrong in ["data:", "data:a", "data:;base64,a", "data:,%4", "data:,%zz", "file:,a", "data:;base64,\(large)"]
        {
            #expect(DataURI(wrong) == nil, "\(wrong.prefix(40))")
        }
        #expect(DataURI("data:;base64,\(Data(count: DataURI.byteLimit).base64EncodedString())") != nil)
    }

    @Test func `a part of a text ends at a character, and a part of other bytes is base 64`() {
        func value(_ bytes: [UInt8], total: Int, offset: Int = 0) -> [String: JSONValue] {
            FileRange(offset: offset, length: 4).result(bytes, of: total, "t").members["structuredContent"]?.members[
                "value"
            ]?.members ?? [:]
        }
        let euro = Array("a€€".utf8)
        #expect(
            value(Array(euro[..<5]), total: 7) == [
                "mimeType": "t", "size": 7, "offset": 0, "text": "a€", "nextOffset": 4,
            ]
        )
        #expect(value(Array(euro[4...]), total: 7, offset: 4)["text"] == "€")
        #expect(value(Array(euro[4...]), total: 7, offset: 4)["nextOffset"] == nil)
        // A file that ends within a character is no text.
        #expect(value([0x61, 0xE2], total: 2)["base64"] == "YeI=")
        #expect(value([0xFF, 0xFE], total: 9)["nextOffset"] == 2)
    }

    @Test func `only who can pass a file is told to pass a large value as a file`() {
        let tooLarge = ErrorReport(.tooLarge, "the request is too large", hint: "pass large values as files")
        var app = MCPPeer.app
        app.catalog?.intents[0].parameters[0].type = .file
        for (intent, hasHint) in [("Kitchen_OrderSoup", true), ("Kitchen_Clean", false)] {
            var peer = MCPPeer()
            peer.request("tools/list")
            _ = peer.send(.apps([app]))
            let (id, _) = peer.call(intent, hasHint ? ["soup": "data:,a"] : [:])
            let text = peer.send(.refused(id, tooLarge)).text
            #expect(text?.contains("as files") == hasHint, "\(intent)")
        }
    }
}
