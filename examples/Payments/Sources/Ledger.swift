import AppIntents

/// The ledger, with its entries in order. It prints each change, so that the run's log shows it.
actor Ledger {
    enum Closing: String {
        case sent
        case cancelled
        case rolledBack = "rolled back"
    }

    private var entries: [String] = []
    private var lineCount = 0
    private var isOpen = true

    func book(_ entry: String) throws {
        guard isOpen else { throw PaymentError.ledgerClosed }
        entries.append(entry)
        write("booked \(entry)")
    }

    func close(as closing: Closing) throws {
        guard isOpen else { throw PaymentError.ledgerClosed }
        isOpen = false
        write("ledger closed: \(closing.rawValue)")
    }

    /// Undoes every entry, the last one first, and closes the ledger.
    func undo(as closing: Closing) async throws {
        guard isOpen else { throw PaymentError.ledgerClosed }
        // Closed before the first await, so that nothing can be booked while entries are undone.
        isOpen = false
        while let entry = entries.popLast() {
            try await Task.sleep(for: .milliseconds(50))
            write("undid \(entry)")
        }
        write("ledger closed: \(closing.rawValue)")
    }

    private func write(_ line: String) {
        lineCount += 1
        print("\(lineCount). \(line)")
    }
}
