import Glibc

/// Memory for C structures, which is valid as long as the instance exists.
final class PlanMemory {
    private var blocks: [UnsafeMutableRawPointer] = []

    deinit { for block in blocks { free(block) } }

    func text(_ text: String) -> UnsafePointer<CChar> { bytes(Array(text.utf8)) }

    /// Copies the bytes, and appends a NUL.
    func bytes(_ bytes: [UInt8]) -> UnsafePointer<CChar> { array(bytes.map { CChar(bitPattern: $0) } + [0]) }

    /// Copies the strings to a list of C strings that ends with NULL.
    func list(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>?> { array(texts.map { text($0) } + [nil]) }

    func array<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafePointer<Element> {
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: max(1, elements.count * MemoryLayout<Element>.stride),
            alignment: MemoryLayout<Element>.alignment
        )
        let typed = block.bindMemory(to: Element.self, capacity: elements.count)
        elements.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { typed.update(from: start, count: source.count) }
        }
        blocks.append(block)
        return UnsafePointer(typed)
    }
}
