import Foundation
import Glibc

/// Allocates memory until it crashes, in one of the ways in which code fails without memory. Returns the number of
/// blocks, if the memory has no limit.
@inline(never)
func exhaustMemory(_ how: String) -> Int {
    switch how {
    // C code that does not check for NULL.
    case "unchecked":
        return fill(blocks: 1_000_000) { malloc($0).map { Int(bitPattern: $0) } ?? 0 }
    // Swift code that unwraps the nil of an allocation.
    case "unwrapped":
        return fill(blocks: 1_000_000) { Int(bitPattern: malloc($0)!) }
    // C++ code, in which operator new throws std::bad_alloc.
    case "new":
        typealias New = @convention(c) (Int) -> UnsafeMutableRawPointer
        let new = unsafeBitCast(dlsym(nil, "_Znwm"), to: New.self)
        return fill(blocks: 1_000_000) { Int(bitPattern: new($0)) }
    default:
        let blocks = (0..<1_000_000).map { Data(repeating: UInt8(truncatingIfNeeded: $0), count: 1 << 20) }
        return blocks.count
    }
}

/// Writes to each page of new blocks of 64 KiB.
private func fill(blocks: Int, by allocate: (Int) -> Int) -> Int {
    for _ in 0..<blocks {
        let address = allocate(64 << 10)
        for page in 0..<16 {
            // The address of the first byte could be nil, which a pointer cannot have.
            UnsafeMutablePointer<UInt8>(bitPattern: address + page * 4096 + 1)!.pointee = 1
        }
    }
    return blocks
}
