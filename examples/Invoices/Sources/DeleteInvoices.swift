import AppIntents

/// Deletes invoices after a confirmation. The deletion can be undone.
struct DeleteInvoices: UndoableIntent {
    static let title: LocalizedStringResource = "Delete invoices"
    static let description = IntentDescription("Deletes invoices.")
    // Not `.destroys`, because the undo restores the invoices.
    static let effect: IntentEffect = .changes

    @Parameter(title: "Invoices") var invoices: [Invoice]
    @Dependency var store: InvoiceStore

    @MainActor
    func perform() async throws -> some IntentResult {
        try await requestConfirmation(dialog: "Delete \(invoices.count) invoices?")
        try await store.remove(invoices.map(\.id))
        let restore = RestoreInvoices()
        restore.rows = invoices.map(\.row)
        undoManager?.registerUndo(performing: restore)
        undoManager?.setActionName("Delete \(invoices.count) Invoices")
        return .result()
    }
}

/// Restores deleted invoices.
struct RestoreInvoices: AppIntent {
    static let title: LocalizedStringResource = "Restore invoices"
    static let isDiscoverable = false

    @Parameter(title: "Rows") var rows: [String]
    @Dependency var store: InvoiceStore

    func perform() async throws -> some IntentResult {
        for row in rows { try await store.add(Invoice(row: row)) }
        return .result()
    }
}
