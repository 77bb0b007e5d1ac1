import IntentWire
import Synchronization

/// What this process's run has donated: told with its end, so that the history has it.
enum DonationJournal {
    /// More than a run has reason to donate; what comes after is not told.
    private static let limit = 32

    private static let donated = Mutex<[IntentReference]>([])

    static func note(_ intent: any AppIntent) {
        let reference = IntentReference(
            intent: type(of: intent).persistentIdentifier,
            values: ShortcutInspection.values(of: intent)
        )
        donated.withLock { if $0.count < limit { $0.append(reference) } }
    }

    /// Nil when there is nothing.
    static func take() -> [IntentReference]? {
        let taken = donated.withLock { list in
            defer { list = [] }
            return list
        }
        return taken.isEmpty ? nil : taken
    }
}
