import Foundation
import IntentLinux
import Testing

@Suite struct ElfIdentityTests {
    private let ownPath = "/proc/self/exe"

    @Test func `the addresses of an executable are those of its loaded segments`() throws {
        let identity = try ElfIdentity(at: ownPath)
        let text = try #require(identity.loadedAddresses.first)
        #expect(identity.loads(text.lowerBound))
        #expect(!identity.loads(UInt64.max))
    }

    @Test func `a build ID consists of hexadecimal digits, and is that of readelf(1)`() throws {
        let readelf = "/usr/bin/readelf"
        try #require(FileManager.default.isExecutableFile(atPath: readelf))
        let library = try #require(
            ["/lib/x86_64-linux-gnu/libc.so.6", "/lib/aarch64-linux-gnu/libc.so.6", "/lib64/libc.so.6"]
                .first { FileManager.default.fileExists(atPath: $0) }
        )
        let id = try #require(try ElfIdentity(at: library).buildID)
        let printed = try #require(try ConfinedTool.output(of: readelf, arguments: ["-n", library]))
        #expect(printed.contains("Build ID: \(id)\n"), "\(printed)")
    }

    @Test func `a file that is not ELF, or ends within its notes, is refused`() throws {
        let folder = NSTemporaryDirectory() + "elf-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: folder + "/script"))
        #expect(throws: ElfError.self) { try ElfIdentity(at: folder + "/script") }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: ownPath)).prefix(400)
        try bytes.write(to: URL(fileURLWithPath: folder + "/short"))
        #expect(throws: ElfError.self) { try ElfIdentity(at: folder + "/short") }
    }
}
