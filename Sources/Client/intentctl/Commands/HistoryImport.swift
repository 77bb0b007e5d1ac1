import FoundationEssentials
import IntentLinux

/// Implements `intentctl history --import FILE`, which adds the runs in an exported file to history.
struct HistoryImport {
    let path: String
    let invocation: Invocation

    /// The maximum size of the records in one request, in bytes: half the 1 MiB limit of a message.
    private static let requestByteLimit = 512 << 10
    private static let requestRunLimit = 200

    func perform() async throws -> ExitCode {
        let lines = try read().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let connection = try await invocation.connect()
        var total = ImportReport()
        var stories: [RunStory] = []
        var byteCount = 0
        func send() async throws {
            guard !stories.isEmpty else { return }
            let report = try await connection.importRuns(stories)
            total.runCount += report.runCount
            total.knownCount += report.knownCount
            total.unfinishedCount += report.unfinishedCount
            stories = []
            byteCount = 0
        }
        // The file starts with the newest run. History numbers runs in the order of import, so import the oldest run
        // first.
        for (index, line) in lines.enumerated().reversed() where !line.isEmpty {
            let story: RunStory
            do throws(WireError) {
                story = try Self.story(line)
            } catch {
                throw CommandFailure(
                    .badInput,
                    code: "badRecord",
                    """
                    line \(index + 1) of '\(path)' is not a run record: \(SafeText.line("\(error)")); \
                    runs imported from later lines: \(total.runCount)
                    """,
                    hint: "create the file with 'intentctl history --export records'"
                )
            }
            if byteCount + line.count > Self.requestByteLimit || stories.count == Self.requestRunLimit {
                try await send()
            }
            stories.append(story)
            byteCount += line.count
        }
        try await send()
        return try show(total)
    }

    /// Decodes a line of the file.
    static func story(_ line: Data) throws(WireError) -> RunStory {
        // A request cannot contain a longer line.
        guard line.count <= Frame.clientPayloadLimit else {
            throw .malformed("expected at most \(Frame.clientPayloadLimit) bytes")
        }
        return try WireCoding.decode(RunStory.self, from: [UInt8](line))
    }

    private func read() throws -> Data {
        do {
            return try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
        } catch {
            throw CommandFailure(
                .badInput,
                code: "unreadableFile",
                "cannot read '\(path)'",
                hint: "check the path and its permissions"
            )
        }
    }

    private func show(_ report: ImportReport) throws -> ExitCode {
        try invocation.output(
            json: JSONValue(report),
            text: "imported \(report.runCount) \(report.runCount == 1 ? "run" : "runs"), "
                + "skipped \(report.knownCount) known and \(report.unfinishedCount) unfinished"
        )
        return .done
    }
}
