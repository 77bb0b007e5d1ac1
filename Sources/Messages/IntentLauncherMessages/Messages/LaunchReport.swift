/// A report from the launcher to `intentd`.
package enum LaunchReport: Hashable, Sendable {
    /// The first report, with the isolation of workers without special grants, and the launcher's pid, which an older
    /// launcher does not report. `problem` says why the launcher cannot make its folders again, which were removed; no run can
    /// begin. Attached are the descriptors of the results folder, and of the launcher's events of files
    /// and its ``SpareFenceLayout`` if it has both.
    case hello(Hello, isolation: Isolation, process: Int32? = nil, problem: String? = nil)
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
    /// The workers of these slots have a sandbox that differs from the host, so no run must begin in them.
    /// Their present runs continue. The path on the host has changed; it is nil if the app's settings have changed.
    case outdated(slots: [SlotID], path: String? = nil)
    /// What intentd-egress reports about a sandbox that the runs in these slots share.
    case hosts(slots: [SlotID], HostEvent)
    /// The credentials of a schedule, by the names that its unit gives them, in response to `openCredentials`. Their open
    /// files are attached. `problem` says why others are missing.
    case credentials(run: RunID, names: [String], problem: String? = nil)
    /// All processes of the slot have exited and have been reaped, and the slot's cgroup is empty.
    case ended(slot: SlotID, SlotEnd)
    /// A slot from an earlier `intentd`, with the same values and descriptors as in `launched`. If all of the slot's
    /// processes have exited, `ended` follows immediately.
    case kept(slot: SlotID, process: Int32, Isolation)
    /// The attached socket buffers a run's files. An earlier `intentd` sent it with `keepInputs`, or this `intentd` sent
    /// `dropInputs` and closes the files.
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
    /// True if the host lacked a resource, such as a free process id, so that a later launch can succeed without a change
    /// of settings; nil instead of false.
    package var isTemporary: Bool?

    package init(message: String, isTemporary: Bool = false) {
        self.message = message
        self.isTemporary = isTemporary.trueOrNil
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
    package static let valueLimit = Int.max

    private enum CodingKeys: CaseName {
        case hello, launched, launchFailed, opened, openFailed, observed, usage, outdated, hosts, credentials,
            ended, kept, keptInputs, adopted
    }

    private enum LaunchedCodingKeys: String, CodingKey { case slot, process, _2 = "isolation" }
    private enum OpenedCodingKeys: String, CodingKey { case slot, writable = "writable?" }
    private enum HostsCodingKeys: String, CodingKey { case slots, _1 = "event" }
    private enum UsageCodingKeys: String, CodingKey { case _0 = "slots" }
    private enum KeptCodingKeys: String, CodingKey { case slot, process, _2 = "isolation" }
}
