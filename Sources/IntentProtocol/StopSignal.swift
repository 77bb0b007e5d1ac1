/// A signal that ends processes. Its raw value is the kernel's name for it (signal(7)).
public enum StopSignal: String, Hashable, Sendable, Codable {
    /// SIGTERM, which asks the process to exit.
    case terminate = "SIGTERM"
    /// SIGKILL, which ends the process at once.
    case kill = "SIGKILL"
}
