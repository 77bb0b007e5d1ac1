/// A piece of a run's output. It can begin and end in the middle of a line.
public struct RunOutput: Hashable, Sendable {
    /// The stream that the run wrote to.
    public let stream: OutputStream
    /// The text. It comes from the app: remove control characters before you print it on a terminal.
    public let text: String

    init(stream: OutputStream, text: String) {
        self.stream = stream
        self.text = text
    }
}

extension IntentRun {
    /// The progress of the run, beginning with the newest report. Any number of tasks can read it, and a slow reader
    /// receives only the newest progress.
    ///
    /// The sequence ends with the run. If the reading task is cancelled, the sequence ends, and the run continues.
    ///
    /// - Throws: ``IntentClientError`` with the run's identifier when the connection is lost.
    public var progress: some AsyncSequence<ProgressReport, any Error> & Sendable {
        subscription.feed.makeProgressStream()
    }

    /// The output of the run, except the output that a reader of ``events`` has already received. Any number of tasks
    /// can read it.
    ///
    /// The sequence ends with the run. If the reading task is cancelled, the sequence ends, and the run continues. For
    /// a slow reader, only the newest 4096 unread pieces are kept.
    ///
    /// - Throws: ``IntentClientError`` with the run's identifier when the connection is lost.
    public var output: some AsyncSequence<RunOutput, any Error> & Sendable {
        subscription.feed.makeOutputStream()
    }
}

extension RunWatch {
    /// The progress of the run, beginning with the newest report. See ``IntentRun/progress``.
    public var progress: some AsyncSequence<ProgressReport, any Error> & Sendable {
        subscription.feed.makeProgressStream()
    }

    /// The output of the run from the start of the watch. See ``IntentRun/output``.
    public var output: some AsyncSequence<RunOutput, any Error> & Sendable {
        subscription.feed.makeOutputStream()
    }
}
