import Glibc
import IntentLinux

/// Processes, read from /proc (proc(5)).
enum ProcessTable {
    struct Entry {
        var number: Int32
        var parent: Int32
        var name: String
    }

    /// The descendants of a process.
    static func family(of ancestor: Int32) -> [Entry] {
        let all = snapshot()
        var family: [Entry] = []
        var frontier: Set<Int32> = [ancestor]
        while !frontier.isEmpty {
            let next = all.filter { frontier.contains($0.parent) }
            family += next
            frontier = Set(next.map(\.number))
        }
        return family
    }

    /// A field of `smaps_rollup` or `status` in megabytes; nil if it cannot be read.
    static func megabytes(_ field: String, in file: String, of process: Int32) -> Double? {
        number(field, in: "/proc/\(process)/\(file)").map { Double($0) / 1024 }
    }

    /// The number of times that threads of a process have blocked, and so were woken.
    static func waits(of process: Int32) -> Int? {
        guard let threads = try? File.names(in: "/proc/\(process)/task"), !threads.isEmpty else { return nil }
        return threads.reduce(0) { sum, thread in
            sum + (number("voluntary_ctxt_switches", in: "/proc/\(process)/task/\(thread)/status") ?? 0)
        }
    }

    /// The processor time of all threads so far, in nanoseconds.
    static func processorNanoseconds(of process: Int32) -> Int64? {
        guard let threads = try? File.names(in: "/proc/\(process)/task"), !threads.isEmpty else { return nil }
        return threads.reduce(0) { sum, thread in
            // The first number of schedstat is the time on a processor.
            let text = (try? File.text(at: "/proc/\(process)/task/\(thread)/schedstat")) ?? ""
            return sum + (text.split(separator: " ").first.flatMap { Int64($0) } ?? 0)
        }
    }

    /// The processor time of all reaped children, in nanoseconds (cutime and cstime).
    static func endedChildrenNanoseconds(of process: Int32) -> Int64? {
        guard let text = try? File.text(at: "/proc/\(process)/stat"), let close = text.lastIndex(of: ")") else {
            return nil
        }
        // After the name comes field 3. cutime and cstime are fields 16 and 17.
        let fields = text[text.index(after: close)...].split(separator: " ")
        guard fields.count > 14, let user = Int64(fields[13]), let system = Int64(fields[14]) else { return nil }
        return (user + system) * (1_000_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK))))
    }

    static func loadAverage() -> String {
        let text = (try? File.text(at: "/proc/loadavg")) ?? ""
        return text.split(separator: " ").prefix(3).joined(separator: " ")
    }

    private static func number(_ field: String, in path: String) -> Int? {
        guard let text = try? File.text(at: path) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    }

    private static func snapshot() -> [Entry] {
        let names = (try? File.names(in: "/proc")) ?? []
        return names.compactMap { name in
            // The process may have exited since it was listed.
            guard let number = Int32(name), let text = try? File.text(at: "/proc/\(name)/stat"),
                let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")")
            else { return nil }
            let fields = text[text.index(after: close)...].split(separator: " ")
            guard fields.count > 1, let parent = Int32(fields[1]) else { return nil }
            return Entry(number: number, parent: parent, name: String(text[text.index(after: open)..<close]))
        }
    }
}
