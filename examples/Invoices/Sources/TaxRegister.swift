/// The service at which each imported invoice must be registered. Tests replace it.
protocol TaxRegister: Sendable {
    func register(_ invoice: Invoice) async throws
}

/// A register that accepts 20 invoices per second.
struct PacedTaxRegister: TaxRegister {
    var clock: any Clock<Duration>

    func register(_ invoice: Invoice) async throws {
        try await clock.sleep(for: .milliseconds(50))
    }
}
