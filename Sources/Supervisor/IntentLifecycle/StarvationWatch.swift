/// A watch that distinguishes a starved machine from a hung daemon.
///
/// A hung event loop uses the processor or sleeps, but does not wait for processor time or memory. A starved event loop
/// waits for them, as the pressure stall information of its cgroup shows (PSI, in the kernel's documentation), and
/// still runs from time to time. It can therefore read the pressure a few seconds before a ten-second watchdog
/// considers it hung.
package struct StarvationWatch: Sendable {
    /// The pressure during the last ten seconds, as percentages of that time.
    package struct Pressure: Equatable, Sendable {
        /// The share of time in which at least one task waited for the processor (`some` in `cpu.pressure`).
        package var processor: Double
        /// The share of time in which all tasks waited for memory (`full` in `memory.pressure`).
        package var memory: Double

        package init(processor: Double, memory: Double) {
            self.processor = processor
            self.memory = memory
        }
    }

    package enum Change: Equatable, Sendable {
        /// The machine is starved, so the watchdog needs a longer timeout.
        case starved
        /// The machine is no longer starved, so the usual timeout suffices.
        case relieved
    }

    private static let processorLimit = 40.0
    private static let memoryLimit = 20.0
    /// The time for which both percentages must stay below half of their limits before the machine is considered
    /// relieved.
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
