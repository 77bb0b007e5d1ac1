import Foundation
import IntentLinux
import Testing

@Suite struct ElfImageTests {
    @Test func `an image has the interpreter, the needed libraries and the sections of a program`() throws {
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
    func `an error describes what is wrong with the file`(_ change: Change, _ reason: String) throws {
        let file = try Copy(of: "/proc/self/exe", change)
        let error = #expect(throws: ElfError.self) { try ElfImage(at: file.path) }
        let message = error.map { "\($0)" } ?? ""
        #expect(message.contains(reason), "\(message)")
    }

    @Test func `a file that ends before the end of a loaded segment is refused`() throws {
        // The file ends after its headers, within the first loaded segment.
        let file = try Copy(of: "/proc/self/exe", .shortened(to: 4096))
        #expect(throws: ElfError.damaged(file.path, "it ends before the end of a segment")) {
            try ElfImage.sectionNames(at: file.path)
        }
    }

    @Test func `a changed byte in the section headers never crashes the process`() throws {
        let header = try [UInt8](Data(contentsOf: URL(filePath: "/proc/self/exe"), options: .alwaysMapped).prefix(64))
        for position in 40..<64 {
            for value: UInt8 in [0, 1, 0xFF] where header[position] != value {
                let file = try Copy(of: "/bin/true", .byte(position, value))
                // A changed offset may still refer to a table, so the file may be read or refused.
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

    /// A changed copy of a file. The copy is removed when the instance is released.
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
