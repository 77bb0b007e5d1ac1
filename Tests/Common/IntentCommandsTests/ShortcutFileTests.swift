import IntentCommands
import IntentConfiguration
import IntentLauncherMessages
import IntentProtocol
import Testing

@Suite struct ShortcutFileTests {
    private static func file(_ text: String) throws(CommandFileProblems) -> ShortcutFile {
        try ShortcutFile(Array(text.utf8), file: "/etc/intentd/shortcuts.d/Test.shortcut")
    }

    /// Returns the mistakes in a file, without the file's path.
    private static func problems(_ text: String) -> [String] {
        do throws(CommandFileProblems) {
            _ = try file(text)
            return []
        } catch {
            return error.problems.map { "\($0.line.map { "\($0): " } ?? "")\($0.message)" }
        }
    }

    private static let monthly = """
        [Shortcut Monthly]
        Title=Archive the invoices of a month
        Summary=Archive %{month} for %{who}
        Result=%{pack}
        OnFailure=undo

        [Shortcut Monthly.Parameter month]
        Type=date

        [Shortcut Monthly.Parameter who]
        Default=ada

        [Step list]
        Intent=Invoices/FindInvoices
        Values=month=%{month}

        [Step pack]
        ForEach=%{list}
        Parallel=4
        Intent=Archive/Compress
        Values=file=%{item.file}
        Retry=3

        [Step check]
        If=%{list.count} > 0
        Ask=Send %{list.count} invoices to %{who}?

        [Step send]
        Intent=Mail/Send
        Values=to=%{who} "title=Invoices of %{month}" attachments=%{pack}
        """

    @Test func `a file becomes a plan, and an intent with typed parameters`() throws {
        let file = try Self.file(Self.monthly)
        let intent = try #require(file.catalog.intents.first)
        #expect(intent.name == "Monthly")
        #expect(intent.sentence == "Archive ${month} for ${who}")
        #expect(intent.parameters.map(\.type) == [.dateComponents, .string])
        #expect(file.plan.undoesOnFailure)
        #expect(file.plan.defaults == ["who": .string("ada")])
        #expect(file.plan.steps.map(\.name) == ["list", "pack", "check", "send"])
        let pack = file.plan.steps[1]
        #expect(pack.parallelCount == 4 && pack.retryCount == 3)
        #expect(pack.list == ShortcutPlan.Reference("list"))
        #expect(
            pack.work
                == .perform(
                    app: "Archive",
                    intent: "Compress",
                    values: ["file": .init([.value(.init("item", ["file"]))])]
                )
        )
        let condition = ShortcutPlan.Condition(.init("list", ["count"]), .greater, .init([.text("0")]))
        #expect(file.plan.steps[2].condition == condition)
    }

    @Test func `a plan is recorded and read again without a change`() throws {
        let plan = try Self.file(Self.monthly).plan
        #expect(try WireCoding.decodeFile(ShortcutPlan.self, from: WireCoding.encode(plan)) == plan)
    }

    @Test(
        arguments: [
            ("[Step a]\nIntent=A/B", "the file has no section [Shortcut NAME]"),
            ("[Shortcut S]", "the shortcut has no step; add a section [Step NAME]"),
            ("[Shortcut S]\n[Step a]\nIntent=A", "3: Intent=: expected APP/INTENT, got 'A'"),
            (
                "[Shortcut S]\n[Step a]",
                "2: [Step a]: expected one of Intent=, Shortcut=, Ask=, Choose=, Wait=, got none"
            ),
            (
                "[Shortcut S]\n[Step a]\nWait=1s\nAsk=?",
                "2: [Step a]: expected one of Intent=, Shortcut=, Ask=, Choose=, Wait=, got 2"
            ),
            ("[Shortcut S]\n[Step a]\nIntent=A/B\nFoo=1", "4: Foo=: unknown key in [Step a]"),
            (
                "[Shortcut S]\n[Step a]\nWait=1s\nRetry=2",
                "4: Retry=: the key has an effect only with a step with another purpose than Wait=; remove it"
            ),
            (
                "[Shortcut S]\n[Step a]\nIntent=A/B\nParallel=2",
                "4: Parallel=: the key has an effect only with ForEach=; remove it"
            ),
            (
                "[Shortcut S]\n[Step a]\nIntent=A/B\n[Step a]\nIntent=A/B",
                "4: two sections have the name 'a'; rename one of them"
            ),
            ("[Shortcut S]\n[Step item]\nIntent=A/B", "2: 'item' has a meaning of its own; choose another name"),
            (
                "[Shortcut S]\n[Step a]\nIntent=A/B\nValues=x=%{b}\n[Step b]\nIntent=A/B",
                "2: [Step a]: Values=: %{b}: the step 'b' is not earlier than this one"
            ),
            (
                "[Shortcut S]\n[Step a]\nIntent=A/B\nOnError=continue\n[Step b]\nIntent=A/B\nValues=x=%{a}",
                "5: [Step b]: Values=: %{a}: the step 'a' has no value if it fails (OnError=continue)"
            ),
            (
                "[Shortcut S]\n[Step a]\nIntent=A/B\n[Step b]\nIf=%{a} = 1\nIntent=A/B\n[Step c]\nIntent=A/B\nValues=x=%{b}",
                "7: [Step c]: Values=: %{b}: the step 'b' has no value if its condition does not hold. Use the same condition"
            ),
            (
                "[Shortcut S]\n[Step a]\nIntent=A/B\nValues=x=%{item}",
                "2: [Step a]: Values=: %{item}: only the values of a step with ForEach= have it"
            ),
            (
                "[Shortcut S]\n[Step a]\nIntent=A/B\nIf=%{a} >> 1",
                "4: If=: expected a value, one of = != < <= > >=, and a value, separated by spaces; got '%{a} >> 1'"
            ),
            (
                "[Shortcut S]\n[Step a]\nIntent=A/B\nRepeat=1001",
                "4: Repeat=: expected a number from 1 to 1000, got '1001'"
            ),
            (
                "[Shortcut S]\n[Step a]\nIntent=A/B\nForEach=%{p}\nParallel=17",
                "5: Parallel=: expected a number from 1 to 16, got '17'"
            ),
            ("[Shortcut S]\n[Sandbox]\nNetwork=yes\n[Step a]\nWait=1s", "2: [Sandbox]: a shortcut runs no program"),
            (
                "[Shortcut S]\n[Limits]\nRuntime=1s\n[Step a]\nWait=1s",
                "3: Runtime=: a shortcut has no limits but QuestionTimeout=; set the limits of its steps"
            ),
            (
                "[Shortcut S]\n[Step a]\nChoose=?\nOptions=one",
                "3: Choose=: expected a list, or at least two words, in Options="
            ),
        ]
    )
    func `a mistake is reported with its line`(text: String, problem: String) {
        #expect(Self.problems(text) == [problem])
    }

    @Test func `a value is guarded by the same condition, by its existence, and by a text for its absence`() {
        let guarded = """
            [Shortcut S]
            [Step a]
            Intent=A/B
            [Step b]
            If=%{a} = 1
            Intent=A/B
            [Step same]
            If=%{a} = 1
            Intent=A/B
            Values=x=%{b}
            [Step exists]
            If=%{b}
            Intent=A/B
            Values=x=%{b}
            [Step text]
            Intent=A/B
            Values=x=%{b?yes:no}
            """
        #expect(Self.problems(guarded) == [])
    }

    @Test func `a file of more than 64 KiB is refused`() {
        let text = "[Shortcut S]\n[Step a]\nWait=1s\n" + String(repeating: "#\n", count: 33_000)
        #expect(Self.problems(text).first?.contains("the limit is 65536 bytes") == true)
    }
}
