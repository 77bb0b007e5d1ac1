import Foundation
import TestSupport
import Testing

/// Tests the files of the installed programs.
@Suite(.ownThread) struct ProgramTests {
    @Test(arguments: [
        "intentctl", "intentd", "intentd-launcher", "intentd-starter", "intentd-egress", "intentd-command",
        "intent-ask",
    ])
    func `a program does not link ICU, which would add 44 MB`(_ name: String) throws {
        let libraries = try Command(URL(filePath: "/usr/bin/ldd"), [Programs.url(name).path])
        #expect(libraries.exitCode() == 0, "\(libraries.errors)")
        #expect(!libraries.output.contains("FoundationICU"), "\(libraries.output)")
    }
}
