import Glibc
import IntentLinux

/// What a person at the terminal sees meanwhile: everything but the table goes to standard error.
enum Console {
    static func say(_ text: String) {
        // Nobody who reads is a reason to go on.
        _ = try? File.write(2, Array("\(text)\n".utf8)[...])
    }

    static func show(_ text: String) {
        _ = try? File.write(1, Array("\(text)\n".utf8)[...])
    }
}
