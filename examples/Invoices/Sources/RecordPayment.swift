import AppIntents

/// Adds a payment to an invoice. Asks for the amount if it is missing.
struct RecordPayment: AppIntent {
    static let title: LocalizedStringResource = "Record a payment"
    static let description = IntentDescription("Returns the amount that remains to be paid.")

    @Parameter(title: "Invoice") var invoice: Invoice
    @Parameter(title: "Amount") var amount: Decimal?
    @Dependency var store: InvoiceStore

    func perform() async throws -> some IntentResult & ReturnsValue<Decimal> {
        let paid: Decimal
        if let amount {
            paid = amount
        } else {
            paid = try await $amount.requestValue("How much did \(invoice.customer) pay?")
        }
        try await store.change { invoices in
            for index in invoices.indices where invoices[index].id == invoice.id { invoices[index].paid += paid }
        }
        return .result(value: invoice.amount - invoice.paid - paid)
    }
}
