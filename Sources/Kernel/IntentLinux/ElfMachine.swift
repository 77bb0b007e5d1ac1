/// The architecture for which an ELF file is built (`e_machine` of elf(5)).
package struct ElfMachine: Equatable, Sendable {
    let number: UInt16

    /// The architecture of this program.
    package static let own: ElfMachine = {
        #if arch(x86_64)
            ElfMachine(number: 62)
        #elseif arch(arm64)
            ElfMachine(number: 183)
        #endif
    }()

    package var name: String {
        switch number {
        case 3: "i386"
        case 40: "arm"
        case 62: "x86-64"
        case 183: "aarch64"
        case 243: "riscv"
        default: "machine \(number)"
        }
    }
}
