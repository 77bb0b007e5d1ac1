internal import IntentWire

/// A run that has not ended.
public struct LiveRun: Hashable, Sendable {
    public var run: String
    public var app: String
    public var intent: String
    public var phase: RunPhase
    /// Since it was accepted.
    public var age: Duration
    /// Until its clock ends it, unless progress advances; nil while no clock of its own runs.
    public var remaining: Duration?
    public var progress: RunProgress?
    /// Why it is stopping.
    public var reason: StopReason?
    /// A debugger holds its worker, and its clocks stand still.
    public var isHeld: Bool
    /// What it does, as a sentence with its values; nil when the intent has none.
    public var title: String?

    /// What it asks, while it waits for an answer: the beginning of a long text.
    public var asks: String?
    /// Whose run it is, where it is not the caller's own, who may answer its question.
    public var user: UInt32?

    /// Makes a description.
    public init(
        run: String,
        app: String,
        intent: String,
        phase: RunPhase,
        age: Duration,
        remaining: Duration? = nil,
        progress: RunProgress? = nil,
        reason: StopReason? = nil,
        isHeld: Bool = false
    ) {
        self.run = run
        self.app = app
        self.intent = intent
        self.phase = phase
        self.age = age
        self.remaining = remaining
        self.progress = progress
        self.reason = reason
        self.isHeld = isHeld
    }
}

extension LiveRun {
    init(_ run: RunDescription) {
        self.init(
            run: run.run.text,
            app: run.app,
            intent: run.intent,
            phase: RunPhase(run.state),
            age: run.age,
            remaining: run.remaining,
            progress: run.progress.map(RunProgress.init),
            reason: run.reason.map(StopReason.init),
            isHeld: run.isHeld ?? false
        )
        title = run.title
        asks = run.asks
        user = run.user
    }
}

extension RunPhase {
    init(_ state: RunState) {
        self =
            switch state {
            case .queued: .queued
            case .starting: .starting
            case .running: .running
            case .asking: .asking
            case .stopping: .stopping
            }
    }
}
