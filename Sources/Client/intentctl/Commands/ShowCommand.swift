import IntentLinux

/// Implements `intentctl show RUN`, which prints the whole record of a run.
struct ShowCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        let story = try await invocation.connect().story(of: try invocation.run())
        try Pager.output(
            json: RunDocument.of(story),
            text: StoryText.show(story, now: Moment.now),
            for: invocation
        )
        return .done
    }
}

/// Implements `intentctl why RUN`, which explains on one screen how and why a run ended.
struct WhyCommand {
    let invocation: Invocation
    /// The number of output lines to show. With more lines, the explanation would not fit on one screen.
    private static let lineCount = 6

    func perform() async throws -> ExitCode {
        let connection = try await invocation.connect()
        let story = try await connection.story(of: try invocation.run())
        let lines = try await lastLines(of: story, over: connection)
        let steps = try await StepTree.read(story.summary, over: connection).lines
        let crash = await Symbolizer.crash(in: story.runEnd, of: story.summary.app, over: connection)
        var waitsFor: String?
        if story.end == nil {
            waitsFor = try await connection.runs().first { $0.run == story.summary.run }?.waitsFor
        }
        try invocation.output(
            json: RunDocument.of(story).adding([
                "verdict": .string(WhyText.verdict(story, waitsFor: waitsFor)),
                "advice": WhyText.advice(story).map(JSONValue.string),
                "lastLines": .array(lines.map(JSONValue.string)),
                "steps": steps.isEmpty ? nil : .array(steps.map(JSONValue.string)),
                crash?.isOfThreads == true ? "stacks" : "crash": crash?.document,
            ]),
            text: WhyText.of(story, output: lines, steps: steps, crash: crash, waitsFor: waitsFor, now: Moment.now)
        )
        return .done
    }

    private func lastLines(of story: RunStory, over connection: IntentConnection) async throws -> [String] {
        guard story.printedByteCount > 0 else { return [] }
        var lines = WhyLines(count: Self.lineCount)
        var next: Int64? = 0
        while let serial = next {
            let page = try await connection.logs(of: story.summary.run, after: serial)
            for piece in page.pieces {
                for line in piece.text.split(whereScalar: \.isLineBreak) { lines.append(String(line)) }
            }
            next = page.next
        }
        return lines.shown
    }
}

/// Implements `intentctl logs RUN`, which prints the recorded output of a run.
struct LogsCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        let connection = try await invocation.connect()
        let run = try invocation.run()
        let stream = invocation["stream"]
        let isRaw = !Console.outputIsTerminal
        var next: Int64? = 0
        while let serial = next {
            let page = try await connection.logs(of: run, after: serial)
            for piece in page.pieces {
                if piece.followsGap { Console.note("intentctl: \(Self.gap(piece)) of the output was not recorded") }
                // Skip a piece without output, which only reports a gap.
                if piece.text.isEmpty, !invocation.wantsJSON { continue }
                if let stream, stream != piece.stream.rawValue { continue }
                try print(piece, isRaw: isRaw)
            }
            next = page.next
        }
        return .done
    }

    private static func gap(_ piece: LogPiece) -> String {
        piece.leftOutByteCount.map { "a part (\(ByteCountText.of($0)))" } ?? "a part"
    }

    private func print(_ piece: LogPiece, isRaw: Bool) throws(CommandFailure) {
        if invocation.wantsJSON { return try Console.output(JSONValue(piece).text()) }
        // Write the output unchanged to a file, and without control characters to a terminal.
        let text = isRaw ? piece.text : SafeText.printed(piece.text)
        try Console.raw(text.hasSuffix(utf8: "\n") ? text : text + "\n")
    }
}
