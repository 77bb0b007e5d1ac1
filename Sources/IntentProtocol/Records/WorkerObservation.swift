/// Where a worker's threads were at one moment, as /proc shows them.
public struct WorkerObservation: Hashable, Sendable, Codable {
    public var threads: [Thread]
    /// Those that did not fit in here.
    public var omittedThreadCount: Int

    public init(threads: [Thread], omittedThreadCount: Int = 0) {
        self.threads = threads
        self.omittedThreadCount = omittedThreadCount
    }

    public struct Thread: Hashable, Sendable, Codable {
        public var name: String
        /// The letter of proc(5): R, S, D and so on.
        public var state: String
        /// The kernel function in which it waits; nil where it runs, or the kernel does not tell.
        public var waitChannel: String?
        /// Processor time so far.
        @Milliseconds public var processorTime: Duration

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
