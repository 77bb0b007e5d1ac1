import IntentLauncherMessages
import TestSupport
import Testing

/// Tests parameters of all types, and sentences, in the catalogue.
@Suite(.ownThread) struct ShapesCatalogTests {
    private static let cup = ValueType.enumeration([
        EnumerationCase(value: "small", title: "Small"),
        EnumerationCase(value: "large", title: "1 litre"),
        EnumerationCase(value: "veryLarge", title: "Very large"),
    ])
    private static let roast = ValueType.enumeration([
        EnumerationCase(value: "1", title: "Light"), EnumerationCase(value: "2", title: "Dark"),
    ])

    @Test func `the catalogue contains the type of every parameter`() throws {
        let intent = try AppProcess.declaration(of: "EveryKind", in: "CompileShapes5")
        #expect(
            intent.parameters.map(\.type) == [
                .decimal, .date, .url, .duration, Self.cup, .array(.string), Self.roast, .date, .date, .duration,
                .array(.int), .array(Self.cup), .array(.double),
            ]
        )
        #expect(intent.parameters.map(\.isRequired).prefix(7) == [true, true, true, true, true, true, false])
        #expect(intent.parameters[6].defaultValue == .string("1"))
        #expect(intent.parameters[9].defaultValue == .int(2))
        #expect(intent.parameters[11].defaultValue == .array([.string("small")]))
        #expect(intent.result == .array(.string))
    }

    @Test(arguments: [
        ("1", "Turn to the first"), ("appendix B", "Turn to the appendix appendix B"),
        ("my appendix", "Turn to my appendix"),
    ])
    func `a summary depends on an entity's id`(_ id: String, _ title: String) throws {
        let intent = try AppProcess.declaration(of: "Turn", in: "CompileShapes6")
        #expect(intent.title(with: ["page": .string(id)]) == title)
    }

    @Test func `a schema macro wraps only variables of types that values can have`() throws {
        let intent = try AppProcess.declaration(of: "Create", in: "CompileShapes6")
        #expect(intent.parameters.map(\.name) == ["message", "tags"])
    }

    @Test func `an internal property leaves the app neither in a value nor in the catalogue`() throws {
        let record = try AppProcess.run("FindPatient", of: "CompileShapes6")
        #expect(record.value == .object(["name": .string("Ada"), "length": .int(3)]))
        let intent = try AppProcess.declaration(of: "FindPatient", in: "CompileShapes6")
        guard case .object(let type)? = intent.result else {
            Issue.record("\(intent) returns no object")
            return
        }
        #expect(type.properties.map(\.name).sorted() == ["length", "name"])
    }

    @Test func `macros declare tools`() throws {
        for name in ["FindPatient", "Note"] {
            let intent = try AppProcess.declaration(of: name, in: "CompileShapes6")
            #expect(intent.details?.protocols?.contains("ToolIntent") == true)
        }
    }

    @Test func `a result without a view is a result of an intent that shows one`() throws {
        let record = try AppProcess.run("ShowNothing", of: "CompileShapes6")
        #expect(record.value == .int(1) && record.result.details?.snippet == nil)
    }

    @Test(arguments: [true, false])
    func `a continuation in the foreground throws the reason, and is never called`(_ isHard: Bool) throws {
        let record = try AppProcess.run("Sign", of: "CompileShapes6", ["isHard": .bool(isHard)])
        #expect(record.result.details?.code == "noForeground")
    }

    @Test func `log messages have the formats and alignments of their values`() throws {
        let process = try AppProcess.performing("Log", of: "CompileShapes6")
        _ = try process.result()
        try process.send(.acknowledge)
        #expect(process.exitCode() == 0)
        #expect(
            process.output.contains("[pages] 0.33 3.333333e-01\n[pages]     0x00ff name      |\n"),
            "\(process.output)"
        )
    }

    @Test func `the catalogue has ranges, questions and narrowed enumerations`() throws {
        let intent = try AppProcess.declaration(of: "EveryLabel", in: "CompileShapes5")
        let parameters = Dictionary(uniqueKeysWithValues: intent.parameters.map { ($0.name, $0) })
        #expect(intent.parameters.count == 16)
        #expect(parameters["c"]?.range == NumberRange(lowerBound: 1, upperBound: 3))
        #expect(parameters["d"]?.range == NumberRange(lowerBound: 0, upperBound: 1))
        #expect(parameters["d"]?.question == "How much?")
        #expect(parameters["k"]?.type == .array(.int))
        #expect(parameters["k"]?.range == NumberRange(lowerBound: 1, upperBound: 5))
        #expect(parameters["m"]?.question == "M, please")
        #expect(parameters["j"]?.type.phrase == "one of small, large")
        #expect(parameters["p"]?.title == "P")
        #expect(parameters["o"]?.range == nil)
    }

    @Test(arguments: [
        ("PlainSummary", "Pour ${cup}, ${count} times"),
        ("OpenTrail", "Open ${target}"),
        ("WhenSummary", "Pour ${cup}"),
        ("SwitchSummary", "Some ${roast} in ${cup}"),
        ("EmptySummary", nil),
        ("ListSummary", nil),
        ("EveryKind", nil),
    ])
    func `the catalogue's sentence is the one without conditions, and it names its parameters`(
        intent: String,
        sentence: String?
    ) throws {
        #expect(try AppProcess.declaration(of: intent, in: "CompileShapes5").sentence == sentence)
    }

    @Test func `a query with Foundation's predicates can be searched by its properties`() throws {
        let intent = try AppProcess.declaration(of: "OpenTrail", in: "CompileShapes5")
        let search = try #require(intent.parameters.first?.search)
        #expect(search.properties.map(\.name) == ["name", "length"])
        #expect(
            search.properties.map { $0.comparators.map(\.name) } == [["contains", "equalTo"], ["lessThanOrEqualTo"]]
        )
        #expect(search.sortableBy == ["name", "length"])
    }

    @Test func `a resolver converts a string to a number, and bounds still apply to given numbers`() throws {
        let others: [String: IntentValue] = ["c": .string("0.5"), "d": .string("2026-11-21T09:30:00Z")]
        let resolved = try AppProcess.run(
            "Resolving",
            of: "CompileShapes5",
            others.merging(["a": .string("2"), "b": .string("7"), "e": .string("yes")]) { $1 }
        )
        #expect(resolved.value == .int(2), "\(resolved.result.ending)")
        let outside = try AppProcess.run("Resolving", of: "CompileShapes5", others.merging(["a": .int(9)]) { $1 })
        #expect(outside.message?.contains("'a'") == true, "\(outside.result.ending)")
    }

    @Test func `every intent of both language modes is found`() throws {
        #expect(
            try AppProcess.catalog(of: "CompileShapes5").intents.map(\.name) == [
                "A", "A2", "A3", "A4", "A5", "AddHabit", "AddShelf", "Ask", "AskForText", "AskInTheOldWay",
                "BerthWidget",
                "ChooseShelf", "Compose",
                "CreateAlbum", "DropTiles", "EmptySummary", "EveryKind", "EveryLabel", "FillShelves", "FillTwice",
                "Focus", "FollowOrNot", "InviteReaders", "LendBook", "ListSummary", "LogWords", "ManyParts",
                "MoveBooks", "NameFiles", "NeedBroken", "NeedMissing", "New", "Old", "Old2", "Old3", "OneRoast",
                "OpenTrail", "Opens", "Opens2", "Outer", "ParameterLabels", "Pause", "PickShelf", "PlainEmpty",
                "PlainSummary", "PlayIntent", "Pred", "Pred1", "QuietFilter", "Resolving", "ResultLabels",
                "ReverseRoasts", "SampleFile", "ScanBooks", "Search", "SearchAlbums", "SelectCity", "ShelfWidget",
                "ShowStock", "ShowStockSnippet", "Snip", "Summ", "SweepBeaches",
                "SweepInTheOldWay", "SwitchSummary", "TakeFromStock", "TenDependencies", "TideWidget", "TimerControl",
                "ToggleIntent",
                "UseDependencies", "UsesModel", "UsesRecord", "UsesRes", "WaterPlant", "WhenSummary", "Workout",
                "weather.get",
            ]
        )
        #expect(
            try AppProcess.catalog(of: "CompileShapes6").intents.map(\.name) == [
                "AdmitDog", "BakeWithoutOven", "ByExtension", "Cancellable", "ChooseGarden", "Create", "ExportNote",
                "Files", "FindPatient",
                "Instants", "Links", "ListPanes", "Log", "NearestStop", "Note", "OpenPlant", "PlanTrip", "Predictable",
                "ReadContact", "ReadVault", "Reindex", "Rename", "RenameWindow",
                "SaveNote", "SearchDishes", "ShowNothing", "ShowNothing2", "ShowNothing3", "Sign",
                "Spans", "Turn", "WalkDog", "WaterPlant",
            ]
        )
    }

    @Test func `the title of an intent with a schema is its type's name`() throws {
        let catalog = try AppProcess.catalog(of: "CompileShapes5")
        let drop = try #require(catalog.intents.first { $0.name == "DropTiles" })
        #expect(drop.title == "Drop tiles")
        guard case .array(.entity(let tile))? = drop.parameters.first?.type else {
            Issue.record("no list of entities: \(drop.parameters)")
            return
        }
        #expect(tile.title == "Tile entity")
    }

    @Test func `a logger's messages are part of the output, without private values`() throws {
        let worker = try AppProcess.performing("LogWords", of: "CompileShapes5")
        _ = try worker.result()
        #expect(try worker.acknowledge() == 0)
        #expect(worker.output == "[Intents] asked for 3, <private>\n[Intents] and none\n")
    }

    @Test func `a parameter with many labels keeps its default`() throws {
        #expect(try AppProcess.run("EveryLabel", of: "CompileShapes5").text == "true 2 x dark - ")
    }
}
