import Glibc
import IntentLinux

/// Output to the user. Only the table goes to standard output, and everything else to standard error.
enum Console {
    static func say(_ text: String) {
        // A closed standard error must not stop the measurement.
        _ = try? File.write(2, Array("\(text)\n".utf8)[...])
    }

    static func show(_ text: String) {
        _ = try? File.write(1, Array("\(text)\n".utf8)[...])
    }
}
