import Foundation
import Synchronization

/// The locale of the one who asked for this process's run.
enum RunLocale {
    private static let identifier = Mutex<String?>(nil)

    /// Nil: nobody said one, and texts are as the source gives them.
    static var chosen: String? { identifier.withLock { $0 } }

    static var current: Locale { chosen.map { Locale(identifier: $0) } ?? .current }

    /// Once, before the run: a word that is no locale's is as good as none.
    static func choose(_ text: String) {
        guard text.count <= 64, text.allSatisfy({ $0.isLetter || $0.isNumber || "_-.@".contains($0) }) else { return }
        // `de_DE.UTF-8@euro` of the environment is `de_DE`.
        let plain = text.prefix { $0 != "." && $0 != "@" }
        guard !plain.isEmpty, plain != "C", plain != "POSIX" else { return }
        identifier.withLock { $0 = String(plain) }
    }
}
