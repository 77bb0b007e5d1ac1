import Glibc
import IntentLauncherMessages
import IntentLinux

/// What texts that Swift's own string functions are slow on cost intentd, compared with ASCII of that length, and how long
/// another client waits meanwhile.
enum TextFigures {
    /// The kinds of text.
    enum Kind: String, CaseIterable {
        case ascii = "ASCII"
        /// One letter with all other scalars as its combining marks, in an order that normalization changes.
        case marks = "combining marks"
        /// The most that stream-safe text may have: letters with 30 combining marks each.
        case manyMarks = "30 combining marks a letter"
        /// Flags. Where one ends is known only from the start of the text.
        case flags = "flags"

        func text(byteCount: Int) -> String {
            switch self {
            case .ascii: String(repeating: "a", count: byteCount)
            case .marks: "a" + String(repeating: "\u{301}\u{323}", count: (byteCount - 1) / 4)
            case .manyMarks:
                String(
                    repeating: "a" + String(repeating: "\u{301}\u{323}", count: StreamSafeText.markLimit / 2),
                    count: byteCount / 61
                )
            case .flags: String(repeating: "\u{1F1E9}\u{1F1EA}", count: byteCount / 8)
            }
        }
    }

    /// A place for text in a client's frame.
    private enum Place: String, CaseIterable {
        case firstFrame = "first frame, a field's name"
        case names = "request, names of parameters of 1 kB"
        case type = "request, its type"
        case value = "request, a value"

        func json(_ kind: Kind, byteCount: Int) -> String {
            let text = kind.text(byteCount: byteCount)
            switch self {
            case .firstFrame: return #"{"id":1,"protocolVersion":1,"software":"x","type":"hello","\#(text)":1}"#
            case .names:
                // As many names of the kind as are accepted, then ASCII. A count in front makes each name different.
                let names = (0..<byteCount / 1000).map { index in
                    let isAccepted = index < PayloadShape.foreignKeyByteLimit / 1024
                    return #""\#(index)\#((isAccepted ? kind : .ascii).text(byteCount: 1000))":1"#
                }
                return """
                    {"app":"Plain","id":2,"intent":"Echo","request":"\(RequestID().text)","type":"perform",\
                    "values":{\(names.joined(separator: ","))}}
                    """
            case .type: return #"{"id":2,"type":"\#(text)"}"#
            case .value:
                return """
                    {"app":"Plain","files":0,"id":2,"intent":"Echo","request":"\(RequestID().text)","type":"perform",\
                    "values":{"text":"\(text)"}}
                    """
            }
        }
    }

    static func measure(_ workbench: Workbench) throws -> [Figure] {
        let daemon = try BenchmarkDaemon(workbench.programs, apps: [.plain])
        let other = try daemon.connect()
        var waits = Samples()
        var figures: [Figure] = []
        for place in Place.allCases {
            // A value that is larger than a worker's record is passed as a file.
            for byteCount in place == .value ? [100_000] : [100_000, 1_000_000] {
                figures += try compare(place.rawValue, byteCount: byteCount, workbench.options) { kind in
                    let frame = try Frame.encode(
                        Array(place.json(kind, byteCount: byteCount).utf8),
                        limit: Frame.clientPayloadLimit
                    )
                    let before = try processorTime(of: daemon.number)
                    waits.append(
                        nanoseconds: try exchange(frame, isFirst: place == .firstFrame, daemon.socket, beside: other)
                    )
                    return try processorTime(of: daemon.number) - before
                }
            }
        }
        figures.append(Figure("text", "another client's request meanwhile", .milliseconds, waits))
        return figures + (try printed(on: daemon, options: workbench.options)) + (try entries(workbench, daemon))
    }

    /// Measures what a text of each kind costs, and sets the goal of 10 ms for 100 kB.
    static func compare(
        _ place: String,
        byteCount: Int,
        _ options: BenchmarkOptions,
        spend: (Kind) throws -> Int64
    ) rethrows -> [Figure] {
        var spent = [Kind: Samples]()
        for _ in 0..<options.count(5, quick: 3) {
            for kind in Kind.allCases { spent[kind, default: Samples()].append(nanoseconds: try spend(kind)) }
        }
        let ascii = Comparison("ASCII", spent[.ascii] ?? Samples())
        return Kind.allCases.dropFirst().map { kind in
            Figure(
                "text",
                "\(place), \(byteCount / 1000) kB of \(kind.rawValue)",
                .milliseconds,
                spent[kind] ?? Samples(),
                goals: [.atMost(.p50, Double(byteCount) / 10_000)]
            ).beside(peers: [ascii])
        }
    }

    /// A run that prints text on standard error, in lines of 10 kB.
    private static func printed(on daemon: BenchmarkDaemon, options: BenchmarkOptions) throws -> [Figure] {
        let connection = try daemon.connect()
        var spent = [Kind: Samples]()
        for _ in 0..<options.count(5, quick: 3) {
            for kind in Kind.allCases {
                let line = kind.text(byteCount: 10_000)
                var request = try PreparedPerform(
                    app: "Plain",
                    intent: "PrintLines",
                    values: ["line": .string(line), "count": .int(100)]
                )
                let before = try processorTime(of: daemon.number)
                _ = try? connection.perform(&request)
                spent[kind, default: Samples()].append(nanoseconds: try processorTime(of: daemon.number) - before)
            }
        }
        let ascii = Comparison("ASCII", spent[.ascii] ?? Samples())
        return [Kind.manyMarks, .flags].map { kind in
            Figure("text", "a run that prints 1 MB of \(kind.rawValue)", .milliseconds, spent[kind] ?? Samples())
                .beside(peers: [ascii])
        }
    }

    /// Sends a frame on a new connection and a request on another one. Returns how long the other client waited for its
    /// answer, after the frame was answered or its connection was closed.
    static func exchange(
        _ frame: [UInt8],
        isFirst: Bool,
        _ path: String,
        beside other: DaemonConnection
    ) throws -> Int64 {
        let socket = try UnixSocket.connect(.stream, to: path)
        if !isFirst {
            let hello = Array(#"{"id":1,"protocolVersion":1,"software":"x","type":"hello"}"#.utf8)
            try File.write(socket.rawValue, try Frame.encode(hello, limit: Frame.clientPayloadLimit)[...])
            _ = try File.read(socket.rawValue, upTo: 64 << 10)
        }
        try File.write(socket.rawValue, frame[...])
        let begin = ClockReading.monotonicNanoseconds()
        _ = try other.ask(.list)
        let wait = ClockReading.monotonicNanoseconds() - begin
        // A run is answered with several messages, of which the end is the last.
        while let bytes = try File.read(socket.rawValue, upTo: 1 << 20), !bytes.isEmpty {
            let text = String(foreign: bytes)
            if [#""finished""#, #""error""#, #""type":"hello""#, #""apps""#].contains(where: { text.contains(utf8: $0) }
            ) {
                break
            }
        }
        return wait
    }

    static func processorTime(of process: Int32) throws -> Int64 {
        guard let time = ProcessTable.processorNanoseconds(of: process) else {
            throw BenchmarkError("cannot read the processor time of the process \(process)")
        }
        return time
    }
}
