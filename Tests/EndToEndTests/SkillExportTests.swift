import Foundation
import TestSupport
import Testing

/// Tests skills of an installed app, from its resources to the files that agents read.
@Suite(.ownThread) struct SkillExportTests {
    private let daemon: Daemon

    init() throws {
        daemon = try Daemon()
        let ported = Programs.url("Ported")
        try Programs.install(ported, as: daemon.folder.appending("apps/Ported"))
        try FileManager.default.copyItem(
            at: ported.deletingLastPathComponent().appending(path: "intentd_Ported.resources"),
            to: daemon.folder.appending("apps/Ported.resources")
        )
        try #require(try daemon.intentctl("reload").code == 0)
    }

    @Test func `skills are listed and written, and a file is replaced only on request`() throws {
        let list = try daemon.intentctl("skills")
        #expect(list.code == 0 && list.output.contains("find-a-book"), "\(list.output)\(list.errors)")
        #expect(try daemon.intentctl("skills", "Probe").output.contains("find-a-book") == false)
        let json = try daemon.intentctl("--output", "json", "skills", "Ported")
        #expect(json.output.contains("How to find a book by its title."))

        let out = daemon.folder.appending("skills").path
        let written = try daemon.intentctl("skills", "export", "--out", out)
        #expect(written.code == 0 && written.output == "\(out)/find-a-book/SKILL.md\n", "\(written.errors)")
        let text = try String(contentsOfFile: "\(out)/find-a-book/SKILL.md", encoding: .utf8)
        #expect(
            text.hasPrefix("---\nname: find-a-book\ndescription: \"How to find a book by its title.\"\n---\n\n# Find")
        )
        let again = try daemon.intentctl("skills", "export", "--out", out, "Ported")
        #expect(again.code != 0 && again.errors.contains("--replace"), "\(again.errors)")
        #expect(try daemon.intentctl("skills", "export", "--replace", "--out", out).code == 0)
        #expect(try daemon.intentctl("skills", "import", "Ported").code != 0)
    }
}
