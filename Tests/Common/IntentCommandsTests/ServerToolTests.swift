import IntentCommandLine
import IntentCommands
import IntentProtocol
import Testing

/// Tests tools of MCP servers as intents.
@Suite struct ServerToolTests {
    /// Returns the tools of a server that lists them as JSON.
    private func tools(_ json: String) throws -> ServerTools {
        var peer = ServerConnectionTests.Peer()
        _ = peer.answer(ServerConnectionTests.discovery)
        guard case .listed(let tools)? = peer.answer(#"{"tools":[\#(json)]}"#).first else {
            Issue.record("no list")
            return ServerTools()
        }
        return tools
    }

    private func tool(_ properties: String, required: String = "") throws -> IntentDeclaration {
        let schema = #"{"type":"object","properties":{\#(properties)},"required":[\#(required)]}"#
        return try #require(try tools(#"{"name":"t","inputSchema":\#(schema)}"#).tools.first).declaration
    }

    @Test(arguments: [
        (#"{"type":"string"}"#, ValueType.string), (#"{"type":"integer"}"#, .int), (#"{"type":"number"}"#, .double),
        (#"{"type":"boolean"}"#, .bool), (#"{"type":"string","format":"date-time"}"#, .date),
        (#"{"type":"string","format":"uri"}"#, .url), (#"{"type":"array","items":{"type":"integer"}}"#, .array(.int)),
        (#"{"type":"object"}"#, .object(ObjectType(title: "JSON object"))),
        (#"{"enum":["a","b"]}"#, .enumeration(["a", "b"].map { EnumerationCase(value: $0, title: $0) })),
        // What no type describes is JSON text: other cases, alternatives, and lists of lists.
        (#"{"enum":[1,2]}"#, .string), (#"{"anyOf":[{"type":"integer"},{"type":"string"}]}"#, .string),
        (#"{}"#, .string),
        (#"{"type":"array","items":{"type":"array","items":{"type":"integer"}}}"#, .string), (#"true"#, .string),
        (#"{"enum":["a","\#u{200B}b"]}"#, .string),
    ])
    func `a property has the type of its schema`(schema: String, type: ValueType) throws {
        let parameter = try #require(try tool(#""p":\#(schema)"#).parameters.first)
        #expect(parameter.type == type, "\(schema)")
        #expect(parameter.isOptional)
    }

    @Test func `null, references, defaults and bounds are understood`() throws {
        let json = #"""
            {"name":"t","inputSchema":{"type":"object","required":["z","c"],"$defs":{"C":{"type":"string","enum":["x"]}},
            "properties":{"a":{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}],"default":null,"title":"Count of it"},
            "b":{"type":["string","null"]},"c":{"$ref":"#/$defs/C"},"d":{"type":"integer","default":7,"maximum":9},
            "z":{"type":"string"}}}}
            """#
        let found = try #require(try tools(json).tools.first).declaration.parameters
        #expect(found.map(\.name) == ["z", "c", "a", "b", "d"])
        #expect(found.map(\.isOptional) == [false, false, true, true, true])
        #expect(found[1].type == .enumeration([EnumerationCase(value: "x", title: "x")]))
        #expect(
            found[2].type == .int && found[2].range == NumberRange(lowerBound: 1) && found[2].title == "Count of it"
        )
        #expect(found[4].defaultValue == .int(7) && found[4].range == NumberRange(upperBound: 9))
    }

    @Test func `names are valid, unique and stable, and tools that cannot be intents are named in warnings`() throws {
        let list = try tools(
            #"{"name":"read_file"},{"name":"a.b/c"},{"name":"a_b_c"},{"name":"1st"},{"name":"read_file"},{"name":"x\#u{202E}y"},"#
                + ##"{"title":"none"},{"name":"loop","inputSchema":{"$ref":"#"}}"##
        )
        let names = list.tools.map(\.declaration.name)
        #expect(names.count == 5 && Set(names).count == 5, "\(names)")
        #expect(names[0] == "read_file" && names[2] == "a_b_c" && names[3] == "tool_1st")
        #expect(names.allSatisfy { $0.wholeMatch(of: /[A-Za-z][A-Za-z0-9_-]*/) != nil })
        #expect(list.tools.map(\.serverName).contains("a.b/c"))
        #expect(list.warnings.count == 3)
        #expect(IntentCatalog(intents: list.tools.map(\.declaration)).identifierProblem == nil)
    }

    @Test func `a server's word lowers no approval`() throws {
        let claims = #""annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true}"#
        for extra in ["", ",\(claims)"] {
            let declaration = try #require(try tools(#"{"name":"t"\#(extra)}"#).tools.first).declaration
            #expect(declaration.details?.effect == .destroys)
            #expect(declaration.details?.isIdempotent == nil)
        }
    }

    @Test
    func `each change of what a server says about a tool is a new version, and a change of order changes nothing`()
        throws
    {
        func version(_ json: String) throws -> String? { try tools(json).tools.first?.declaration.details?.version }
        let first = try version(#"{"name":"t","description":"a","inputSchema":{"type":"object"}}"#)
        #expect(first?.utf8.count == 64)
        #expect(try version(#"{"inputSchema":{"type":"object"},"description":"a","name":"t","icons":[]}"#) == first)
        for other in [
            #"{"name":"t","description":"b","inputSchema":{"type":"object"}}"#,
            #"{"name":"t","description":"a","inputSchema":{"type":"object","required":[]}}"#,
            #"{"name":"t","description":"a","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}"#,
            #"{"name":"t","title":"T","description":"a","inputSchema":{"type":"object"}}"#,
        ] { #expect(try version(other) != first) }
    }

    private func problem(_ value: JSONValue, _ schema: String) -> String? {
        ToolSchema(JSONValue(parsing: Array(schema.utf8)) ?? false).problem(with: value)
    }

    @Test func `values are checked against the whole schema`() {
        let schema = #"""
            {"type":"object","required":["n"],"additionalProperties":false,"properties":{"n":{"type":"integer","multipleOf":2},
            "t":{"type":"string","minLength":2,"pattern":"^[a-z]+$"},"l":{"type":"array","maxItems":2,"items":{"const":1}},
            "x":{"oneOf":[{"type":"boolean"},{"type":"object","required":["k"]}]}}}
            """#
        #expect(problem(["n": 4, "t": "ab", "l": [1], "x": ["k": 0]], schema) == nil)
        #expect(problem(["n": .double(4)], schema) == nil)
        for (value, words) in [
            ([:], "'n' is missing"), (["n": 3], "n: expected a multiple of 2"), (["n": "4"], "n: expected integer"),
            (["n": 4, "t": "a"], "t: expected at least 2"), (["n": 4, "t": "a1"], "t: expected text that matches"),
            (["n": 4, "l": [1, 1, 1]], "l: expected at most 2"), (["n": 4, "l": [2]], "l.0: expected 1"),
            (["n": 4, "y": 1], "y: the tool has no such member"), (["n": 4, "x": 5], "x: expected boolean"),
        ] as [(JSONValue, String)] {
            #expect(problem(value, schema)?.hasPrefix(words) == true, "\(value): \(problem(value, schema) ?? "valid")")
        }
    }

    @Test func `a schema that would take long is checked only up to its bounds`() {
        let loop = ##"{"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}},"$ref":"#/$defs/a"}"##
        #expect(problem(1, loop) == nil)
        let text = JSONValue.string(String(repeating: "a", count: 200) + "!")
        for pattern in ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(.*)*x", "a*a*a*a*a*b", #"(a)\\1+"#, "(?=a+)+b"] {
            #expect(problem(text, #"{"pattern":"\#(pattern)"}"#) == nil, "\(pattern)")
        }
        #expect(problem(text, #"{"pattern":"^a+$"}"#) != nil)
        #expect(problem("2026-11-29", #"{"pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}"#) == nil)
    }
}
