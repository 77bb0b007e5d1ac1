import Foundation
import Glibc
import IntentClientFoundation
import IntentLinux
import TestSupport
import Testing

/// The code of the article CallingIntents, run in workers of a private daemon. `CatalogueTests` compares it with the
/// article.
@Suite(.ownThread) struct CallArticleTests {
    private let rows = "7,Ada,100\n8,Bob,50\n"

    private func csv(in folder: borrowing TemporaryDirectory, _ rows: String) throws -> URL {
        let url = URL(fileURLWithPath: folder("new.csv"))
        try Data(rows.utf8).write(to: url)
        return url
    }

    @Test func `a private daemon that no caller waits for leaves no zombie process`() async throws {
        let daemon = try PrivateDaemon.start(executable: PrivateApp.path("Soup"), isSilent: true)
        try await daemon.connect(software: "a test").close()
        // kill(2) finds zombies, too.
        while kill(daemon.processNumber, 0) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(await daemon.waitForExit() == nil)
    }

    @Test func `a call takes literals and files, and returns a Swift value`() async throws {
        let folder = TemporaryDirectory()
        let url = try csv(in: folder, rows)
        let saved = try await PrivateApp.with("Invoices") { intentd in
            #expect(try await importInvoices(from: url, with: intentd) == 2)
            #expect(try await numberOfLines(with: intentd) == 2)
            return try await exportInvoices(to: url.deletingLastPathComponent(), with: intentd)
        }
        #expect(saved.lastPathComponent == "invoices.csv")
        #expect(try String(contentsOf: saved, encoding: .utf8) == rows)
    }

    @Test func `a call reports progress and output`() async throws {
        let folder = TemporaryDirectory()
        let url = try csv(in: folder, (1...40).map { "\($0),Ada,1\n" }.joined())
        try await PrivateApp.with("Invoices") { intentd in
            let (fractions, count) = try await importWithProgress(from: url, with: intentd)
            #expect(count == 40)
            #expect(fractions == fractions.sorted())
            #expect(fractions.last == 1)
        }
    }

    @Test func `a generated call has checked parameters and a checked result`() async throws {
        let folder = TemporaryDirectory()
        let url = try csv(in: folder, rows)
        try await PrivateApp.with("Invoices") { intentd in
            let count = try await intentd.perform(Invoices.ImportInvoices(file: RunFile(url: url))).value
            #expect(count == 2)
            let rest = try await payHalf(of: "7", total: 100, with: intentd)
            #expect(rest == 50)
            let otherRest = try await payWithQuestion("8", with: intentd)
            #expect(otherRest == 20)
        }
    }

    @Test func `a failed run throws its outcome`() async throws {
        try await PrivateApp.with("Invoices") { intentd in
            let message = try await describeFailure(
                of: try await intentd.perform(Invoices.RecordPayment(invoice: "no")).run
            )
            #expect(message.hasPrefix("the intent failed: "), "\(message)")
        }
    }

    @Test func `a program starts a daemon of its own`() async throws {
        #expect(try await priceOfTomatoSoup(executable: PrivateApp.path("Soup")) == Decimal(9))
    }
}

// MARK: The article's code

func importInvoices(from url: URL, with intentd: IntentConnection) async throws -> Int {
    try await intentd.perform("Invoices/ImportInvoices", ["file": .file(url)]).value(as: Int.self)
}

func importWithProgress(from url: URL, with intentd: IntentConnection) async throws -> (fractions: [Double], count: Int)
{
    let options = PerformOptions(limit: .seconds(20), key: "import of \(url.lastPathComponent)")
    let run = try await intentd.perform("Invoices/ImportInvoices", ["file": .file(url)], options: options)
    async let printed: Void = printOutput(of: run)
    var fractions: [Double] = []
    for try await progress in run.progress { fractions.append(progress.fraction) }
    try await printed
    return (fractions, try await run.value())
}

func printOutput(of run: IntentRun) async throws {
    for try await piece in run.output { print(piece.text, terminator: "") }
}

func describeFailure(of run: IntentRun) async throws -> String {
    do {
        try await run.result.requireSuccess()
        return "done"
    } catch let error as IntentRunError {
        switch error.outcome {
        case .failed(let message): return "the intent failed: \(message)"
        case .cancelled(let reason): return "the run was cancelled: \(reason.name)"
        default: return "\(error)"
        }
    }
}

func exportInvoices(to folder: URL, with intentd: IntentConnection) async throws -> URL {
    let file = try await intentd.perform("Invoices/ExportInvoices").value(as: RunFile.self)
    return try file.save(in: folder)
}

func numberOfLines(with intentd: IntentConnection) async throws -> Int {
    let file = try await intentd.perform("Invoices/ExportInvoices").value(as: RunFile.self)
    let handle = try file.fileHandle()
    let lineFeed = UInt8(ascii: "\n")
    return try handle.readToEnd()?.count { $0 == lineFeed } ?? 0
}

func payHalf(of number: Invoices.Invoice, total: Decimal, with intentd: IntentConnection) async throws -> Decimal {
    let payment = Invoices.RecordPayment(invoice: number, amount: total / 2)
    return try await intentd.perform(payment).value
}

func payWithQuestion(_ number: Invoices.Invoice, with intentd: IntentConnection) async throws -> Decimal {
    let run = try await intentd.perform(Invoices.RecordPayment(invoice: number))
    return try await run.value { question in
        question.question.parameter == "amount" ? "30" : nil
    }
}

func priceOfTomatoSoup(executable: String) async throws -> Decimal {
    let daemon = try PrivateDaemon.start(executable: executable, isSilent: true)
    let intentd = try await daemon.connect(software: "kitchen 2.1")
    return try await intentd.perform("Soup/OrderSoup", ["soup": "tomato", "quantity": 2]).value()
}
