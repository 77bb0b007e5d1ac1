import Foundation
import Testing
import intentctl

/// Tests the compiler's list of intents, which `verify` compares with a build.
@Suite struct ConstValuesTests {
    private static let file = """
        [
          {"typeName":"Soup.Order","mangledTypeName":"x","kind":"struct","file":"a.swift","line":1,
           "conformances":["Soup.Kitchen","AppIntents.AppIntent"],"associatedTypeAliases":[],
           "properties":[{"label":"title","type":"T","isStatic":"true","isComputed":"false","valueKind":"RawLiteral","value":"Order"}]},
          {"typeName":"Soup.Menu.Item","kind":"struct","conformances":["AppIntents.AppIntent"],
           "properties":[{"label":"persistentIdentifier","valueKind":"RawLiteral","value":"menu.item"},
                         {"label":"title","valueKind":"Runtime"}]},
          {"typeName":"Soup.Box<T>","kind":"generic struct","conformances":["AppIntents.AppIntent"],"properties":[]},
          {"typeName":"Soup.Kitchen","kind":"protocol","conformances":["AppIntents.AppIntent"],"properties":[]},
          {"typeName":"Soup.Other","kind":"struct","conformances":["Swift.Sendable"],"properties":[]}
        ]
        """

    @Test func `intents are read with their names in the catalogue`() {
        #expect(
            ConstValues.read(Data(Self.file.utf8)) == [
                ConstValues.Intent(typeName: "Soup.Order", name: "Order", isGeneric: false, title: "Order"),
                ConstValues.Intent(typeName: "Soup.Menu.Item", name: "menu.item", isGeneric: false, title: nil),
                ConstValues.Intent(typeName: "Soup.Box<T>", name: "Box<T>", isGeneric: true, title: nil),
            ]
        )
    }

    @Test func `an invalid file is ignored`() {
        #expect(ConstValues.read(Data("[{".utf8)).isEmpty)
        #expect(ConstValues.read(Data("{}".utf8)).isEmpty)
        let marks = String(repeating: #"\u0301\u0323"#, count: 50_000)
        #expect(ConstValues.read(Data(Self.file.replacing("\"line\"", with: "\"\(marks)\"").utf8)).isEmpty)
    }

    @Test func `only the intents of the program's modules are read`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        for module in ["Soup", "Stew"] {
            let build = folder.appending(path: "\(module).build")
            try FileManager.default.createDirectory(at: build, withIntermediateDirectories: true)
            try Data(Self.file.replacing("Soup.", with: "\(module).").utf8)
                .write(to: build.appending(path: "\(module).swiftconstvalues"))
        }
        let intents = ConstValues.intents(
            beside: folder.appending(path: "Soup").path(percentEncoded: false),
            of: Data([0]) + Data("Soup".utf8) + Data([0])
        )
        #expect(intents.map(\.typeName) == ["Soup.Box<T>", "Soup.Menu.Item", "Soup.Order"])
    }
}
