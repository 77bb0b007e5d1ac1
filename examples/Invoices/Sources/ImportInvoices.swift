import AppIntents

/// Imports all invoices in a file, or none of them.
struct ImportInvoices: CancellableIntent, ProgressReportingIntent {
    static let title: LocalizedStringResource = "Import invoices"
    static let description = IntentDescription("Imports invoices from a file with rows 'number,customer,amount'.")

    @Parameter(title: "File", supportedContentTypes: [.commaSeparatedText]) var file: IntentFile
    @Dependency var store: InvoiceStore
    @Dependency var register: any TaxRegister

    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        let text = try await String(decoding: file.data(contentType: .commaSeparatedText), as: UTF8.self)
        let invoices = try text.split(whereSeparator: \.isNewline).map { try Invoice(row: $0) }
        progress.totalUnitCount = Int64(invoices.count)
        var added: [String] = []
        do {
            for invoice in invoices {
                try await register.register(invoice)
                try await store.add(invoice)
                added.append(invoice.id)
                progress.completedUnitCount += 1
            }
        } catch {
            // Use a new task, because a cancelled task cannot wait for the store's lock.
            try await Task { [store, added] in try await store.remove(added) }.value
            throw error
        }
        return .result(value: invoices.count)
    }
}
