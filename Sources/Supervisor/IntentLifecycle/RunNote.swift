package import IntentLauncherMessages

/// The state of a run, encoded in a few bytes that outlive `intentd`, so that the next `intentd` can adopt the run.
///
/// A note is written before the actions that depend on it are performed. Its instants are absolute times of the
/// kernel's clocks.
package struct RunNote: Equatable, Sendable {
    package enum Phase: UInt8, Sendable, CaseIterable {
        case starting = 1
        case running
        case asking
        /// The result has arrived, but its record may not be written yet.
        case finishing
        case grace
        case terminating
        case killing
    }

    package var run: RunID
    package var slot: SlotID
    package var phase: Phase
    /// The instant for which the run's timer is armed.
    package var timer: Now.Instant?
    package var processStart: Now.Monotonic?
    package var lastAdvance: Now.Monotonic?
    /// The deadline of a run that is running or asking.
    package var deadline: Deadline?
    package var mark = ProgressMark()
    /// The number of the newest question, open or closed. Questions are numbered from 1.
    package var question: UInt64?
    /// True if a user has declined one of the run's confirmations, and no outcome has been decided yet.
    package var isDeclined = false
    /// The instant at which the question stopped the run's clock.
    package var questionSince: Now.Monotonic?
    /// The decided outcome of a run that must end.
    package var outcome: RunOutcome?
    package var expiredClock: LimitClock?
    /// The number of times that another `intentd` has adopted the run.
    package var adoptionCount: UInt32 = 0
    /// The number of consecutive times that `intentd` exited while adopting the run. A crash that `intentd` itself
    /// caused adds ``faultWeight``.
    package var failedAdoptions: UInt8 = 0

    /// The amount that a crash caused by `intentd` itself adds to ``failedAdoptions``.
    package static let faultWeight: UInt8 = 5

    package init(run: RunID, slot: SlotID, phase: Phase) {
        self.run = run
        self.slot = slot
        self.phase = phase
    }
}

// MARK: Bytes

extension RunNote {
    /// The maximum size of a note, in bytes.
    package static let byteLimit = 248

    private static let version: UInt8 = 1
    /// The maximum length of an outcome's message, in bytes.
    private static let textLimit = 104

    /// The encoded note: fixed offsets, little-endian. A missing instant is encoded as `Int64.min`, and a missing
    /// question as 0.
    package var bytes: [UInt8] {
        var writer = NoteWriter(capacity: Self.byteLimit)
        let (kind, reason, text) = Self.code(of: outcome, isDeclined: isDeclined)
        writer.put(Self.version)
        writer.put(phase.rawValue)
        writer.put(kind)
        writer.put(reason)
        writer.put(expiredClock.flatMap(Self.clocks.firstIndex(of:)).map { UInt8($0 + 1) } ?? 0)
        writer.put(failedAdoptions)
        switch timer {
        case nil:
            writer.put(UInt8(0))
            writer.put(Int64.min)
        case .monotonic(let instant):
            writer.put(UInt8(1))
            writer.put(instant.nanoseconds)
        case .boottime(let instant):
            writer.put(UInt8(2))
            writer.put(instant.nanoseconds)
        }
        writer.put(slot.number)
        writer.put(run.text.utf8)
        writer.put(processStart?.nanoseconds ?? .min)
        writer.put(lastAdvance?.nanoseconds ?? .min)
        writer.put(questionSince?.nanoseconds ?? .min)
        writer.put(question ?? 0)
        writer.put(mark.completedUnitCount)
        writer.put(mark.fraction.bitPattern)
        writer.put(adoptionCount)
        let clock = deadline?.parts ?? Deadline.Parts()
        writer.put(clock.rule)
        writer.put(clock.instant)
        writer.put(clock.ceiling)
        writer.put(clock.longCeiling)
        writer.put(clock.limit)
        writer.put(clock.since)
        writer.put(UInt8(text.count))
        writer.put(text)
        return writer.bytes
    }

    /// Decodes a note; nil if the bytes are not a note of this version.
    package init?(bytes: [UInt8]) {
        var reader = NoteReader(bytes)
        guard reader.byte() == Self.version, let phase = reader.byte().flatMap(Phase.init) else { return nil }
        guard let kind = reader.byte(), let reason = reader.byte(), let clock = reader.byte(),
            let failedAdoptions = reader.byte(), let timerClock = reader.byte(), let timer = reader.number(),
            let slot = reader.number(), let run = reader.text(10).flatMap({ RunID($0) }),
            let processStart = reader.number(), let lastAdvance = reader.number(), let since = reader.number(),
            let question = reader.number(), let completed = reader.number(), let fraction = reader.number(),
            let adoptionCount = reader.shortNumber(), let rule = reader.byte(), let end = reader.number(),
            let ceiling = reader.number(), let longCeiling = reader.number(), let limit = reader.number(),
            let backgroundSince = reader.number()
        else { return nil }
        guard let textCount = reader.byte(), let text = reader.text(Int(textCount)) else { return nil }
        func instant(_ nanoseconds: Int64) -> Now.Monotonic? {
            nanoseconds == .min ? nil : Now.Monotonic(nanoseconds: nanoseconds)
        }
        self.init(run: run, slot: SlotID(number: UInt64(bitPattern: slot)), phase: phase)
        switch timerClock {
        case 1: self.timer = .monotonic(Now.Monotonic(nanoseconds: timer))
        case 2: self.timer = .boottime(Now.Boottime(nanoseconds: timer))
        default: break
        }
        self.processStart = instant(processStart)
        self.lastAdvance = instant(lastAdvance)
        questionSince = instant(since)
        self.question = question == 0 ? nil : UInt64(bitPattern: question)
        mark = ProgressMark(
            completedUnitCount: completed,
            fraction: Double(bitPattern: UInt64(bitPattern: fraction))
        )
        self.adoptionCount = adoptionCount
        self.failedAdoptions = failedAdoptions
        expiredClock = clock == 0 ? nil : Self.clocks.dropFirst(Int(clock) - 1).first
        deadline = Deadline(
            Deadline.Parts(
                rule: rule,
                instant: end,
                ceiling: ceiling,
                longCeiling: longCeiling,
                limit: limit,
                since: backgroundSince
            )
        )
        outcome = Self.outcome(kind, reason, text)
        isDeclined = kind == Self.declinedKind
    }

    // MARK: Private

    private static let clocks: [LimitClock] = [.queue, .start, .total, .silence, .ceiling, .longCeiling, .question]
    /// The kind that is encoded for a run without a decided outcome if a user has declined a confirmation.
    private static let declinedKind: UInt8 = 7

    /// Encodes a decided outcome of a run that has not ended, as two bytes and a string.
    private static func code(
        of outcome: RunOutcome?,
        isDeclined: Bool
    ) -> (kind: UInt8, reason: UInt8, text: [UInt8]) {
        func cut(_ text: String) -> [UInt8] { Array(text.prefix(utf8: textLimit).utf8) }
        return switch outcome {
        case nil: (isDeclined ? declinedKind : 0, 0, [])
        case .cancelled(let reason):
            CancellationReason.known.firstIndex(of: reason).map { (1, UInt8($0), []) } ?? (1, .max, cut(reason.name))
        case .unanswered(_, let question): (2, 0, cut(question))
        case .violated(let message): (3, 0, cut(message))
        case .notStarted(let message): (4, 0, cut(message))
        case .lost(let message): (5, 0, cut(message))
        case .failed(let message), .busy(let message), .hostLost(let message), .unknown(_, let message):
            (6, 0, cut(message))
        case .done, .crashed, .exceeded: (0, 0, [])
        }
    }

    private static func outcome(_ kind: UInt8, _ reason: UInt8, _ text: String) -> RunOutcome? {
        switch kind {
        case 1: .cancelled(CancellationReason.known.dropFirst(Int(reason)).first ?? .unknown(text))
        case 2: .unanswered(parameter: nil, question: text)
        case 3: .violated(message: text)
        case 4: .notStarted(message: text)
        case 5: .lost(message: text)
        case 6: .failed(message: text)
        default: nil
        }
    }
}

private struct NoteWriter {
    var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func put(_ byte: UInt8) { bytes.append(byte) }
    mutating func put(_ text: some Sequence<UInt8>) { bytes.append(contentsOf: text) }
    mutating func put(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

private struct NoteReader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    mutating func byte() -> UInt8? { bytes.popFirst() }

    mutating func number() -> Int64? { read(8).map { $0.reversed().reduce(0) { $0 << 8 | Int64($1) } } }

    mutating func shortNumber() -> UInt32? { read(4).map { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } } }

    mutating func text(_ count: Int) -> String? { read(count).map { String(foreign: $0) } }

    private mutating func read(_ count: Int) -> ArraySlice<UInt8>? {
        guard bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }
}
