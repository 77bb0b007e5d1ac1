/// A signal that ends processes, by its kernel name.
public enum StopSignal: String, Hashable, Sendable, Codable {
    case terminate = "SIGTERM"
    case kill = "SIGKILL"
}
