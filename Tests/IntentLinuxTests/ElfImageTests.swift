import Foundation
import IntentLinux
import Testing

@Suite struct ElfImageTests {
    @Test func `a program's file says what loads it, what it needs, and its sections`() throws {
        let image = try ElfImage(at: "/proc/self/exe")
        #expect(image.interpreter?.contains("ld-linux") == true)
        #expect(image.needed.contains { $0.hasPrefix("libc.so") })
        let sections = try ElfImage.sectionNames(at: "/proc/self/exe")
        #expect(sections.isSuperset(of: [".dynamic", "swift5_assocty"]))
    }

    @Test(arguments: [
        (Change.shortened(to: 40), "it ends within its header"), (.byte(4, 1), "not a 64-bit little-endian ELF file"),
        (.byte(18, 243), "riscv"),
        (.byte(16, 1), "neither an executable nor a library"), (.byte(0, 0), "not an ELF file"),
    ])
    func `an error says what kind of file it is`(_ change: Change, _ reason: String) throws {
        let file = try Copy(of: "/proc/self/exe", change)
        let error = #expect(throws: ElfError.self) { try ElfImage(at: file.path) }
        let message = error.map { "\($0)" } ?? ""
        #expect(message.contains(reason), "\(message)")
    }

    @Test func `a file that ends before its loaded parts is refused`() throws {
        // Behind its headers, within the first part that is loaded.
        let file = try Copy(of: "/proc/self/exe", .shortened(to: 4096))
        #expect(throws: ElfError.damaged(file.path, "it ends before the end of a segment")) {
            try ElfImage.sectionNames(at: file.path)
        }
    }

    @Test func `no changed byte of the section headers ends the process`() throws {
        let header = try [UInt8](Data(contentsOf: URL(filePath: "/proc/self/exe"), options: .alwaysMapped).prefix(64))
        for position in 40..<64 {
            for value: UInt8 in [0, 1, 0xFF] where header[position] != value {
                let file = try Copy(of: "/bin/true", .byte(position, value))
                // A changed offset may still be one of a table: either answer is right, and the test is that there is one.
                do throws(ElfError) {
                    _ = try ElfImage.sectionNames(at: file.path)
                } catch {
                    guard case .damaged = error else {
                        Issue.record("\(position) \(value): \(error)")
                        continue
                    }
                }
            }
        }
    }

    enum Change: Sendable {
        case shortened(to: Int)
        case byte(Int, UInt8)
    }

    /// A changed copy of a file, removed with this value.
    final class Copy {
        let path = FileManager.default.temporaryDirectory.path + "/elf-\(UUID())"

        init(of original: String, _ change: Change) throws {
            var bytes = try Data(contentsOf: URL(filePath: original))
            switch change {
            case .shortened(let count): bytes = bytes.prefix(count)
            case .byte(let position, let value): bytes[position] = value
            }
            try bytes.write(to: URL(filePath: path))
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }
}
