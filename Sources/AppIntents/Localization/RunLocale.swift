import Foundation
import Synchronization

/// The caller's locale.
enum RunLocale {
    private static let identifier = Mutex<String?>(nil)

    /// The identifier of the caller's locale; nil if the caller chose no locale. Strings are then shown as in the
    /// source code.
    static var chosen: String? {
        if let surroundings = RunSurroundings.current { return surroundings.locale }
        return identifier.withLock { $0 }
    }

    static var current: Locale { chosen.map { Locale(identifier: $0) } ?? .current }

    /// Sets the caller's locale. Called once, before the run. An invalid name is ignored.
    static func choose(_ text: String) {
        guard text.count <= 64, text.allSatisfy({ $0.isLetter || $0.isNumber || "_-.@".contains($0) }) else { return }
        // Shorten the value of an environment variable, such as `de_DE.UTF-8@euro`, to `de_DE`.
        let plain = text.prefix { $0 != "." && $0 != "@" }
        guard !plain.isEmpty, plain != "C", plain != "POSIX" else { return }
        identifier.withLock { $0 = String(plain) }
    }
}
