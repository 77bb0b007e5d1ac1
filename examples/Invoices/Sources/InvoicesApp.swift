import AppIntents

/// An app that keeps invoices. Its tests show how each promise of an intent is tested.
@main
struct InvoicesApp: AppIntentsExtension {
    init() {
        let clock: any Clock<Duration> = SuspendingClock()
        let register: any TaxRegister = PacedTaxRegister(clock: clock)
        AppDependencyManager.shared.add(dependency: InvoiceStore())
        AppDependencyManager.shared.add(dependency: register)
    }
}
