import Glibc
import Testing

@testable import IntentSandbox

@Suite struct ProcessStatTests {
    private static func line(name: String, state: String = "S") -> String {
        "12 (\(name)) \(state) 7 1 1 0 -1 4194304 1 0 0 0 3 4 50 60 20 0 1 0 99 1000 10"
    }

    @Test(arguments: ["sh", "a b", "a) R 1 (b", "((", ") Z 1", "\u{301}x", ")\u{301}"])
    func `the name of a process changes no other field`(name: String) throws {
        let stat = try #require(ProcessStat(Self.line(name: name)))
        #expect(stat.name == name)
        #expect(stat.state == "S")
        #expect(stat.parent == 7)
        #expect(stat.processorTime == .milliseconds(70))
        #expect(stat.reapedProcessorTime == .milliseconds(1100))
    }

    @Test(arguments: [("R", true), ("S", true), ("D", true), ("Z", false), ("X", false)])
    func `a zombie is not alive`(state: String, isAlive: Bool) throws {
        #expect(try #require(ProcessStat(Self.line(name: "sh", state: state))).isAlive == isAlive)
    }

    @Test(arguments: [
        "", "12", "12 (sh", "12 sh) S 7", "12 (sh) S", "12 (sh) S x 1 1 0 -1 4194304 1 0 0 0 3 4 50 60 20",
    ])
    func `a text in another format is refused`(text: String) {
        #expect(ProcessStat(text) == nil)
    }

    @Test func `the kernel's line of this process is read`() throws {
        let stat = try #require(ProcessStat(at: "/proc/self/stat"))
        #expect(stat.parent == getppid())
        #expect(stat.isAlive)
    }
}
