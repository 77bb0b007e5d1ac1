package import IntentProtocol

/// A report from the launcher to `intentd`.
package enum LaunchReport: Hashable, Sendable {
    /// The first report, with the isolation of workers without special grants, and the launcher's pid, which an older
    /// launcher does not report. The descriptor of the results folder is attached.
    case hello(Hello, isolation: Isolation, process: Int32? = nil)
    /// A worker with this pid and isolation has started. Three descriptors are attached: the worker's socket, standard
    /// output and standard error.
    case launched(slot: SlotID, process: Int32, Isolation)
    case launchFailed(slot: SlotID, LaunchFailure)
    /// Result files were opened. Their descriptors are attached in the order of the paths, except for kept files.
    /// `writable` contains the indices of files that a process may still write to.
    case opened(slot: SlotID, writable: [Int] = [])
    case openFailed(slot: SlotID, message: String)
    /// The current threads of a slot's worker, in response to `observe`.
    case observed(slot: SlotID, WorkerObservation)
    /// The samples of the slots that were due, in response to `measure`.
    case usage([SlotUsage])
    /// All processes of the slot have exited and have been reaped, and the slot's cgroup is empty.
    case ended(slot: SlotID, SlotEnd)
    /// A slot of an earlier `intentd`, with the same values and descriptors as in `launched`. If all processes of the
    /// slot have exited, `ended` follows immediately.
    case kept(slot: SlotID, process: Int32, Isolation)
    /// The attached socket buffers the files of a run. An earlier `intentd` sent it with `keepInputs`.
    case keptInputs(run: RunID)
    /// All slots have been reported. The memfd that an earlier `intentd` sent with `keepNotes` is attached, if any.
    case adopted(Adopted)
}

/// The launcher's report to a new supervisor about the earlier supervisors.
package struct Adopted: Hashable, Sendable, Codable {
    /// The highest slot number that the launcher has received so far.
    package var lastSlot: UInt64
    /// The time at which the connection to the previous `intentd` was lost, in nanoseconds of CLOCK_MONOTONIC; nil when
    /// there was no previous `intentd`.
    package var lostNanoseconds: Int64?

    package init(lastSlot: UInt64, lostNanoseconds: Int64? = nil) {
        self.lastSlot = lastSlot
        self.lostNanoseconds = lostNanoseconds
    }
}

/// The memory and processor time of one slot.
package struct SlotUsage: Hashable, Sendable, Codable {
    package var slot: SlotID
    package var sample: UsageSample

    package init(slot: SlotID, sample: UsageSample) {
        self.slot = slot
        self.sample = sample
    }
}

/// The reason why a worker could not be started.
package struct LaunchFailure: Hashable, Sendable, Codable {
    /// The error message: what failed, why, and the next step.
    package var message: String

    package init(message: String) {
        self.message = message
    }
}

/// The exit of a slot's processes, as the kernel reported it.
package struct SlotEnd: Hashable, Sendable, Codable {
    package var processEnd: ProcessEnd
    /// The number of processes that outlived the worker and were killed.
    package var leftoverProcessCount: Int
    /// The sandbox limit that ended the worker; nil when the worker exceeded no limit.
    package var exceeded: SandboxLimit?
    /// The resources that the worker used; nil when the kernel did not report them.
    package var usage: ResourceUsage?

    package init(
        processEnd: ProcessEnd,
        leftoverProcessCount: Int = 0,
        exceeded: SandboxLimit? = nil,
        usage: ResourceUsage? = nil
    ) {
        self.processEnd = processEnd
        self.leftoverProcessCount = leftoverProcessCount
        self.exceeded = exceeded
        self.usage = usage
    }
}

extension LaunchReport: Codable {
    private enum Kind: String {
        case hello, launched, launchFailed, opened, openFailed, observed, usage, ended, kept, keptInputs, adopted
    }
    private struct Inputs: Codable { var run: RunID }
    private struct Slot: Codable { var slot: SlotID }
    private struct Usage: Codable { var slots: [SlotUsage] }
    private struct Opened: Codable {
        var slot: SlotID
        /// The indices of writable files; nil when no file is writable.
        var writable: [Int]?
    }
    private struct Launched: Codable {
        var slot: SlotID
        var process: Int32
        var isolation: Isolation
    }
    private struct Hosting: Codable {
        var isolation: Isolation
        var process: Int32?
    }
    private struct Failure: Codable {
        var slot: SlotID
        var message: String
    }

    package init(from decoder: any Decoder) throws {
        switch try decoder.messageKind(Kind.self) {
        case .hello:
            let fields = try Hosting(from: decoder)
            self = .hello(try Hello(from: decoder), isolation: fields.isolation, process: fields.process)
        case .launched:
            let fields = try Launched(from: decoder)
            self = .launched(slot: fields.slot, process: fields.process, fields.isolation)
        case .launchFailed:
            self = .launchFailed(slot: try Slot(from: decoder).slot, try LaunchFailure(from: decoder))
        case .opened:
            let fields = try Opened(from: decoder)
            self = .opened(slot: fields.slot, writable: fields.writable ?? [])
        case .openFailed:
            let fields = try Failure(from: decoder)
            self = .openFailed(slot: fields.slot, message: fields.message)
        case .observed: self = .observed(slot: try Slot(from: decoder).slot, try WorkerObservation(from: decoder))
        case .usage: self = .usage(try Usage(from: decoder).slots)
        case .kept:
            let fields = try Launched(from: decoder)
            self = .kept(slot: fields.slot, process: fields.process, fields.isolation)
        case .keptInputs: self = .keptInputs(run: try Inputs(from: decoder).run)
        case .adopted: self = .adopted(try Adopted(from: decoder))
        case .ended: self = .ended(slot: try Slot(from: decoder).slot, try SlotEnd(from: decoder))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .hello(let hello, let isolation, let process):
            try encoder.encodeMessage(Kind.hello, hello)
            try Hosting(isolation: isolation, process: process).encode(to: encoder)
        case .launched(let slot, let process, let isolation):
            try encoder.encodeMessage(
                Kind.launched,
                Launched(slot: slot, process: process, isolation: isolation)
            )
        case .launchFailed(let slot, let failure):
            try encoder.encodeMessage(Kind.launchFailed, Slot(slot: slot))
            try failure.encode(to: encoder)
        case .opened(let slot, let writable):
            try encoder.encodeMessage(Kind.opened, Opened(slot: slot, writable: writable.isEmpty ? nil : writable))
        case .openFailed(let slot, let message):
            try encoder.encodeMessage(Kind.openFailed, Failure(slot: slot, message: message))
        case .observed(let slot, let seen):
            try encoder.encodeMessage(Kind.observed, Slot(slot: slot))
            try seen.encode(to: encoder)
        case .usage(let slots): try encoder.encodeMessage(Kind.usage, Usage(slots: slots))
        case .kept(let slot, let process, let isolation):
            try encoder.encodeMessage(Kind.kept, Launched(slot: slot, process: process, isolation: isolation))
        case .keptInputs(let run): try encoder.encodeMessage(Kind.keptInputs, Inputs(run: run))
        case .adopted(let adopted): try encoder.encodeMessage(Kind.adopted, adopted)
        case .ended(let slot, let end):
            try encoder.encodeMessage(Kind.ended, Slot(slot: slot))
            try end.encode(to: encoder)
        }
    }
}
