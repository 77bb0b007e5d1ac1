internal import IntentLinux

/// The end of a run, with the files in its value and snippet.
public struct RunResult: Hashable, Sendable {
    /// The end of the run: its outcome and the facts that explain it.
    public var end: RunEnd
    /// The files. The value and the snippet refer to them by index.
    public var files: [RunFile]
    /// True when the value contained files that `intentd` no longer keeps. The value is then nil.
    public var hasLostFiles: Bool

    /// Creates a result.
    public init(_ end: RunEnd, files: [RunFile] = [], hasLostFiles: Bool = false) {
        self.end = end
        self.files = files
        self.hasLostFiles = hasLostFiles
    }

    /// The run's identifier.
    public var run: RunID { end.run }
    /// The outcome of the run.
    public var outcome: RunOutcome { end.outcome }
    /// The value that `perform()` returned; nil when the run was not successful or its intent returns no value.
    public var value: IntentValue? {
        if case .done(let value, _) = end.outcome { value } else { nil }
    }

    /// Returns the file with the index of a reference; nil if the index is out of range.
    public func file(_ reference: FileReference) -> RunFile? {
        files.indices.contains(reference.index) ? files[reference.index] : nil
    }
}

extension RunResult {
    /// Creates a result from the received descriptors; nil if the result refers to a file that was not received.
    init?(_ end: RunEnd, received: [SharedFileDescriptor]) {
        var end = end
        let references = end.files
        // If the result refers to files but the frame contains none, intentd no longer keeps the files of this run. A
        // client then shows the names of the snippet's pictures.
        if end.fileCount == 0, !references.isEmpty, case .done(let value, let dialog) = end.outcome {
            let hasLostValue = value?.files.isEmpty == false
            if hasLostValue { end.outcome = .done(value: nil, dialog: dialog) }
            self.init(end, hasLostFiles: hasLostValue)
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
