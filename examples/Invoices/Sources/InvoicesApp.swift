import AppIntents

/// An app that manages invoices. Its tests show how to test every feature of an intent.
@main
struct InvoicesApp: AppIntentsExtension {
    init() {
        let clock: any Clock<Duration> = SuspendingClock()
        let register: any TaxRegister = PacedTaxRegister(clock: clock)
        AppDependencyManager.shared.add(dependency: InvoiceStore())
        AppDependencyManager.shared.add(dependency: register)
    }
}
