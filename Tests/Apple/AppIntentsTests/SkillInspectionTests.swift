import Foundation
import IntentLauncherMessages
import TestSupport
import Testing

@testable import AppIntents

/// Tests how an app's skills are read.
@Suite(.ownThread) struct SkillInspectionTests {
    private func read(_ text: String) throws -> SkillDeclaration { try SkillInspection.read(text, named: "cook") }

    @Test(arguments: [
        ("---\nname: cook\ndescription: How to cook\n---\n\n\nBoil.\n", "How to cook", "Boil.\n"),
        ("---\r\nname: cook\r\ndescription: 'It''s hot'\r\n---\r\nBoil.", "It's hot", "Boil."),
        ("---\n# a comment\nname: \"cook\"\nmetadata:\n  name: x\ndescription: \"a \\\"b\\\"\"\n---\n", "a \"b\"", ""),
        ("---\ndescription: >-\n  one\n  two\nname: cook\n---\nx", "one two", "x"),
        ("---\ndescription: |\n  one\n\n  two\nname: cook\n---\nx", "one\n\ntwo", "x"),
    ])
    func `a file has a name, a description and instructions`(_ text: String, _ summary: String, _ body: String) throws {
        #expect(try read(text) == SkillDeclaration(name: "cook", summary: summary, text: body))
    }

    @Test(arguments: [
        ("Boil.", "no front matter"), ("---\nname: cook\n", "no front matter"), ("", "no front matter"),
        ("---\nname: bake\ndescription: x\n---\n", "'name' must be the folder's name"),
        ("---\ndescription: x\n---\n", "'name' must be"), ("---\nname: cook\n---\n", "'description'"),
        ("---\nname: cook\ndescription: \(String(repeating: "x", count: 1025))\n---\n", "1 to 1024 characters"),
    ])
    func `a file that is not a skill is refused with the reason`(_ text: String, _ reason: String) {
        let problem = #expect(throws: SkillInspection.Problem.self) { try read(text) }
        #expect(problem?.text.contains(reason) == true)
    }

    @Test func `the number of skills and their size are limited, and each skill that is left out is named`() throws {
        let folder = URL.temporaryDirectory.appending(path: "intent-skills-\(UUID().uuidString)")
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        func add(_ name: String, _ size: Int) throws {
            try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
            let text = "---\nname: \(name)\ndescription: x\n---\n" + String(repeating: "y", count: size)
            try Data(text.utf8).write(to: folder.appending(path: "\(name)/SKILL.md"))
        }
        for number in 1...20 { try add("skill-\(number + 10)", 10) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "a-empty"),
            withIntermediateDirectories: true
        )
        try add("b-large", SkillDeclaration.byteLimit)
        let (skills, warnings) = SkillInspection.skills(in: folder.path)
        #expect(skills.count == SkillDeclaration.countLimit)
        #expect(warnings.count == 6)
        #expect(warnings[0].contains("'a-empty'") && warnings[0].contains("cannot read"))
        #expect(warnings[1].contains("'b-large'") && warnings[1].contains("at most"))
        #expect(warnings[2].contains("at most 16 skills"))
        #expect(SkillInspection.skills(in: nil).skills.isEmpty)
    }

    @Test func `an app's catalogue has its skills and the translations of its texts`() throws {
        let catalog = try AppProcess.catalog(of: "Ported")
        let skill = try #require(catalog.skills?.first)
        #expect(catalog.skills?.count == 1 && skill.name == "find-a-book")
        #expect(skill.summary == "How to find a book by its title.")
        #expect(skill.text.hasPrefix("# Find a book\n"))
        let german = catalog.translated(into: "de_AT.UTF-8")
        #expect(german != catalog && german.intents.map(\.name) == catalog.intents.map(\.name))
        #expect(catalog.translated(into: "pt_BR") == catalog && catalog.translated(into: nil) == catalog)
    }
}
