/// The memory and processor time of a run's processes at one moment.
public struct UsageSample: Hashable, Sendable, Codable {
    /// The memory in use, in bytes: the cgroup's charge if a memory controller accounts for the run, otherwise the sum
    /// of the resident sets of its processes.
    public var memoryByteCount: Int64
    /// The processor time that the run has used since its start, in user and kernel mode.
    @Milliseconds public var processorTime: Duration
    /// The number of the run's processes.
    public var processCount: Int

    /// Creates a sample.
    public init(memoryByteCount: Int64, processorTime: Duration, processCount: Int) {
        self.memoryByteCount = memoryByteCount
        self.processorTime = processorTime
        self.processCount = processCount
    }

    private enum CodingKeys: String, CodingKey {
        case memoryByteCount
        case processorTime = "processorMilliseconds"
        case processCount
    }
}
