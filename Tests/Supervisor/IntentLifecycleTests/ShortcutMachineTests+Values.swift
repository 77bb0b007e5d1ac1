import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Conditions, loops, texts and undos of shortcuts, as the next request shows them.
extension ShortcutMachineTests {
    private static func value(_ name: String, _ path: String...) -> ShortcutPlan.Template {
        .init([.value(.init(name, path))])
    }

    /// The request of the step 'two' after the step 'one' returned a value; nil if 'two' is not performed.
    private static func next(
        after result: IntentValue,
        _ values: [String: ShortcutPlan.Template] = [:],
        _ change: (inout ShortcutPlan.Step) -> Void = { _ in }
    ) throws -> StepRequest? {
        var machine = machine([step("one"), step("two", values, change)], undoes: false)
        let first = try #require(requests(machine.begin(with: [], at: 0)).first)
        let outcome = RunOutcome.done(value: result == .null ? nil : result, dialog: nil)
        return requests(machine.runEnded(first.key, end(1, outcome), of: "App", at: 0)).first
    }

    @Test(arguments: [
        (IntentValue.int(0), true), (.double(0), true), (.string(""), true), (.object([:]), true),
        (.file(FileReference(index: 0, name: "a")), true), (.bool(true), true), (.array([.null]), true),
        (.bool(false), false), (.array([]), false), (.null, false),
    ])
    func `a condition without a comparison holds except for nothing, false and an empty list`(
        value: IntentValue,
        holds: Bool
    ) throws {
        #expect(try (Self.next(after: value) { $0.condition = .init(.init("one")) } != nil) == holds)
    }

    /// The third value is the order of the first two; nil if they have no order.
    @Test(
        arguments: [
            (IntentValue.int(1), ShortcutPlan.Template([.text("1")]), 0), (.int(10), .init([.text("9")]), 1),
            (.string("9"), .init([.text("10")]), -1), (.double(2.5), .init([.text("2")]), 1),
            (.string("a"), .init([.text("b")]), -1), (.string("b"), .init([.text("a")]), 1),
            (.bool(true), .init([.text("true")]), 0), (.array([.int(1)]), .init([.text("1")]), nil),
            (.int(1), .init([.value(.init("absent"))]), nil), (.null, .init([.text("1")]), nil),
            (.string("b"), .init([.value(.init("absent"))]), nil), (.null, .init([.value(.init("absent"))]), 0),
        ] as [(IntentValue, ShortcutPlan.Template, Int?)]
    )
    func `a condition compares numbers as numbers, texts by their bytes, and nothing with nothing`(
        left: IntentValue,
        right: ShortcutPlan.Template,
        order: Int?
    ) throws {
        for comparison in ShortcutPlan.Comparison.allCases {
            let holds =
                switch (comparison, order) {
                case (.equal, let order): order == 0
                case (.unequal, let order): order != 0
                case (_, nil): false
                case (.less, let order?): order < 0
                case (.lessOrEqual, let order?): order <= 0
                case (.greater, let order?): order > 0
                case (.greaterOrEqual, let order?): order >= 0
                }
            let request = try Self.next(after: left) { $0.condition = .init(.init("one"), comparison, right) }
            #expect((request != nil) == holds, "\(left) \(comparison.rawValue) \(right)")
        }
    }

    @Test func `a text in which a value is missing is not passed`() throws {
        let values: [String: ShortcutPlan.Template] = [
            "text": .init([.text("a "), .value(.init("one", ["title"]))]),
            "choice": .init([.condition(.init("one", ["title"]), then: "known", otherwise: nil)]),
            "either": .init([.condition(.init("one", ["title"]), then: "known", otherwise: "unknown")]),
        ]
        let known = try #require(try Self.next(after: .object(["title": .string("b")]), values))
        #expect(
            known.values == ["text": .string("a b"), "choice": .string("known"), "either": .string("known")]
        )
        let unknown = try #require(try Self.next(after: .object([:]), values))
        #expect(unknown.values == ["either": .string("unknown")])
    }

    @Test func `the parts of a value are members, properties, counts and the name of a file`() throws {
        let file = IntentValue.file(FileReference(index: 0, name: "a.pdf"))
        let result = IntentValue.object([
            "file": file, "list": .array([.string("x"), .string("y")]), "properties": .object(["age": .int(3)]),
        ])
        let request = try #require(
            try Self.next(
                after: result,
                [
                    "name": Self.value("one", "file", "name"), "size": Self.value("one", "file", "size"),
                    "many": Self.value("one", "list", "count"), "lengths": Self.value("one", "list", "length"),
                    "letters": Self.value("one", "file", "name", "count"), "age": Self.value("one", "age"),
                    "none": Self.value("one", "absent", "count"), "nothing": Self.value("one", "absent"),
                    "text": Self.value("one", "file", "name", "absent"),
                ]
            )
        )
        #expect(
            request.values == [
                "name": .string("a.pdf"), "many": .int(2), "lengths": .array([.null, .null]), "letters": .int(5),
                "age": .int(3), "none": .int(0),
            ]
        )
    }

    @Test func `a repeated step receives its number, and a step of a list the element as well`() throws {
        let values = ["index": Self.value("index"), "item": Self.value("item")]
        var repeated = Self.machine([Self.step("one", values) { $0.repeatCount = 2 }])
        let first = try #require(Self.requests(repeated.begin(with: [], at: 0)).first)
        #expect(first.values == ["index": .int(1)])
        let done = Self.end(1, .done(value: nil, dialog: nil))
        let second = try #require(Self.requests(repeated.runEnded(first.key, done, of: "App", at: 0)).first)
        #expect(second.values == ["index": .int(2)])

        let ofList = try Self.next(after: .array([.string("a"), .string("b")]), values) { $0.list = .init("one") }
        #expect(ofList?.values == ["index": .int(1), "item": .string("a")])
        #expect(try Self.next(after: .null, values)?.values == [:])
    }

    @Test func `a step is repeated until its condition holds`() throws {
        var machine = Self.machine([
            Self.step("one") {
                $0.repeatCount = 5
                $0.end = .init(.init("one", ["ready"]))
            }
        ])
        var actions = machine.begin(with: [], at: 0)
        for (number, isReady) in [false, false, true].enumerated() {
            let request = try #require(Self.requests(actions).first)
            let result = IntentValue.object(["ready": .bool(isReady)])
            let end = Self.end(UInt64(number + 1), .done(value: result, dialog: nil))
            actions = machine.runEnded(request.key, end, of: "App", at: 0)
        }
        #expect(Self.requests(actions).isEmpty)
        guard case .end(let end)? = actions.last else { return #expect(Bool(false), "\(actions)") }
        #expect(end.ending == .returned(value: nil, dialog: nil))
    }

    @Test(arguments: [true, false])
    func `the account of a failure says which steps were undone and which were not`(isUndone: Bool) throws {
        var machine = Self.machine([Self.step("one"), Self.step("two")])
        var actions = machine.begin(with: [], at: 0)
        for (number, end) in [
            Self.end(1, .done(value: nil, dialog: nil), undo: "Back"), Self.end(2, .failed(message: "no")),
            Self.end(3, isUndone ? .done(value: nil, dialog: nil) : .failed(message: "never")),
        ].enumerated() {
            let request = try #require(Self.requests(actions).first, "\(number)")
            actions = machine.runEnded(request.key, end, of: "App", at: 0)
        }
        guard case .end(let end)? = actions.last else { return #expect(Bool(false), "\(actions)") }
        let account = try #require(end.account)
        #expect(account.hasPrefix("undone: one") == isUndone, "\(account)")
        #expect(account.hasPrefix("not undone: one") == !isUndone, "\(account)")
        #expect(!account.contains(";"), "\(account)")
    }
}
