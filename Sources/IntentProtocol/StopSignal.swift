/// A signal that ends processes, by the kernel's name for it (signal(7)).
public enum StopSignal: String, Hashable, Sendable, Codable {
    /// SIGTERM: asks the process to exit.
    case terminate = "SIGTERM"
    /// SIGKILL: ends the process at once.
    case kill = "SIGKILL"
}
