/// A snapshot of a worker's threads, from /proc.
public struct WorkerObservation: Hashable, Sendable, Codable {
    /// The threads that were inspected.
    public var threads: [Thread]
    /// The number of additional threads that were not inspected.
    public var omittedThreadCount: Int

    /// Creates an observation.
    public init(threads: [Thread], omittedThreadCount: Int = 0) {
        self.threads = threads
        self.omittedThreadCount = omittedThreadCount
    }

    /// One thread of a worker.
    public struct Thread: Hashable, Sendable, Codable {
        /// The thread's name.
        public var name: String
        /// The letter of the thread's state, as in proc(5): R, S, D and so on.
        public var state: String
        /// The kernel function in which the thread is waiting; nil when it is not waiting or the kernel does not report
        /// the function.
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
