import AppIntents

/// The invoices, stored in a file in the app's state folder. All runs of a user share the file.
struct InvoiceStore: Sendable {
    /// Returns the invoices, sorted by number.
    func all() async throws -> [Invoice] {
        try await IntentState.withLock { try read() }
    }

    /// Changes the invoices. No other run can read or change them at the same time.
    func change(_ body: (inout [Invoice]) throws -> Void) async throws {
        try await IntentState.withLock {
            var invoices = try read()
            try body(&invoices)
            invoices.sort { $0.id.localizedStandardCompare($1.id) == .orderedAscending }
            try JSONEncoder().encode(invoices).write(to: file(), options: .atomic)
        }
    }

    func add(_ invoice: Invoice) async throws {
        try await change { invoices in
            guard !invoices.contains(where: { $0.id == invoice.id }) else { throw InvoiceError.existing(invoice.id) }
            invoices.append(invoice)
        }
    }

    func remove(_ numbers: [String]) async throws {
        try await change { invoices in invoices.removeAll { numbers.contains($0.id) } }
    }

    private func read() throws -> [Invoice] {
        let file = try file()
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        return try JSONDecoder().decode([Invoice].self, from: Data(contentsOf: file))
    }

    private func file() throws -> URL {
        guard let folder = IntentState.directory else { throw IntentStateError.noDirectory }
        return URL(fileURLWithPath: folder).appending(path: "invoices.json")
    }
}
