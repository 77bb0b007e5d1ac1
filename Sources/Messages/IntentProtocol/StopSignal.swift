/// A signal that terminates processes. The raw value is the signal's name in signal(7).
public enum StopSignal: String, Hashable, Sendable, Codable {
    /// SIGTERM, which asks the process to exit.
    case terminate = "SIGTERM"
    /// SIGKILL, which terminates the process immediately.
    case kill = "SIGKILL"
}
