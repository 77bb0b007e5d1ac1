internal import IntentLinux
public import IntentProtocol

/// The end of a run, with the files of its value.
public struct RunResult: Hashable, Sendable {
    /// The outcome, and how the run ended.
    public var end: RunEnd
    /// The files of the value, at the indices that the value refers to.
    public var files: [RunFile]
    /// True when the value had files that are no longer kept. The value is then missing.
    public var hasLostFiles: Bool

    /// Creates a result.
    public init(_ end: RunEnd, files: [RunFile] = [], hasLostFiles: Bool = false) {
        self.end = end
        self.files = files
        self.hasLostFiles = hasLostFiles
    }

    /// The run's identifier.
    public var run: RunID { end.run }
    /// How the run ended.
    public var outcome: RunOutcome { end.outcome }
    /// The value that `perform()` returned; nil when the run is not done, or its intent returns none.
    public var value: IntentValue? {
        if case .done(let value, _) = end.outcome { value } else { nil }
    }

    /// The open file that a value refers to; nil when the index has no file.
    public func file(_ reference: FileReference) -> RunFile? {
        files.indices.contains(reference.index) ? files[reference.index] : nil
    }
}

extension RunResult {
    /// Nil when the value refers to a file that was not received.
    init?(_ end: RunEnd, received: [SharedFileDescriptor]) {
        var end = end
        let references = if case .done(let value?, _) = end.outcome { value.files } else { [FileReference]() }
        // A value with files in a frame without files belongs to a run that ended earlier.
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
