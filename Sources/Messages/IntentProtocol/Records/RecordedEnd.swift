/// A run's outcome, with the run's progress and account at that time.
public struct RecordedEnd: Hashable, Sendable, Codable {
    /// The run's outcome.
    public var outcome: RunOutcome
    /// The times, signals and leftover processes of the run.
    public var account: RunAccount
    /// The newest progress that the run reported.
    public var progress: ProgressReport?
    /// The time between the last progress report and the end.
    @OptionalMilliseconds public var progressAge: Duration?
    /// The time between the last advance of the progress and the end.
    @OptionalMilliseconds public var advanceAge: Duration?
    /// The time limit that ended the run; nil when the run ended for another reason.
    public var clock: LimitClock?
    /// The serial of the run's `finished` event.
    public var lastSerial: UInt64

    /// Creates a record of a run's end.
    public init(
        outcome: RunOutcome,
        account: RunAccount,
        progress: ProgressReport? = nil,
        progressAge: Duration? = nil,
        advanceAge: Duration? = nil,
        clock: LimitClock? = nil,
        lastSerial: UInt64 = 0
    ) {
        self.outcome = outcome
        self.account = account
        self.progress = progress
        self.progressAge = progressAge
        self.advanceAge = advanceAge
        self.clock = clock
        self.lastSerial = lastSerial
    }

    private enum CodingKeys: String, CodingKey {
        case outcome, account, progress
        case progressAge = "progressAgeMilliseconds"
        case advanceAge = "advanceAgeMilliseconds"
        case clock, lastSerial
    }
}

/// The exit of a run's worker, as the kernel reported it.
public struct WorkerExit: Hashable, Sendable, Codable {
    /// The worker's exit status; nil for a run without a worker, and when the launcher exited together with the worker.
    public var processEnd: ProcessEnd?
    /// The sandbox limit that ended the worker; nil when the worker exceeded no limit.
    public var exceeded: SandboxLimit?
    /// The number of processes that outlived the worker and were killed.
    public var leftoverProcessCount: Int
    /// True when a result arrived after the decision to stop the run.
    public var hadLateResult: Bool
    /// The resources that the run used; nil when the kernel did not report them.
    public var usage: ResourceUsage?

    /// Creates a record of an exit.
    public init(
        processEnd: ProcessEnd? = nil,
        exceeded: SandboxLimit? = nil,
        leftoverProcessCount: Int = 0,
        hadLateResult: Bool = false,
        usage: ResourceUsage? = nil
    ) {
        self.processEnd = processEnd
        self.exceeded = exceeded
        self.leftoverProcessCount = leftoverProcessCount
        self.hadLateResult = hadLateResult
        self.usage = usage
    }
}
