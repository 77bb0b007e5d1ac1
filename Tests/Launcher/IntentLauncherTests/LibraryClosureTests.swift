import Foundation
import Glibc
import IntentDaemon
import IntentLinux
import TestSupport
import Testing

@Suite(.ownThread, .timeLimit(.minutes(2))) struct LibraryClosureTests {
    @Test(arguments: ["/bin/true", "/bin/ls", "/usr/bin/env", "/usr/bin/git", "/proc/self/exe"])
    func `the libraries of a program are those that the loader finds`(_ program: String) throws {
        // Git may not be installed.
        guard FileManager.default.fileExists(atPath: program) else { return }
        let path = program == "/proc/self/exe" ? try ProcessFacts.executablePath() : program
        let closure = try LibraryClosure(of: path)
        let interpreter = try #require(closure.interpreter)
        #expect(closure.missing == [])
        #expect(closure.libraries == Set(closure.libraries).sorted())

        let listed = try ExecutableFile.loaderList(of: path, interpreter: interpreter)
        #expect(Self.withoutUnwinder(closure.libraries) == Self.withoutUnwinder(listed.values))
        #expect(closure.libraries.contains { $0.hasSuffix("/libc.so.6") })
        #expect(closure.libraries.contains { $0.hasSuffix("/libgcc_s.so.1") })

        let alone = try ExecutableFile.loaderList(of: path, interpreter: interpreter, folders: closure.extraFolders)
        #expect(Self.withoutUnwinder(closure.libraries) == Self.withoutUnwinder(alone.values))
    }

    @Test func `this Swift program needs Swift's libraries`() throws {
        let closure = try LibraryClosure(of: try ProcessFacts.executablePath())
        let names = closure.libraries.compactMap { $0.split(separator: "/").last }
        for name in ["libTesting.so", "libFoundation.so", "libdispatch.so", "libswiftCore.so", "libseccomp.so.2"] {
            #expect(names.contains(Substring(name)))
        }
        for path in closure.libraries { #expect(try File.status(at: path).kind == .regular) }
    }

    @Test(arguments: ["$ORIGIN", "${ORIGIN}", "$ORIGIN/../../tree/./bin//"])
    func `libraries beside a program are found with its run path`(_ folder: String) throws {
        let tree = Tree()
        try tree.library("libinner.so", needing: [], runPath: nil)
        try tree.library("libouter.so", needing: ["inner"], runPath: folder)
        try tree.program(needing: ["outer"], runPath: folder)
        let closure = try LibraryClosure(of: tree.program)
        #expect(closure.libraries.filter { $0.hasPrefix(tree.folder) } == tree.paths("libinner.so", "libouter.so"))
        #expect(closure.missing == [])
        #expect(closure.extraFolders == [])
    }

    @Test func `DT_RUNPATH applies only to a file's own libraries, and DT_RPATH also to their libraries`() throws {
        let tree = Tree()
        try tree.library("libinner.so", needing: [], runPath: nil)
        try tree.library("libouter.so", needing: ["inner"], runPath: nil)
        try tree.program(needing: ["outer"], runPath: "$ORIGIN")
        var closure = try LibraryClosure(of: tree.program)
        #expect(closure.missing == ["libinner.so"])
        #expect(closure.libraries.filter { $0.hasPrefix(tree.folder) } == tree.paths("libouter.so"))

        try tree.program(needing: ["outer"], runPath: "$ORIGIN", tags: "--disable-new-dtags")
        closure = try LibraryClosure(of: tree.program)
        #expect(closure.missing == [])
        #expect(closure.libraries.filter { $0.hasPrefix(tree.folder) } == tree.paths("libinner.so", "libouter.so"))

        // A library with DT_RUNPATH does not inherit DT_RPATH.
        try tree.library("libouter.so", needing: ["inner"], runPath: "/nowhere")
        #expect(try LibraryClosure(of: tree.program).missing == ["libinner.so"])
    }

    @Test func `the libraries of a linked program are beside the real file, in an extra folder`() throws {
        let tree = Tree()
        try tree.library("libouter.so", needing: [], runPath: nil)
        try tree.program(needing: ["outer"], runPath: "$ORIGIN")
        let link = tree.folder + "-link"
        try syscall("symlink") { symlink(tree.program, link) }
        let closure = try LibraryClosure(of: link)
        #expect(closure.libraries.filter { $0.hasPrefix(tree.folder) } == tree.paths("libouter.so"))
        #expect(closure.extraFolders == [tree.folder])
    }

    @Test func `a folder after which a combining mark follows is normalized`() throws {
        let tree = Tree()
        try tree.library("libouter.so", needing: [], runPath: nil)
        try tree.program(needing: ["outer"], runPath: "$ORIGIN/../\u{301}lib")
        let parent = URL(filePath: tree.folder).deletingLastPathComponent().path
        let folder = parent + "/\u{301}lib"
        try syscall("rename") { rename(tree.folder, folder) }
        try syscall("mkdir") { mkdir(tree.folder, 0o700) }
        try syscall("rename") { rename(folder + "/program", tree.program) }
        let closure = try LibraryClosure(of: tree.program)
        #expect(closure.libraries.filter { $0.hasPrefix(parent) } == [folder + "/libouter.so"])
    }

    @Test func `folders in the loader's configuration are searched, and are extra folders`() throws {
        let tree = Tree()
        try tree.library("libouter.so", needing: [], runPath: nil)
        try tree.program(needing: ["outer"], runPath: nil)
        #expect(try LibraryClosure(of: tree.program).missing == ["libouter.so"])

        let configuration = tree.folder + "/ld.so.conf"
        let included = tree.folder + "/conf.d"
        try syscall("mkdir") { mkdir(included, 0o700) }
        try "# none\n/nowhere, relative:/also/nowhere\ninclude conf.d/*.conf \(configuration)\n"
            .write(toFile: configuration, atomically: true, encoding: .utf8)
        try "hwcap 1 nosegneg\n\(tree.folder)/ # ours\n"
            .write(toFile: included + "/a.conf", atomically: true, encoding: .utf8)
        try syscall("mkfifo") { mkfifo(included + "/b.conf", 0o600) }
        let closure = try LibraryClosure(of: tree.program, configuration: configuration)
        #expect(closure.missing == [])
        #expect(closure.libraries.filter { $0.hasPrefix(tree.folder) } == tree.paths("libouter.so"))
        #expect(closure.extraFolders == [tree.folder])
    }

    @Test func `a library for another machine is skipped`() throws {
        let tree = Tree()
        try tree.library("libouter.so", needing: [], runPath: nil)
        try tree.program(needing: ["outer"], runPath: "\(tree.folder)/foreign:$ORIGIN")
        var bytes = try tree.bytes("libouter.so")
        // Mark the copy as a 32-bit library. On many systems, one exists beside the 64-bit library.
        bytes[4] = 1
        try syscall("mkdir") { mkdir(tree.folder + "/foreign", 0o700) }
        try tree.put(bytes, "foreign/libouter.so")
        #expect(try LibraryClosure(of: tree.program).libraries.contains(tree.folder + "/libouter.so"))
    }

    @Test func `a static program has neither interpreter nor libraries`() throws {
        let tree = Tree()
        for options in [["-static"], ["-static-pie"]] {
            try ExecutableFile.link("int main(void) { return 0; }", to: tree.program, ["-fuse-ld=lld"] + options)
            let closure = try LibraryClosure(of: tree.program)
            #expect(closure.interpreter == nil)
            #expect(closure.libraries == [])
            #expect(closure.missing == [])
        }
    }

    @Test func `an interpreter that does not exist is missing`() throws {
        let tree = Tree()
        try ExecutableFile.link(
            "int main(void) { return 0; }",
            to: tree.program,
            ["-fuse-ld=lld", "-Wl,--dynamic-linker=/nowhere/ld.so"]
        )
        let closure = try LibraryClosure(of: tree.program)
        #expect(closure.interpreter == "/nowhere/ld.so")
        #expect(closure.missing == ["/nowhere/ld.so"])
    }

    // MARK: Files that are no programs

    @Test func `a file that is not a program is refused with the reason`() throws {
        let tree = Tree()
        try tree.put(Array("#!/bin/sh\n".utf8), "script")
        try tree.put(Array("text".utf8), "text")
        try tree.put([], "empty")
        try syscall("mkfifo") { mkfifo(tree.folder + "/pipe", 0o600) }
        for (path, error) in [
            (tree.folder + "/script", ElfError.script(tree.folder + "/script")),
            (tree.folder + "/text", .notElf(tree.folder + "/text")),
            (tree.folder + "/empty", .notElf(tree.folder + "/empty")),
            (tree.folder + "/pipe", .notRegular(tree.folder + "/pipe")),
            ("/dev/null", .notRegular("/dev/null")), ("/tmp", .notRegular("/tmp")),
            ("/no/such", .unreadable(SystemError("open", on: "/no/such", code: Errno(rawValue: ENOENT)))),
        ] {
            #expect(throws: error, "\(path)") { try LibraryClosure(of: path) }
            #expect("\(error)".contains(path))
        }
    }

    @Test func `a truncated program is refused or read, wherever it ends`() throws {
        let tree = Tree()
        try tree.program(needing: [], runPath: "$ORIGIN")
        let bytes = try tree.bytes("program")
        let whole = try LibraryClosure(of: tree.program)
        for count in stride(from: 0, to: bytes.count, by: 16) {
            try tree.put(Array(bytes.prefix(count)), "short")
            let closure = try? LibraryClosure(of: tree.folder + "/short")
            // Bytes after the last byte that is read may be missing.
            #expect(closure == nil || closure == whole, "\(count) bytes")
            if count <= 64 + 56 { #expect(closure == nil, "\(count) bytes") }
        }
    }

    @Test func `a program with a changed byte in its headers or dynamic section is refused or read`() throws {
        let tree = Tree()
        try tree.library("libouter.so", needing: [], runPath: nil)
        try tree.program(needing: ["outer"], runPath: "$ORIGIN")
        let bytes = try tree.bytes("program")
        var random = SeededNumbers(seed: 7)
        var refused = 0
        let step = Endurance.isWhole ? 4 : 16
        // The header and the program headers, then the dynamic section, which is found with the same offsets as in the
        // loader.
        for position in Array(0..<64 + 56 * 14) + Tree.dynamicSection(of: bytes) {
            guard position < bytes.count else { continue }
            let path = tree.folder + "/damaged"
            for change in [0xFF, UInt8(truncatingIfNeeded: random.next()) | 1] {
                var damaged = bytes
                damaged[position] ^= change
                try tree.put(damaged, "damaged")
                let image = try? ElfImage(at: path)
                if image == nil { refused += 1 }
                // The rest of the search does not depend on the damage.
                if position % step == 0 { #expect(((try? LibraryClosure(of: path)) == nil) || image != nil) }
            }
        }
        #expect(refused > 100)
    }

    @Test func `numbers that would overflow are refused`() throws {
        let tree = Tree()
        try tree.program(needing: [], runPath: nil)
        let bytes = try tree.bytes("program")
        let headers = (0..<Int(bytes[56])).map { 64 + $0 * 56 }
        let dynamic = try #require(headers.first { bytes[$0] == 2 })
        let interpreter = try #require(headers.first { bytes[$0] == 3 })
        // The offset of the program headers, and the offsets and sizes of segments in the file.
        for position in [32, dynamic + 8, dynamic + 32, interpreter + 8] {
            for number: UInt64 in [.max, .max - 15, 1 << 63, (1 << 63) - 1, UInt64(bytes.count), 1 << 40] {
                var damaged = bytes
                for index in 0..<8 { damaged[position + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
                try tree.put(damaged, "damaged")
                let path = tree.folder + "/damaged"
                let error = #expect(throws: ElfError.self) { try LibraryClosure(of: path) }
                guard case .damaged? = error else {
                    Issue.record("\(position) \(number): \(String(describing: error))")
                    continue
                }
            }
        }
    }

    @Test func `a program with too many libraries is refused`() throws {
        let tree = Tree()
        try tree.library("libouter.so", needing: [], runPath: nil)
        let bytes = try tree.bytes("libouter.so")
        // Create seven hundred names for existing files.
        let names = (0..<700).map { "n\($0)" }
        for name in names { try tree.put(bytes, "lib\(name).so") }
        // With a DT_SONAME, the linker would use that name for all files.
        let own = names.map { "-l:lib\($0).so" }
        try tree.library("libnameless.so", needing: [], runPath: nil, soName: false)
        let nameless = try tree.bytes("libnameless.so")
        for name in names { try tree.put(nameless, "lib\(name).so") }
        try tree.program(needing: [], runPath: "$ORIGIN", options: ["-Wl,--no-as-needed", "-L\(tree.folder)"] + own)
        #expect(throws: ElfError.excessive(tree.program, limit: LibraryClosure.libraryLimit)) {
            try LibraryClosure(of: tree.program)
        }
    }

    /// Omits libgcc_s, which is opened by name at run time and which the loader therefore does not list for every
    /// program.
    private static func withoutUnwinder(_ paths: some Sequence<String>) -> [String] {
        paths.filter { !$0.hasSuffix("/libgcc_s.so.1") && $0.contains(".so") }.sorted()
    }
}

/// A folder with a program and the program's libraries.
private struct Tree: ~Copyable {
    private let directory = TemporaryDirectory()
    let folder: String
    var program: String { folder + "/program" }

    init() {
        // The folder is two levels deep, and its path contains no links, so that ".." leads to its parent.
        guard let base = realpath(directory.path, nil) else { preconditionFailure("realpath: errno \(errno)") }
        defer { free(base) }
        let tree = String(cString: base) + "/tree"
        folder = tree + "/bin"
        guard mkdir(tree, 0o700) == 0, mkdir(folder, 0o700) == 0 else { preconditionFailure("mkdir: errno \(errno)") }
    }

    func library(_ file: String, needing names: [String], runPath: String?, soName: Bool = true) throws {
        let options = ["-shared", "-fPIC"] + (soName ? ["-Wl,-soname,\(file)"] : [])
        try ExecutableFile.link(
            "int \(file.filter(\.isLetter))(void) { return 0; }",
            to: "\(folder)/\(file)",
            options + Self.options(names, runPath, folder)
        )
    }

    func program(
        needing names: [String],
        runPath: String?,
        tags: String = "--enable-new-dtags",
        options: [String] = []
    ) throws {
        try ExecutableFile.link(
            "int main(void) { return 0; }",
            to: program,
            ["-Wl,\(tags)"] + Self.options(names, runPath, folder) + options
        )
    }

    private static func options(_ names: [String], _ runPath: String?, _ folder: String) -> [String] {
        ["-fuse-ld=lld", "-L\(folder)", "-Wl,--no-as-needed", "-Wl,--allow-shlib-undefined"] + names.map { "-l\($0)" }
            + (runPath.map { ["-Wl,-rpath,\($0)"] } ?? [])
    }

    func paths(_ names: String...) -> [String] { names.map { "\(folder)/\($0)" } }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
    }

    func put(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
    }

    /// Returns the positions of the dynamic section's bytes.
    static func dynamicSection(of bytes: [UInt8]) -> [Int] {
        func number(_ start: Int) -> Int { (0..<8).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) } }
        for header in (0..<Int(bytes[56])).map({ 64 + $0 * 56 }) where bytes[header] == 2 {
            let start = number(header + 8)
            return Array(start..<start + number(header + 32))
        }
        return []
    }
}
