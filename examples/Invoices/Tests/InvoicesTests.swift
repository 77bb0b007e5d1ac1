import AppIntents
import AppIntentsTesting
import Testing

@testable import Invoices

@Suite struct InvoicesTests {
    private let store = InvoiceStore()

    @Test func `the time limit of a stalled service removes the imported invoices`() async throws {
        try await withIntentRun(dependencies: [store], clock: .virtual) { run in
            run.dependencies.add(dependency: StallingRegister(after: 3) as any TaxRegister)
            let intent = ImportInvoices()
            intent.file = csv(rows: 50)
            async let end = run.perform(intent)
            try await run.progress(reaches: 3)
            run.advance(by: .seconds(30))
            let ended = try await end
            #expect(ended == .cancelled(.timeout))
            let stored = try await store.all()
            #expect(stored == [])
        }
    }

    @Test func `a cancellation removes the imported invoices, within the grace period`() async throws {
        try await withIntentRun(dependencies: [store]) { run in
            run.dependencies.add(dependency: PacedTaxRegister(clock: run.clock) as any TaxRegister)
            let intent = ImportInvoices()
            intent.file = csv(rows: 50)
            async let end = run.perform(intent)
            run.advance(by: .milliseconds(500))
            try await run.progress(reaches: 10)
            run.cancel(.userCancelled)
            let cancelled = try await end
            #expect(cancelled == .cancelled(.userCancelled))
            #expect(!cancelled.isKilled)
            let stored = try await store.all()
            #expect(stored == [])
        }
    }

    @Test func `a payment without an amount asks for it`() async throws {
        try await withIntentRun(dependencies: [store]) { run in
            let invoice = Invoice(id: "7", customer: "Ada", amount: 100)
            try await store.add(invoice)
            let intent = RecordPayment()
            intent.invoice = invoice
            async let end = run.perform(intent)
            let question = try await run.question()
            #expect(question.text == "How much did Ada pay?")
            #expect(question.parameter == "amount")
            try run.answer("40.50")
            let paid = try await end
            #expect(paid == .done(59.5))
        }
    }

    @Test func `an export returns the imported file`() async throws {
        try await withIntentRun(dependencies: [store], clock: .skipping) { run in
            run.dependencies.add(dependency: PacedTaxRegister(clock: run.clock) as any TaxRegister)
            let intent = ImportInvoices()
            intent.file = csv(rows: 3)
            let imported = try await run.perform(intent)
            #expect(imported == .done(3))
            let exported = try await run.perform(ExportInvoices()).get()
            #expect(exported.filename == "invoices.csv")
            #expect(exported.data == csv(rows: 3).data)
        }
    }

    @Test func `a confirmed deletion can be undone, and a declined one deletes nothing`() async throws {
        try await withIntentRun(dependencies: [store]) { run in
            let invoice = Invoice(id: "7", customer: "Ada", amount: 100)
            try await store.add(invoice)
            let intent = DeleteInvoices()
            intent.invoices = [invoice]

            async let first = run.perform(intent)
            let question = try await run.question()
            #expect(question.text == "Delete 1 invoices?")
            try run.answer(.decline)
            let declined = try await first
            #expect(declined == .cancelled(.userCancelled))
            let kept = try await store.all()
            #expect(kept == [invoice])

            async let second = run.perform(intent)
            _ = try await run.question()
            try run.answer(.accept)
            let confirmed = try await second
            #expect(confirmed.undoName == "Delete 1 Invoices")
            let left = try await store.all()
            #expect(left == [])

            let undone = try await run.undo()
            #expect(undone == .done)
            let restored = try await store.all()
            #expect(restored == [invoice])
        }
    }

    private func csv(rows: Int) -> IntentFile {
        let text = (1...rows).map { "\($0),Customer \($0),\($0 * 10)\n" }.joined()
        return IntentFile(data: Data(text.utf8), filename: "new.csv", type: .commaSeparatedText)
    }
}

/// A register that accepts some invoices and then stops responding.
private actor StallingRegister: TaxRegister {
    private var remaining: Int

    init(after count: Int) {
        remaining = count
    }

    func register(_ invoice: Invoice) async throws {
        if remaining == 0 { try await Task.sleep(for: .seconds(86_400)) }
        remaining -= 1
    }
}
