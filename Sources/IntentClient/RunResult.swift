internal import IntentLinux
public import IntentProtocol

/// The end of a run, with the files of its value.
public struct RunResult: Hashable, Sendable {
    /// What came of the run, and what it took.
    public var end: RunEnd
    /// The files of the value, at the indices that the value names.
    public var files: [RunFile]
    /// The value had files that went to the clients that followed the run to its end, and are not kept: the value is
    /// missing.
    public var hasLostFiles: Bool

    /// Makes a result.
    public init(_ end: RunEnd, files: [RunFile] = [], hasLostFiles: Bool = false) {
        self.end = end
        self.files = files
        self.hasLostFiles = hasLostFiles
    }

    /// The run's identifier.
    public var run: RunID { end.run }
    /// How the run ended.
    public var outcome: RunOutcome { end.outcome }
    /// The value that `perform()` returned.
    public var value: IntentValue? {
        if case .done(let value, _) = end.outcome { value } else { nil }
    }

    /// The open file that a value names.
    public func file(_ reference: FileReference) -> RunFile? {
        files.indices.contains(reference.index) ? files[reference.index] : nil
    }
}

extension RunResult {
    /// Nil when the value names a file that did not come.
    init?(_ end: RunEnd, received: [SharedFileDescriptor]) {
        var end = end
        let references = if case .done(let value?, _) = end.outcome { value.files } else { [FileReference]() }
        // A frame without files whose value names some is about a run that ended earlier.
        if end.fileCount == 0, !references.isEmpty, case .done(_, let dialog) = end.outcome {
            end.outcome = .done(value: nil, dialog: dialog)
            self.init(end, hasLostFiles: true)
            return
        }
        guard references.allSatisfy({ received.indices.contains($0.index) }) else { return nil }
        let byIndex = Dictionary(references.map { ($0.index, $0) }) { first, _ in first }
        let files = received.enumerated().map { index, descriptor in
            RunFile(
                name: byIndex[index]?.name ?? "file",
                contentType: byIndex[index]?.contentType,
                shared: descriptor
            )
        }
        self.init(end, files: files)
    }
}
