/// Distinguishes a machine that does not let the daemon run from a daemon that hangs.
///
/// A hung loop uses the processor or sleeps: it waits for neither processor nor memory. A starved loop waits, which its
/// cgroup's pressure stall information shows (PSI, in the kernel's documentation), and still runs now and then. So it
/// reads the pressure some seconds before a watchdog of ten seconds would consider it hung.
package struct StarvationWatch: Sendable {
    /// Shares of the last ten seconds, in percent.
    package struct Pressure: Equatable, Sendable {
        /// Time in which a task waited for the processor (`some` of `cpu.pressure`).
        package var processor: Double
        /// Time in which all tasks waited for memory (`full` of `memory.pressure`).
        package var memory: Double

        package init(processor: Double, memory: Double) {
            self.processor = processor
            self.memory = memory
        }
    }

    package enum Change: Equatable, Sendable {
        /// The watchdog needs a longer timeout from now on.
        case starved
        /// The usual timeout suffices again.
        case relieved
    }

    private static let processorLimit = 40.0
    private static let memoryLimit = 20.0
    /// How long both must stay below half of their limits.
    private static let calm: Duration = .seconds(30)

    package private(set) var isStarved = false
    private var lastHigh: Now.Monotonic?

    package init() {}

    package mutating func saw(_ pressure: Pressure, at now: Now.Monotonic) -> Change? {
        let share = isStarved ? 0.5 : 1
        if pressure.processor >= Self.processorLimit * share || pressure.memory >= Self.memoryLimit * share {
            lastHigh = now
            if isStarved { return nil }
            isStarved = true
            return .starved
        }
        guard isStarved, let lastHigh, now - lastHigh >= Self.calm else { return nil }
        isStarved = false
        return .relieved
    }
}
