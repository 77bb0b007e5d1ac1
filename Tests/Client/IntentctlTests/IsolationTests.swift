import IntentClient
import Testing
import intentctl

@Suite struct IsolationTests {
    private let full = Isolation(grade: .full, parts: ["own root", "no network"])
    private let reduced = Isolation(
        grade: .reduced,
        parts: ["own root"],
        missing: ["a cgroup (none is delegated, see the unit)", "no\u{1B}network"]
    )

    @Test func `isolation is shown as its grade, with the protections in place or missing`() {
        #expect(IsolationText.of(full) == "full (own root, no network)")
        #expect(
            IsolationText.of(reduced)
                == "reduced, missing: a cgroup (none is delegated, see the unit); no\\u{1B}network"
        )
        #expect(IsolationText.of(Isolation(grade: .none, parts: [])) == "none")
    }

    @Test func `isolation is a line of an app's description, and an object in its JSON`() {
        let text = CatalogText.describe(app(reduced))
        #expect(text.contains("\nisolation: reduced, missing: a cgroup"), "\(text)")
        let document = CatalogDocument.of(app(full)).text()
        #expect(
            document.contains(#""isolation":{"grade":"full","missing":[],"parts":["own root","no network"]}"#),
            "\(document)"
        )
        #expect(!CatalogText.describe(app(nil)).contains("isolation"))
        #expect(!CatalogDocument.of(app(nil)).text().contains("isolation"))
    }

    @Test(arguments: [("/tmp/x/Soup", true), ("/tmp/x/intentd-command", false), ("/usr/lib/Soup", false)])
    func `a description warns of an executable that prevents a private /tmp`(executable: String, isWarned: Bool) {
        var app = app(full)
        app.executable = executable
        #expect(CatalogText.describe(app).contains("no private /tmp") == isWarned)
    }

    @Test func `a description shows how much time a caller may request`() {
        let text = CatalogText.describe(app(nil))
        #expect(text.contains("--limit can request up to 2 min"), "\(text)")
        #expect(CatalogDocument.of(app(nil)).text().contains(#""runtimeMaxMilliseconds":120000"#))
    }

    @Test func `status shows the grade and all protections, and only those in place while the grade is unknown`() {
        var status = DaemonStatus(
            software: "intentd",
            uptime: .zero,
            runningCount: 0,
            queuedCount: 0,
            endedCount: 0,
            appCount: 0,
            isolation: Isolation(grade: .reduced, parts: ["own root"], missing: ["a cgroup"])
        )
        #expect(IsolationText.of(status) == "reduced (own root), missing: a cgroup")
        status.isolationGrade = .full
        status.isolationMissing = []
        #expect(IsolationText.of(status) == "full (own root)")
        status.isolationGrade = nil
        #expect(IsolationText.of(status) == "own root")
        status.isolation = []
        #expect(IsolationText.of(status) == "none")
    }

    private func app(_ isolation: Isolation?) -> AppDescription {
        var limits = RunLimits()
        limits.runtimeMax = .seconds(120)
        return AppDescription(
            name: "Soup",
            executable: "/x/Soup",
            catalog: IntentCatalog(intents: []),
            limits: limits,
            isolation: isolation
        )
    }
}
