import Foundation
import IntentSharedTypes
import Synchronization

/// The caller's locale.
enum RunLocale {
    private static let identifier = Mutex<String?>(nil)
    /// The language into which the catalogue is being translated.
    @TaskLocal static var ofCatalog: String?

    /// The identifier of the caller's locale; nil if the caller chose no locale. Strings are then shown as in the
    /// source code.
    static var chosen: String? {
        if let ofCatalog { return ofCatalog }
        if let surroundings = RunSurroundings.current { return surroundings.locale }
        return identifier.withLock { $0 }
    }

    static var current: Locale { chosen.map { Locale(identifier: $0) } ?? .current }

    /// Sets the caller's locale. Called once, before the run. An invalid name is ignored.
    static func choose(_ text: String) {
        let bytes = text.utf8
        guard bytes.count <= 64, bytes.allSatisfy({ $0.isASCIILetterOrDigit || "_-.@".utf8.contains($0) }) else {
            return
        }
        // Shorten the value of an environment variable, such as `de_DE.UTF-8@euro`, to `de_DE`.
        let plain = String(Substring(bytes.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "@") }))
        guard !plain.isEmpty, plain != "C", plain != "POSIX" else { return }
        identifier.withLock { $0 = plain }
    }
}
