/// A crash report, with the names of the calls that the symbolizer found.
package struct SymbolizedCrash: Sendable {
    package let report: CrashReport
    private let executable: String
    /// The threads at a limit of time, of which `report` then has all frames; nil for a crash.
    private var stacks: StackReport?
    /// The calls that the symbolizer found.
    package var named = NamedCalls()

    /// The maximum number of calls to show.
    private static let shownLimit = 12

    package init(_ report: CrashReport, executable: String) {
        self.report = report
        self.executable = executable
    }

    /// Creates the report of a run's crash, or of its threads at a limit of time. Returns nil for a run without either.
    init?(_ details: RunDetails, executable: String) {
        if let crash = details.crash {
            self.init(crash, executable: executable)
        } else if let stacks = details.stacks {
            let frames = stacks.callStacks.flatMap(\.frames)
            self.init(CrashReport(signal: 0, frames: frames, images: stacks.images), executable: executable)
            self.stacks = stacks
        } else {
            return nil
        }
    }

    /// The lines to show to the user: the message, the signal, and the app's own calls first.
    package var rows: [(String, String)] {
        if let stacks { return rows(of: stacks) }
        var rows: [(String, String)] = []
        if let message { rows.append(("message", message)) }
        rows.append(("crash", cause))
        if let memory = report.memory {
            let (used, limit) = (ByteCountText.of(memory.byteCount), ByteCountText.of(memory.limit))
            rows.append(("memory", "\(used) of \(limit) of private memory (MemoryMax=) at the crash"))
        }
        let own = appLines(report.frames.indices)
        for (index, line) in own.prefix(Self.shownLimit).enumerated() { rows.append((index == 0 ? "at" : "", line)) }
        if own.count > Self.shownLimit { rows.append(("", "and \(own.count - Self.shownLimit) more calls of the app")) }
        let others = otherLines
        if !others.isEmpty {
            for (index, line) in others.prefix(own.isEmpty ? Self.shownLimit : 3).enumerated() {
                rows.append((index == 0 ? (own.isEmpty ? "at" : "libraries") : "", line))
            }
        }
        return rows + problemRows
    }

    /// The app's own calls of each thread, for at most four threads.
    private func rows(of stacks: StackReport) -> [(String, String)] {
        let threads = named.appCalls(of: stacks, limit: Self.shownLimit / 2).map { thread, calls in
            calls.enumerated().map { index, call in
                (index == 0 ? "at" : "", index == 0 ? "\(call.text), thread '\(thread)'" : call.text)
            }
        }
        return
            (threads.isEmpty && !named.calls.isEmpty
            ? [("at", NamedCalls.waits)] : threads.prefix(4).flatMap(\.self)) + problemRows
    }

    private var problemRows: [(String, String)] {
        named.problems.map { ("", $0) }
            + (command.map { command in
                [("", "to print functions and lines, run this with a copy that has debug information:"), ("", command)]
            } ?? [])
    }

    /// The message that Swift's runtime printed, or else the cause of the trap in the debug information.
    private var message: String? { report.message ?? named.trapCause.map { "Fatal error: \($0)" } }

    /// The signal, its cause, the thread and, for an invalid access, the address.
    private var cause: String {
        let name = EndSentence.name(of: report.signal).map { " (\($0))" } ?? ""
        let address = report.faultAddress.map { ", access to \($0)" } ?? ""
        return "signal \(report.signal)\(name)\(address), thread '\(report.thread)'"
    }

    private func appLines(_ frames: Range<Int>) -> [String] {
        frames.flatMap { frame in (named.calls[frame] ?? []).filter(\.isOfApp).map(\.source.text) }
    }

    private var otherLines: [String] {
        report.frames.indices.flatMap { frame -> [String] in
            guard let calls = named.calls[frame], !calls.isEmpty else { return [place(of: report.frames[frame])] }
            return calls.filter { !$0.isOfApp }.map(\.source.text)
        }
    }

    /// Returns the address of a frame without a name, with the build ID that identifies its image.
    private func place(of frame: CrashReport.Frame) -> String {
        guard let index = frame.image, let address = frame.address else { return "code outside all loaded images" }
        let image = report.images[index]
        let id = image.buildID.map { " (build ID \($0))" } ?? ""
        return "\(address) in \(image.path.isEmpty ? executable : image.path)\(id)"
    }

    /// The command that finds the names of the app's calls; nil if the line of one of these calls is already known, or
    /// if no frame belongs to the executable.
    private var command: String? {
        guard !named.calls.values.joined().contains(where: { $0.isOfApp && $0.source.line != nil }) else { return nil }
        let addresses = report.frames.compactMap { frame in
            frame.image.flatMap { report.images[$0].path.isEmpty ? frame.address?.description : nil }
        }
        guard !addresses.isEmpty else { return nil }
        let words = ["llvm-symbolizer", "-e", executable] + addresses.prefix(Self.shownLimit)
        return words.map(ShellWord.quote).joined(separator: " ") + " | swift demangle"
    }

    /// The report as JSON, with the names of the calls in each frame.
    package var document: JSONValue {
        let frames = self.frames
        if let stacks {
            var first = 0
            let threads = stacks.callStacks.map { stack -> JSONValue in
                defer { first += stack.frames.count }
                return .object([
                    "thread": .string(stack.thread),
                    "frames": .array(Array(frames[first..<first + stack.frames.count])),
                ])
            }
            return JSONValue(stacks).adding([
                "callStacks": .array(threads), "problems": problemList, "command": command.map(JSONValue.string),
            ])
        }
        return JSONValue(report).adding([
            "message": message.map(JSONValue.string),
            "frames": .array(frames),
            "problems": problemList,
            "command": command.map(JSONValue.string),
        ])
    }

    private var problemList: JSONValue? { named.problems.isEmpty ? nil : .array(named.problems.map(JSONValue.string)) }

    private var frames: [JSONValue] {
        report.frames.enumerated().map { index, frame in
            JSONValue(frame).adding([
                "calls": named.calls[index].map { calls in
                    .array(
                        calls.map { call in
                            .members([
                                "function": call.source.function.map(JSONValue.string),
                                "file": call.source.file.map(JSONValue.string),
                                "line": call.source.line.map { .int(Int64($0)) },
                                "isOfApp": .bool(call.isOfApp),
                            ])
                        }
                    )
                }
            ])
        }
    }

    /// True if the report is of the threads at a limit of time.
    var isOfThreads: Bool { stacks != nil }
}
