import Foundation
import Glibc
import TestSupport
import Testing

/// Tests `intentd-web --traces` with a collector that parses the spans with the messages of OpenTelemetry.
@Suite(.ownThread, .timeLimit(.minutes(5))) struct TraceExportTests {
    private struct Span: Decodable {
        var service, trace, span, parent, name: String
        var kind, status: Int
        var start, end: UInt64
        var links: [[String]]
        var events: [String]
        var attributes: [String: Attribute]
    }

    private enum Attribute: Decodable, Equatable {
        case text(String), number(Int)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    private static func collector(failures: Int) throws -> Command {
        let tests = DocumentScript.url.deletingLastPathComponent()
        let installing = try Command(tests.appending(path: "install-python"), ["otlp"])
        guard installing.exitCode() == 0 else {
            try skipTest(installing.errors.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        let python = URL(filePath: installing.output.trimmingCharacters(in: .whitespacesAndNewlines))
        let collector = try Command(
            python.appending(path: "bin/python"),
            [WebPage.script("collector.py"), "\(failures)"],
            environment: ["PYTHONDONTWRITEBYTECODE": "1"]
        )
        try collector.waitFor("/v1/traces\n")
        return collector
    }

    private static func spans(_ collector: Command) throws -> [Span] {
        try collector.output.split(separator: "\n").filter { $0.hasPrefix("{") }.map {
            try JSONDecoder().decode(Span.self, from: Data($0.utf8))
        }
    }

    private static func export(_ daemon: Daemon, to collector: Command) throws -> Command {
        let state = daemon.folder.appending("cursor").path
        let address = collector.output.components(separatedBy: "\n")[0]
        let export = try Command(
            Programs.url("intentd-web"),
            ["--traces", address, "--state", state, "--socket", daemon.socket]
        )
        try eventually("the export knows the newest run: \(export.errors)") { access(state, F_OK) == 0 }
        return export
    }

    @Test func `runs become spans with the caller's trace, with their states, and a link on retry`() throws {
        let (daemon, collector) = (try Daemon(), try Self.collector(failures: 1))
        // A run from before the first start is not exported.
        _ = try daemon.intentctl("run", "Probe/Echo", "--text", "before")
        let export = try Self.export(daemon, to: collector)
        let (trace, parent) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331")
        let traced = try Command(
            Programs.intentctl,
            ["--socket", daemon.socket, "run", "Probe/Throws", "--message", "a secret text"],
            environment: ["TRACEPARENT": "00-\(trace)-\(parent)-01"]
        )
        #expect(traced.exitCode() == 1)
        let unsampled = try Command(
            Programs.intentctl,
            ["--socket", daemon.socket, "run", "Probe/Echo", "--text", "unsampled"],
            environment: ["TRACEPARENT": "00-\(trace)-\(parent)-00"]
        )
        #expect(unsampled.exitCode() == 0)
        let failed = try #require(
            (try daemon.json("history", "--failed")["runs"] as? [[String: Any]])?.first?["run"] as? String
        )
        #expect(try daemon.intentctl("retry", failed).code == 1)
        let asking = try daemon.detach("Probe/AskSomething", "--way", "value")
        _ = try daemon.run(in: "asking")
        #expect(try daemon.intentctl("answer", asking, "4").code == 0)
        #expect(try daemon.intentctl("wait", asking).code == 0)
        try eventually("three runs are exported: \(collector.output)\(collector.errors)\(export.errors)") {
            try Self.spans(collector).count { $0.attributes["intentd.run"] != nil } >= 3
        }
        #expect(collector.output.contains("refused"), "the first request was repeated")
        let spans = try Self.spans(collector)
        let roots = spans.filter { $0.attributes["intentd.run"] != nil }
        #expect(roots.map(\.name) == ["Probe/Throws", "Probe/Throws", "Probe/AskSomething"])
        guard roots.count == 3 else { return }
        #expect(roots.allSatisfy { $0.service == "intentd" })
        #expect(roots[0].trace == trace && roots[0].parent == parent && roots[0].kind == 2 && roots[0].status == 2)
        #expect(roots[0].attributes["intentd.run"] == .text(failed))
        #expect(roots[1].links == [[trace, roots[0].span]] && roots[1].trace != trace && roots[1].parent.isEmpty)
        #expect(roots[2].attributes["intentd.run"] == .text(asking) && roots[2].status == 0)
        let states = spans.filter { $0.parent == roots[2].span }
        #expect(states.map(\.name).starts(with: ["backlog", "start", "run", "question"]), "\(states.map(\.name))")
        #expect(roots[2].events == ["answer"])
        for (state, next) in zip(states, states.dropFirst()) { #expect(state.end == next.start) }
        #expect(states.last?.end == roots[2].end && states.allSatisfy { $0.trace == roots[2].trace })
        #expect(!collector.output.contains("a secret text"), "no value and no message leaves the host")
        #expect(!collector.output.contains("before"))
    }

    @Test func `after a crash, the export continues with the runs that the collector has not received`() throws {
        let (daemon, collector) = (try Daemon(), try Self.collector(failures: 0))
        let first = try Self.export(daemon, to: collector)
        let state = URL(filePath: daemon.folder.appending("cursor").path)
        let live = try daemon.detach("Probe/AwaitFile")
        _ = try daemon.run(in: "running")
        _ = try daemon.intentctl("run", "Probe/Echo", "--text", "a")
        try eventually("the run that has ended is exported") { collector.output.contains("Probe/Echo") }
        // The export learns that the collector has the run from the response. A crash before that would send the run again.
        try eventually("the export has stored that only the live run is left") {
            let cursor = try JSONSerialization.jsonObject(with: Data(contentsOf: state)) as? [String: Any]
            return (cursor?["pending"] as? [[String: Any]])?.map { $0["run"] as? String } == [live]
        }
        first.signal(SIGKILL)
        _ = first.exitCode()
        _ = try daemon.intentctl("cancel", live)
        _ = try daemon.intentctl("run", "Probe/Echo", "--text", "b")
        let second = try Self.export(daemon, to: collector)
        try eventually("the rest is exported: \(collector.output)") {
            try Self.spans(collector).count { $0.attributes["intentd.run"] != nil } >= 3
        }
        let roots = try Self.spans(collector).filter { $0.attributes["intentd.run"] != nil }
        #expect(roots.map(\.name) == ["Probe/Echo", "Probe/AwaitFile", "Probe/Echo"])
        #expect(roots.count > 1 && roots[1].events.contains("cancel"))
        #expect(second.isRunning, "\(second.errors)")
    }
}
