/// Where each invoice is registered before it counts. Tests replace it.
protocol TaxRegister: Sendable {
    func register(_ invoice: Invoice) async throws
}

/// A register that accepts twenty invoices a second.
struct PacedTaxRegister: TaxRegister {
    var clock: any Clock<Duration>

    func register(_ invoice: Invoice) async throws {
        try await clock.sleep(for: .milliseconds(50))
    }
}
