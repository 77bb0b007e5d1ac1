import Foundation
import Glibc
import TestSupport
import Testing

/// A private run at a terminal, where all processes descend from the terminal's shell.
@Suite(.ownThread, .enabled(if: Terminals.isThere, "needs tmux"))
struct PrivateRunTests {
    private static let sandboxed: Set = ["intentd-init", "intentd-fork", "intentd-spare", "Probe"]

    @Test func `no process in the sandbox has access to the caller's terminal`() throws {
        let terminals = Terminals(in: try TemporaryFolder())
        try terminals.open("one")
        try terminals.type("echo shell:$$.", in: "one")
        try terminals.wait("one", for: "\nshell:")
        let screen = try terminals.screen("one")
        let shell = try #require(screen.firstMatch(of: /\nshell:([0-9]+)\./).flatMap { Int32($0.1) })
        let probe = Programs.url("Probe").path
        try terminals.type(
            "'\(Programs.intentctl.path)' run --local '\(probe)' Slow --seconds 600; echo left:$?",
            in: "one"
        )
        var family: [Int32: String] = [:]
        try eventually("the run is running; the shell's descendants are \(family)") {
            family = ProcessFamily.below(shell)
            return family.values.contains("Probe")
        }
        // intentd itself has the terminal, which proves that there is one.
        #expect(try family.contains { try $0.value == "intentd" && terminal(of: $0.key) != 0 })
        for (process, name) in family where Self.sandboxed.contains(name) {
            // The process that described the app may have exited in the meantime.
            guard let terminal = try? terminal(of: process) else { continue }
            #expect(terminal == 0, "\(name)")
            for target in targets(of: process) {
                #expect(!target.hasPrefix("/dev/pts") && !target.hasPrefix("/dev/tty"), "\(name): \(target)")
            }
        }
        try terminals.press("C-c", in: "one")
        try terminals.wait("one", for: "left:")
        try eventually("all processes have exited") { ProcessFamily.below(shell).isEmpty }
    }

    /// The device number of a process's controlling terminal, 0 without one: field 7 of proc_pid_stat(5).
    private func terminal(of process: Int32) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        return try #require(fields.count > 5 ? Int(fields[5]) : nil)
    }

    /// The targets of a process's descriptors.
    private func targets(of process: Int32) -> [String] {
        let folder = "/proc/\(process)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
    }
}
