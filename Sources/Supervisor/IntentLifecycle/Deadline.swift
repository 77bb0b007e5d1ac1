package import IntentLauncherMessages

/// The instant by which a run must finish. Progress can extend it.
///
/// Instants are CLOCK_MONOTONIC, so time during which the machine sleeps does not count against a run.
package struct Deadline: Equatable, Sendable {
    /// The instant at which the run is cancelled unless it finishes first.
    package private(set) var instant: Now.Monotonic
    /// The maximum time without progress, or the total time of an intent that reports no progress.
    private let limit: Duration
    /// The latest instant to which progress extends the deadline outside `performBackgroundTask`. Time spent inside
    /// `performBackgroundTask` moves the ceiling, up to the long ceiling.
    private var ceiling: Now.Monotonic
    /// The latest instant to which progress ever extends the deadline.
    private var longCeiling: Now.Monotonic
    private var extensionRule: ExtensionRule

    private enum ExtensionRule: Equatable, Sendable {
        /// The intent does not report progress, so the deadline is never extended.
        case fixed
        /// Progress that advances extends the deadline, up to the ceiling.
        case byProgress
        /// Progress inside `performBackgroundTask` extends the deadline, up to the long ceiling.
        case inBackground(since: Now.Monotonic)
    }

    /// Creates the deadline of a run that begins now.
    package init(limits: RunLimits, traits: IntentTraits, at now: Now) {
        limit = limits.runtime
        longCeiling = now.monotonic + max(limits.longCeiling, limits.ceiling)
        if traits.contains(.progressReporting) || traits.contains(.longRunning) {
            ceiling = now.monotonic + limits.ceiling
            extensionRule = .byProgress
        } else {
            ceiling = now.monotonic + limits.runtime
            extensionRule = .fixed
        }
        instant = min(now.monotonic + limits.runtime, ceiling)
    }

    /// Creates the deadline of a run that has returned its result. The remaining time is for copying the result's
    /// files.
    init(after duration: Duration, at now: Now) {
        limit = duration
        instant = now.monotonic + duration
        ceiling = instant
        longCeiling = instant
        extensionRule = .fixed
    }

    /// The deadline as plain integers, for the run's note.
    struct Parts: Equatable {
        /// The encoded rule: 1 for `fixed`, 2 for `byProgress`, 3 for `inBackground`; 0 without a deadline.
        var rule: UInt8 = 0
        // The instants and the limit are in nanoseconds.
        var instant: Int64 = 0
        var ceiling: Int64 = 0
        var longCeiling: Int64 = 0
        var limit: Int64 = 0
        /// The time at which `performBackgroundTask` began.
        var since: Int64 = 0
    }

    var parts: Parts {
        let (rule, since): (UInt8, Int64) =
            switch extensionRule {
            case .fixed: (1, 0)
            case .byProgress: (2, 0)
            case .inBackground(let since): (3, since.nanoseconds)
            }
        return Parts(
            rule: rule,
            instant: instant.nanoseconds,
            ceiling: ceiling.nanoseconds,
            longCeiling: longCeiling.nanoseconds,
            limit: limit.nanoseconds,
            since: since
        )
    }

    /// Restores a deadline from its integers; nil if they are not a valid deadline.
    init?(_ parts: Parts) {
        switch parts.rule {
        case 1: extensionRule = .fixed
        case 2: extensionRule = .byProgress
        case 3: extensionRule = .inBackground(since: Now.Monotonic(nanoseconds: parts.since))
        default: return nil
        }
        instant = Now.Monotonic(nanoseconds: parts.instant)
        ceiling = Now.Monotonic(nanoseconds: parts.ceiling)
        longCeiling = Now.Monotonic(nanoseconds: parts.longCeiling)
        limit = .nanoseconds(parts.limit)
    }

    var isInBackground: Bool { if case .inBackground = extensionRule { true } else { false } }

    /// The limit from which the instant was computed.
    package var clock: LimitClock {
        switch extensionRule {
        case .fixed: .total
        case .byProgress: instant < ceiling ? .silence : ceiling < longCeiling ? .ceiling : .longCeiling
        case .inBackground: instant < longCeiling ? .silence : .longCeiling
        }
    }

    /// Extends the deadline after progress has advanced.
    package mutating func extend(at now: Now) {
        switch extensionRule {
        case .fixed: break
        case .byProgress: instant = max(instant, min(now.monotonic + limit, ceiling))
        case .inBackground: instant = max(instant, min(now.monotonic + limit, longCeiling))
        }
    }

    /// Moves every instant by the time for which the clock was stopped.
    package mutating func resume(after pause: Duration) {
        instant = instant + pause
        ceiling = ceiling + pause
        longCeiling = longCeiling + pause
        if case .inBackground(let since) = extensionRule { extensionRule = .inBackground(since: since + pause) }
    }

    /// Applies the long ceiling when `performBackgroundTask` begins, and the ordinary ceiling again when it ends.
    /// Entering the background task is not progress, so the deadline does not move yet. The time spent in the
    /// background task does not count against the ordinary ceiling.
    mutating func backgroundChanged(_ phase: BackgroundPhase, at now: Now) {
        switch (phase, extensionRule) {
        case (_, .fixed), (.entered, .inBackground), (.left, .byProgress): break
        case (.entered, .byProgress): extensionRule = .inBackground(since: now.monotonic)
        case (.left, .inBackground(let since)):
            ceiling = min(ceiling + (now.monotonic - since), longCeiling)
            extensionRule = .byProgress
            instant = min(instant, ceiling)
        }
    }
}
