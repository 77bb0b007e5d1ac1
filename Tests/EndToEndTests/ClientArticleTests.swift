import Foundation
import Glibc
import IntentClient
import Testing

/// The code of the articles of IntentClient, run against a daemon. `CatalogueTests` compares it with the articles.
@Suite struct ClientArticleTests {
    private let daemon: Daemon

    init() throws {
        daemon = try Daemon()
        try daemon.install("Soup")
    }

    private func connected() async throws -> IntentConnection {
        try await IntentConnection.connect(to: .path(daemon.socket), software: "a test")
    }

    @Test func `an order returns its price`() async throws {
        #expect(try await orderSoup(from: connected()) == .string("9"))
    }

    @Test func `a question is answered by the closure`() async throws {
        #expect(try await orderSoupWithAnswers(from: connected()).value == .string("15"))
    }

    @Test func `a run is followed to its end`() async throws {
        let intentd = try await connected()
        let request = PerformRequest(app: "Probe", intent: "Echo", values: ["text": .string("x")])
        let run = try await intentd.perform(request)
        try await follow(run)
        #expect(try await run.result.value == .string("x"))
    }

    @Test func `a cancelled run says its reason`() async throws {
        let run = try await performPatiently(PerformRequest(app: "Probe", intent: "Ticking"), with: connected())
        #expect(try await cancel(run) == .userCancelled)
    }

    @Test func `a file goes in and another comes out`() async throws {
        let folder = try TemporaryFolder()
        try Data(repeating: 7, count: 100_000).write(to: folder.appending("photo.tar"))
        let output = open(folder.appending("photo.tar.gz").path, O_RDWR | O_CREAT | O_EXCL, 0o600)
        defer { close(output) }
        try await compress(folder.appending("photo.tar").path, to: output, with: connected())
        var magic = [UInt8](repeating: 0, count: 2)
        #expect(pread(output, &magic, 2, 0) == 2)
        #expect(magic == [0x1F, 0x8B])
    }

    @Test func `a run is found again by its identifier`() async throws {
        var request = PerformRequest(app: "Probe", intent: "Echo", values: ["text": .string("x")])
        request.onDisconnect = .continue
        let run = try await connected().perform(request).id
        #expect(try await resume(run, with: connected()).value == .string("x"))
    }
}

// MARK: The articles' code

func greeting(for name: String, from intentd: IntentConnection) async throws -> String {
    try await intentd.perform("Greeter/Greet", ["name": "\(name)"]).value(as: String.self)
}

func connectToKitchen() async throws -> IntentConnection {
    try await IntentConnection.connect(software: "kitchen 2.1")
}

func orderSoup(from intentd: IntentConnection) async throws -> IntentValue? {
    let values: [String: IntentValue] = ["soup": .string("tomato"), "quantity": .int(2)]
    let run = try await intentd.perform(PerformRequest(app: "Soup", intent: "OrderSoup", values: values))
    let result = try await run.result
    return result.value
}

func follow(_ run: IntentRun) async throws {
    for try await event in run.events {
        switch event {
        case .state(let state, _): print("the run is \(state.rawValue)")
        case .progress(let progress): print("\(Int(progress.fraction * 100)) % \(progress.title ?? "")")
        case .question(let question): print("the run asks: \(question.question.text)")
        case .answered(let notice): print("user \(notice.user) answered")
        case .output(_, let text): print(text, terminator: "")
        case .finished(let end): print("the run ended: \(end.outcome.kindName)")
        }
    }
}

func orderSoupWithAnswers(from intentd: IntentConnection) async throws -> RunResult {
    let values: [String: IntentValue] = ["soup": .string("lentil")]
    let run = try await intentd.perform(PerformRequest(app: "Soup", intent: "OrderSoup", values: values))
    return try await run.result { question in
        question.question.parameter == "quantity" ? .int(3) : nil
    }
}

func cancel(_ run: IntentRun) async throws -> CancellationReason? {
    let result = try await run.cancel()
    guard case .cancelled(let reason) = result.outcome else { return nil }
    return reason
}

func compress(_ path: String, to descriptor: Int32, with intentd: IntentConnection) async throws {
    let file = try RunFile(path: path)
    let request = PerformRequest(app: "Archive", intent: "Compress", values: ["file": file.value(at: 0)])
    let result = try await intentd.perform(request, files: [file]).result
    if case .file(let reference)? = result.value, let compressed = result.file(reference) {
        try compressed.copyContents(to: descriptor)
    }
}

func performPatiently(_ request: PerformRequest, with intentd: IntentConnection) async throws -> IntentRun {
    while true {
        do {
            return try await intentd.perform(request)
        } catch let error as IntentClientError where error.code == .busy {
            try await Task.sleep(for: error.retryAfter ?? .seconds(1))
        }
    }
}

func connectPatiently() async throws -> IntentConnection {
    try await IntentConnection.connect(software: "kitchen 2.1", patience: .seconds(60)) { interruption in
        switch interruption {
        case .lost(let patience): print("intentd exited; waiting up to \(patience) for it to return")
        case .regained: print("intentd has returned")
        }
    }
}

func resume(_ run: RunID, with intentd: IntentConnection) async throws -> RunResult {
    try await intentd.watch(run: run).result
}
