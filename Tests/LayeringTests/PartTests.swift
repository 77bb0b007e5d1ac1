import Testing

/// Tests that types that connect parts remain small, because responsibilities return one property at a time.
@Suite struct PartTests {
    struct Bound: Sendable {
        var type: String
        var target: String
        var propertyCount: Int
        /// The maximum number of lines, including all extensions in the target.
        var lineCount: Int
    }

    @Test(arguments: [
        Bound(type: "Launcher", target: "IntentLauncher", propertyCount: 15, lineCount: 300),
        Bound(type: "Supervisor", target: "IntentSupervisor", propertyCount: 15, lineCount: 300),
    ])
    func `a type that connects parts does not exceed its bounds`(bound: Bound) throws {
        let files = try Project.swiftFiles(ofTarget: bound.target)
        let bodies = files.flatMap { TypeBody.all(of: bound.type, in: $0) }
        #expect(!bodies.isEmpty)
        #expect(bodies.flatMap(\.storedProperties).count <= bound.propertyCount)
        // All lines of the type's own file count, including imports and comments.
        let own = files.filter { $0.path.hasSuffix("/\(bound.type).swift") }
        let others = files.filter { !$0.path.hasSuffix("/\(bound.type).swift") }
        let lineCount =
            own.map(\.lines.count).reduce(0, +)
            + others.flatMap { TypeBody.all(of: bound.type, in: $0) }.map(\.lines.count).reduce(0, +)
        #expect(lineCount <= bound.lineCount)
    }

    @Test(arguments: ["Launcher", "Supervisor"])
    func `a part does not refer to the type that connects it`(type: String) throws {
        for file in try Project.swiftFiles(ofTarget: "Intent\(type)") where !file.path.hasSuffix("/\(type).swift") {
            let mentions = file.code.enumerated().filter { SourceFile.words(of: $0.element).contains(type[...]) }
            // The program creates the type's instance.
            if file.path.hasSuffix("/\(type)Program.swift") { continue }
            #expect(mentions.map(\.offset) == [], "\(file.path)")
        }
    }

    @Test func `stored properties are distinguished from all other parts of a body`() {
        let text = """
            final class A {
                private let a: Int
                private(set) var b = 1
                var c: Int { 1 }
                var d = 1 {
                    didSet { e() }
                }
                static let f = 1
                weak var g: A?
                let h: () -> Void = {}
                var i: Int {
                    let j = 1
                    return j
                }
                struct B { let k: Int }
                func l() {
                    let m = 1
                }
            }
            extension A {
                var n: Int { 1 }
            }
            """
        let bodies = TypeBody.all(of: "A", in: SourceFile(path: "A.swift", text: text))
        #expect(bodies.flatMap(\.storedProperties) == ["a", "b", "d", "g", "h"])
        #expect(bodies.map(\.lines.count) == [19, 3])
    }
}

/// The lines of a type's declaration, or of one of its extensions.
struct TypeBody {
    let lines: [String]

    static func all(of type: String, in file: SourceFile) -> [TypeBody] {
        let kinds: Set<Substring> = ["class", "actor", "struct", "enum", "extension"]
        var bodies: [TypeBody] = []
        var start: Int?
        for (number, code) in file.code.enumerated() {
            let words = SourceFile.words(of: code)
            if start == nil, let kind = words.firstIndex(where: kinds.contains),
                words.dropFirst(kind + 1).first == type[...],
                code.first?.isWhitespace == false
            {
                start = number
            }
            if let first = start, code.hasPrefix("}") || number == first && code.hasSuffix("}") {
                bodies.append(TypeBody(lines: Array(file.code[first...number])))
                start = nil
            }
        }
        return bodies
    }

    /// Names of the properties that the body stores in each instance.
    var storedProperties: [String] {
        var depth = 0
        var names: [String] = []
        for line in lines {
            defer { depth += line.count { $0 == "{" } - line.count { $0 == "}" } }
            guard depth == 1, let match = line.firstMatch(of: /^ +([a-z()@ ]*?)\b(?:let|var) ([a-zA-Z0-9]+)(.*)$/)
            else {
                continue
            }
            let isStored = match.3.contains("=") || !match.3.contains("{")
            if !match.1.contains("static"), isStored { names.append(String(match.2)) }
        }
        return names
    }
}
