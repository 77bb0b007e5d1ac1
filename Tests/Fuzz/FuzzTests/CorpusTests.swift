import Foundation
import TestSupport
import Testing

/// A pass over the inputs that `Tests/Fuzz/run --keep` has found, and over random changes of them, without guidance: each line
/// of corpus/TARGET is an input in base 64.
@Suite(.ownThread) struct CorpusTests {
    private static let folder = FindingsTests.folder.deletingLastPathComponent().appending(path: "corpus")
    private static let changeCount = Endurance.isWhole ? 100_000 : 1000
    private static let byteLimit = 2048

    @Test(arguments: FuzzTarget.all.map(\.name))
    func `kept inputs and changes of them keep all properties`(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        let inputs = text.split(separator: "\n").compactMap { Data(base64Encoded: String($0)).map { Array($0) } }
        try #require(!inputs.isEmpty && inputs.count == text.split(separator: "\n").count)
        for input in inputs { try check(input, target) }
        var random = SeededNumbers(seed: UInt64(name.utf8.reduce(0) { $0 &* 31 &+ UInt32($1) }))
        for _ in 0..<Self.changeCount {
            let input = Self.changed(inputs[random.below(inputs.count)], inputs, &random)
            guard try check(Array(input.prefix(min(Self.byteLimit, target.byteLimit))), target) else { return }
        }
    }

    /// Returns false for an input that breaks a property.
    @discardableResult private func check(_ input: [UInt8], _ target: FuzzTarget) throws -> Bool {
        do {
            try target.check(input)
            return true
        } catch {
            Issue.record("\(Data(input).base64EncodedString()): \(error)")
            return false
        }
    }

    /// One to four changes of an input: a byte, a part that is left out, repeated, or taken from another input.
    private static func changed(_ input: [UInt8], _ inputs: [[UInt8]], _ random: inout SeededNumbers) -> [UInt8] {
        var bytes = input
        for _ in 0...random.below(4) {
            let place = random.below(bytes.count + 1)
            let end = min(bytes.count, place + 1 + random.below(16))
            switch random.below(5) {
            case 0: if place < bytes.count { bytes[place] = UInt8(random.below(256)) }
            case 1: bytes.insert(UInt8(random.below(256)), at: place)
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: random.below(bytes.count + 1))
            default:
                let other = inputs[random.below(inputs.count)]
                let start = random.below(other.count + 1)
                bytes.replaceSubrange(place..<end, with: other[start...].prefix(1 + random.below(64)))
            }
        }
        return bytes
    }
}

extension SeededNumbers {
    fileprivate mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
