import IntentCommandLine
import IntentProtocol
import Testing

@testable import IntentMCP

/// Tests text of a client or an app that is made to be slow, or to hide a delimiter.
@Suite struct ForeignTextTests {
    /// Too many combining marks for stream-safe text, as UTF-8 and as escapes in JSON.
    private static let marks = [
        String(repeating: "\u{301}\u{323}", count: 16), String(repeating: #"\u0301\u0323"#, count: 16),
    ]

    @Test(
        arguments: [
            #"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"aMARKS":1}}"#,
            #"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"aMARKS":{}}}}"#,
            #"{"jsonrpc":"2.0","id":1,"method":"aMARKS"}"#, #"{"jsonrpc":"2.0","id":"aMARKS","method":"ping"}"#,
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"aMARKS"}}"#,
        ],
        marks
    )
    func `a message with too many combining marks is refused before it is decoded`(_ line: String, _ marks: String) {
        var peer = MCPPeer()
        #expect(peer.send(line: line.replacing("MARKS", with: marks)).errorCode == .int(-32700))
    }

    @Test func `a message with a long name of combining marks is refused in a time that grows with its length`() {
        var peer = MCPPeer()
        let name = "a" + String(repeating: "\u{301}\u{323}", count: 100_000)
        let duration = ContinuousClock().measure {
            let line = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","\#(name)":1}}"#
            #expect(peer.send(line: line).errorCode == .int(-32700))
        }
        #expect(duration < .seconds(5))
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"#
            + String(repeating: "[", count: 15) + String(repeating: "]", count: 15) + "}}",
        #"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":["#
            + String(repeating: "0,", count: PayloadShape.untrustedValueLimit) + "0]}}",
    ])
    func `a message with a repeated key, too many levels or too many values is refused`(_ line: String) {
        var peer = MCPPeer()
        #expect(peer.send(line: line).errorCode == .int(-32700))
    }

    @Test func `an identifier of a request has a limited length, and errors shorten names`() throws {
        var peer = MCPPeer()
        let id = String(repeating: "x", count: RPCID.textByteLimit)
        peer.initialize()
        #expect(peer.send(line: #"{"jsonrpc":"2.0","id":"\#(id)","method":"ping"}"#).result == [:])
        #expect(peer.send(line: #"{"jsonrpc":"2.0","id":"\#(id)x","method":"ping"}"#).errorCode == .int(-32600))
        let unknown = peer.send(line: #"{"jsonrpc":"2.0","id":1,"method":"\#(id)"}"#)
        let message = try #require(unknown.messages.first?["error"]?.object?["message"]?.text)
        #expect(message.utf8.count < 200)
        let call = peer.call("Kitchen_OrderSoup", [id: .int(1)], isPlain: true).actions
        #expect(try #require(call.text).utf8.count < 300)
    }

    @Test func `a URI and the name of a tool consist of ASCII, whatever names they stand for`() {
        for delimiter in ["/", "%", "_", "\"", "\n"] {
            for mark in ["\u{301}", "\r\n", "\u{2028}", "\u{1F1E9}\u{1F1EA}"] {
                let name = "a\(delimiter)\(mark)b"
                let encoded = PercentEncoding.encoded(name)
                #expect(encoded.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-._~%".utf8.contains($0) })
                #expect(PercentEncoding.decoded(encoded)?.utf8.elementsEqual(name.utf8) == true)
                let tool = ToolName.of(["Kitchen", name])
                #expect(tool.utf8.allSatisfy { $0.isASCIILetterOrDigit || "_-".utf8.contains($0) }, "\(tool)")
            }
        }
    }

    @Test func `a combining mark after a slash hides no part of a URI`() throws {
        let entity = try #require(EntityResource(uri: "intent-entity://Kitchen/\u{301}Soup/1"))
        #expect(entity.type == "\u{301}Soup" && entity.id == "1")
        let resource = try #require(RunResource(uri: "intent-run://\(MCPPeer.run)/1/\u{301}a"))
        #expect(resource.part == .file(1, name: "\u{301}a"))
    }

    @Test(arguments: ["%", "%4", "%+f", "%f+", "%zz", "%ff", "a" + String(repeating: "%CC%81", count: 31)])
    func `a component with an incomplete escape, or with bytes that are not stream-safe text, is not decoded`(
        _ text: String
    ) {
        #expect(PercentEncoding.decoded(text) == nil)
    }

    @Test func `a file URI is refused if its escapes decode to too many combining marks`() throws {
        let uri = "file:///tmp/a" + String(repeating: "%CC%81", count: 31)
        let intent = IntentDeclaration(
            name: "Read",
            title: "Read",
            parameters: [ParameterDeclaration(name: "file", title: "File", type: .file)]
        )
        #expect(throws: ToolFailure.self) { try ToolArguments.read(["file": .string(uri)], for: intent) }
    }

    @Test func `a combining mark after a parameter's name does not hide the name`() throws {
        var app = MCPPeer.app
        app.catalog?.intents[0].sentence = "Order ${soup}\u{301} now"
        let order = try #require(ToolTable([app]).tool(named: "Kitchen_OrderSoup"))
        #expect(order.description == "Orders soup. Does: Order <soup>\u{301} now. Changes data.")
    }

    @Test func `long text is cut at a scalar, whatever characters it consists of`() {
        let text = String(repeating: "🇩🇪", count: 40_000)
        let result = ToolResult.failure(ToolFailure(text))
        guard case .array(let content)? = result["content"] else {
            Issue.record("no content")
            return
        }
        let cut = content.first?.object?["text"]?.text ?? ""
        #expect(cut.hasSuffix(utf8: "\n[\(text.utf8.count - ToolResult.textByteLimit) more bytes]"))
    }
}
