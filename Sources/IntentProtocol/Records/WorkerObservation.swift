/// A snapshot of a worker's threads, from /proc.
public struct WorkerObservation: Hashable, Sendable, Codable {
    /// The threads that were inspected.
    public var threads: [Thread]
    /// The number of further threads, which were not inspected.
    public var omittedThreadCount: Int

    /// Creates an observation.
    public init(threads: [Thread], omittedThreadCount: Int = 0) {
        self.threads = threads
        self.omittedThreadCount = omittedThreadCount
    }

    /// One thread.
    public struct Thread: Hashable, Sendable, Codable {
        /// The thread's name.
        public var name: String
        /// The state's letter in proc(5): R, S, D and so on.
        public var state: String
        /// The kernel function in which the thread waits; nil when it does not wait, or when the kernel does not report
        /// it.
        public var waitChannel: String?
        /// The processor time that the thread has used.
        @Milliseconds public var processorTime: Duration

        /// Creates a thread.
        public init(name: String, state: String, waitChannel: String?, processorTime: Duration) {
            self.name = name
            self.state = state
            self.waitChannel = waitChannel
            self.processorTime = processorTime
        }

        private enum CodingKeys: String, CodingKey {
            case name, state, waitChannel
            case processorTime = "processorMilliseconds"
        }
    }
}
