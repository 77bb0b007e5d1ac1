/// Where a worker's threads were when its run reached a limit of time.
///
/// The report is untrusted, because it comes from a process that executes an app's code.
public struct StackReport: Hashable, Sendable, Codable {
    /// The call stacks of the threads, except the thread that made the report.
    public var callStacks: [CallStack]
    /// The executable and the libraries that the frames refer to.
    public var images: [CrashReport.Image]

    /// Creates a report.
    public init(callStacks: [CallStack], images: [CrashReport.Image]) {
        self.callStacks = callStacks
        self.images = images
    }

    /// The calls of one thread.
    public struct CallStack: Hashable, Sendable, Codable {
        /// The frames, with the innermost frame first.
        public var frames: [CrashReport.Frame]
        /// The thread's name.
        public var thread: String

        /// Creates a call stack.
        public init(frames: [CrashReport.Frame], thread: String) {
            self.frames = frames
            self.thread = thread
        }
    }
}

extension StackReport {
    /// The maximum number of threads.
    private static let threadLimit = 16
    /// The maximum number of frames of a thread.
    private static let frameLimit = 24

    /// The reason why the report is invalid; nil if it is valid.
    package var problem: String? {
        guard callStacks.count <= Self.threadLimit, callStacks.allSatisfy({ $0.frames.count <= Self.frameLimit }) else {
            return "expected at most \(Self.threadLimit) threads with \(Self.frameLimit) frames each"
        }
        return CrashReport.problem(callStacks.flatMap(\.frames), images, texts: callStacks.map(\.thread))
    }
}
