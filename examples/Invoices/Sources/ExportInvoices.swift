import AppIntents

/// Returns a file that contains all invoices.
struct ExportInvoices: AppIntent {
    static let title: LocalizedStringResource = "Export invoices"
    static let description = IntentDescription("Returns a file that 'Import invoices' can read.")
    static let effect: IntentEffect = .reads

    @Dependency var store: InvoiceStore

    func perform() async throws -> some IntentResult & ReturnsValue<IntentFile> {
        let rows = try await store.all().map { $0.row + "\n" }
        let file = IntentFile(data: Data(rows.joined().utf8), filename: "invoices.csv", type: .commaSeparatedText)
        return .result(value: file)
    }
}
