import Foundation
import Testing
import intentctl

@Suite struct VerifyTests {
    private func ownBytes() throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: "/proc/self/exe")))
    }

    @Test func `a program's own header tells machine, needs and Swift`() throws {
        // Whatever runs these tests is a program of this machine.
        let elf = try ElfFile(ownBytes())
        #expect(elf.isLoadable)
        #expect(elf.machine == ElfFile.ownMachine)
        #expect(elf.interpreter?.contains("ld-linux") == true)
        #expect(elf.needed.contains { $0.hasPrefix("libc.so") })
    }

    @Test func `bytes that are no ELF file, and cut ones, are told apart`() throws {
        #expect(throws: ElfFile.Problem.notELF) { try ElfFile(Array("#!/bin/sh\n".utf8)) }
        #expect(throws: ElfFile.Problem.notELF) { try ElfFile([]) }
        let bytes = try ownBytes()
        #expect(throws: ElfFile.Problem.truncated) { try ElfFile(Array(bytes.prefix(40))) }
        #expect(throws: ElfFile.Problem.truncated) { try ElfFile(Array(bytes.prefix(bytes.count / 2))) }
        var narrow = bytes
        narrow[4] = 1
        #expect(throws: ElfFile.Problem.unsupportedForm) { try ElfFile(narrow) }
    }

    @Test func `no header, however broken, ends the program`() throws {
        let head = Array(try ownBytes().prefix(4096))
        for place in Array(16..<64) + Array(stride(from: 64, to: 1024, by: 7)) {
            for value: UInt8 in [0, 0xFF] {
                var broken = head
                broken[place] = value
                // Either is right; what counts is that it returns.
                _ = try? ElfFile(broken)
            }
        }
    }

    @Test func `libraries are looked for beside the program, and what is missing names who needs it`() throws {
        var program = try ElfFile(ownBytes())
        program.needed = ["libsoup.so", "libc.so.6", "libnowhere.so"]
        program.runPath = ["$ORIGIN/../lib"]
        program.oldRunPath = []
        var soup = program
        soup.needed = ["libsalt.so", "libc.so.6"]
        soup.runPath = []
        var plain = soup
        plain.needed = []
        let files = ["/app/bin/../lib/libsoup.so": soup, "/usr/lib/libc.so.6": plain]
        let entries = SharedLibraries(libraryPath: nil) { files[$0] }.resolve(program, at: "/app/bin/Soup")
        #expect(
            entries == [
                .init(name: "libsoup.so", path: "/app/bin/../lib/libsoup.so"),
                .init(name: "libc.so.6", path: "/usr/lib/libc.so.6"),
                .init(name: "libnowhere.so"),
                .init(name: "libsalt.so", neededBy: "libsoup.so"),
            ]
        )
    }

    @Test func `a run path is for a file's own needs, the older kind for what it loads too`() throws {
        var program = try ElfFile(ownBytes())
        program.needed = ["liba.so"]
        var library = program
        library.needed = ["libb.so"]
        library.runPath = []
        library.oldRunPath = []
        let last = library
        let files = ["/p/liba.so": library, "/p/libb.so": last]
        program.runPath = ["/p"]
        program.oldRunPath = []
        let modern = SharedLibraries(libraryPath: nil) { files[$0] }.resolve(program, at: "/x/P")
        #expect(modern.map(\.path) == ["/p/liba.so", nil])
        program.runPath = []
        program.oldRunPath = ["/p"]
        let old = SharedLibraries(libraryPath: nil) { files[$0] }.resolve(program, at: "/x/P")
        #expect(old.prefix(2).map(\.path) == ["/p/liba.so", "/p/libb.so"])
        program.oldRunPath = []
        let environment = SharedLibraries(libraryPath: "/q:/p") { files[$0] }.resolve(program, at: "/x/P")
        #expect(environment.prefix(2).map(\.path) == ["/p/liba.so", "/p/libb.so"])
    }

    @Test func `a verdict with a problem is no success, and says what to do`() {
        var verdict = AppVerdict(path: "/x/Soup")
        #expect(verdict.exitCode == .done)
        #expect(verdict.text.hasSuffix("ready to be installed"))
        verdict.problems = [.init("it is a script", hint: "name what 'swift build' made.")]
        #expect(verdict.exitCode == .configuration)
        #expect(verdict.text.contains("it is a script"))
        #expect(verdict.document.text().contains(#""isReady":false"#))
    }
}

@Suite struct PackageTemplateTests {
    @Test func `a template has a manifest, a program, an intent and a test`() throws {
        let files = PackageTemplate(name: "Soup", package: "/a \"b\"/intentd").files
        #expect(
            files.map(\.path) == [
                "Package.swift", "Sources/Soup/SoupApp.swift", "Sources/Soup/Greet.swift",
                "Tests/SoupTests/GreetTests.swift", ".gitignore",
            ]
        )
        #expect(files[0].text.hasPrefix("// swift-tools-version: 6.2\n"))
        #expect(files[0].text.contains(#".package(name: "intentd", path: "/a \"b\"/intentd")"#))
        #expect(files.allSatisfy { $0.text.hasSuffix("\n") && !$0.text.hasSuffix("\n\n") })
    }

    @Test(arguments: ["", "..", "a/b", "1st", "-x", "Só", "a b", "AppIntents", "class", "a-b"])
    func `a name that cannot be a module's is refused`(_ name: String) {
        #expect(PackageTemplate.problem(with: name) != nil)
    }

    @Test(arguments: ["Soup", "soup2", "My_Soup"])
    func `a name that can be a module's is taken`(_ name: String) {
        #expect(PackageTemplate.problem(with: name) == nil)
    }
}
