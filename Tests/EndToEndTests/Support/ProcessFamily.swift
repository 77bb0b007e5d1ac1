import Foundation
import Glibc

/// Processes and their parents, read from /proc.
enum ProcessFamily {
    static func below(_ ancestor: Int32) -> [Int32: String] {
        let all = snapshot()
        var family: [Int32: String] = [:]
        var frontier: Set<Int32> = [ancestor]
        while !frontier.isEmpty {
            let next = all.filter { frontier.contains($0.parent) }
            for process in next { family[process.number] = process.name }
            frontier = Set(next.map(\.number))
        }
        return family
    }

    static func children(of parent: Int32) -> [Int32: String] {
        let own = snapshot().filter { $0.parent == parent }
        return Dictionary(own.map { ($0.number, $0.name) }) { first, _ in first }
    }

    /// The pids of all live processes with this name.
    static func named(_ name: String) -> [Int32] {
        snapshot().filter { $0.name == name }.map(\.number).filter(lives)
    }

    /// The processor time that a process has used, in clock ticks (utime and stime of proc(5)).
    static func ticks(of process: Int32) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // After the name, which ends with the last parenthesis, the state is field 3.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ").dropFirst()
        return fields.dropFirst(11).prefix(2).compactMap { Int($0) }.reduce(0, +)
    }

    /// The command line of every process, its words separated by spaces.
    static var commandLines: [String] {
        snapshot().compactMap { process in
            let text = try? String(contentsOfFile: "/proc/\(process.number)/cmdline", encoding: .utf8)
            return text?.replacing("\0", with: " ")
        }
    }

    /// The initial environment as `NAME=value`; empty for a process that has exited or may not be inspected.
    static func environment(of process: Int32) -> [Substring] {
        let text = try? String(contentsOfFile: "/proc/\(process)/environ", encoding: .utf8)
        return text?.split(separator: "\0") ?? []
    }

    /// True while the process lives; a zombie does not.
    static func lives(_ number: Int32) -> Bool {
        guard let fields = fields(of: number) else { return false }
        return fields.state != "Z"
    }

    private static func snapshot() -> [(number: Int32, parent: Int32, name: String)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { name in
            guard let number = Int32(name), let fields = fields(of: number) else { return nil }
            return (number, fields.parent, fields.name)
        }
    }

    private static func fields(of number: Int32) -> (name: String, state: String, parent: Int32)? {
        // The process may have exited since it was listed.
        guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
            let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")")
        else { return nil }
        let rest = text[text.index(after: close)...].split(separator: " ")
        guard rest.count > 1, let parent = Int32(rest[1]) else { return nil }
        return (String(text[text.index(after: open)..<close]), String(rest[0]), parent)
    }

    /// True for a process that was killed but has not finished exiting in the kernel (PF_EXITING in `/proc/N/stat`).
    static func isEnding(_ process: Int32) -> Bool {
        let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        // The flags are field 9, the seventh behind the name.
        return fields.count > 6 && UInt32(fields[6]).map { $0 & 4 != 0 } ?? false
    }
}
