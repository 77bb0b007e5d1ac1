import AppIntents

/// An invoice. Its identifier is its number.
struct Invoice: AppEntity, Codable, Hashable {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Invoice"
    static let defaultQuery = InvoiceQuery()

    let id: String
    var customer: String
    var amount: Decimal
    var paid: Decimal = 0

    var displayRepresentation: DisplayRepresentation { "\(id), \(customer)" }
}

struct InvoiceQuery: EntityQuery {
    @Dependency var store: InvoiceStore

    func entities(for identifiers: [String]) async throws -> [Invoice] {
        try await store.all().filter { identifiers.contains($0.id) }
    }

    func suggestedEntities() async throws -> [Invoice] { try await store.all() }
}

/// The text form of an invoice: `17,Ada,99.50`.
extension Invoice {
    init(row: some StringProtocol) throws {
        let fields = String(row).split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        guard fields.count == 3, !fields[0].isEmpty, let amount = Decimal(string: fields[2]), amount > 0 else {
            throw InvoiceError.malformedRow(String(row.prefix(100)))
        }
        self.init(id: fields[0], customer: fields[1], amount: amount)
    }

    var row: String { "\(id),\(customer),\(amount)" }
}
