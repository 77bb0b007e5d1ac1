import IntentLauncherMessages
import TestSupport
import Testing

/// Tests the catalogue that an app sends in mode `describe`.
@Suite(.ownThread) struct DescribeTests {
    @Test func `every intent is found, also private, nested and renamed ones, and nothing else`() throws {
        let names = try AppProcess.catalog(of: "Probe").intents.map(\.name)
        #expect(
            names == [
                "AddIntent", "AppendText", "AskForFile", "AskSomething", "AskWithView", "AwaitFile", "Background",
                "BigResult",
                "BothHandlers", "Burst",
                "Children", "Choices", "Cleanup", "ConnectTo", "Consume", "CountUp", "Crash", "CrashInFunction",
                "CreationNotes",
                "DeepTree", "Echo",
                "EchoFile",
                "ExitWith",
                "FillState", "FindResource", "Flood", "ForgetWord", "ForkStorm", "FromElsewhere", "Grandchild",
                "HiddenIntent",
                "HoldFile", "HoldLock", "KeepNote", "LateHandler",
                "Liar", "LockTwice", "MakeFile", "MakeFiles", "MakeSparse", "ManyFiles", "Measure", "NeedsGPU",
                "NeedsNaming",
                "NeedsPresence", "Nested", "ObserveMain", "OnMain", "OwnCancel", "PrintBytes", "Prints", "Raw",
                "ReadFileLater",
                "ReadFiles", "ReadText", "Remember", "RememberWord", "Report", "ReturnNote", "ReturnsAnyway",
                "RewriteResult",
                "RunProgram", "SampleRender",
                "SampleUpload",
                "Secret", "SetBowls", "ShowBowls", "ShowHostile", "ShowPictures", "SignIn", "Slow", "Spin",
                "StepByFile", "Stuck",
                "TamperWithFile", "ThreadCount", "Throws", "TickUntilFile",
                "Ticking",
                "Total", "TraceSelf", "Travel", "UseUp",
                "Variable", "WeighFile", "Where", "Witness", "WriteText", "WritesOn",
            ]
        )
    }

    @Test func `an intent is declared with title, description, parameters in order, result and traits`() throws {
        let intents = try AppProcess.catalog(of: "Archive").intents
        var compress = IntentDeclaration(
            name: "CompressIntent",
            title: "Compress a file",
            summary: "Compresses a file with gzip.",
            parameters: [
                ParameterDeclaration(name: "file", title: "File", type: .file),
                ParameterDeclaration(
                    name: "level",
                    title: "Level",
                    summary: "1 is fastest, 9 is smallest.",
                    type: .int,
                    defaultValue: .int(6),
                    range: NumberRange(lowerBound: 1, upperBound: 9)
                ),
            ],
            result: .file,
            traits: [.progressReporting, .longRunning, .cancellable]
        )
        compress.details = IntentDetails()
        compress.details?.effect = .reads
        #expect(intents.first { $0.name == "CompressIntent" } == compress)
    }

    @Test func `the catalogue has optional parameters, defaults and derived titles`() throws {
        let intents = try AppProcess.catalog(of: "Probe").intents
        let choices = try #require(intents.first { $0.name == "Choices" }).parameters
        #expect(choices.map(\.name) == ["text", "number", "ratio", "isLoud", "file"])
        #expect(choices.map(\.isOptional) == [true, true, true, false, true])
        #expect(choices.map(\.defaultValue) == [nil, nil, .double(0.5), .bool(true), nil])
        #expect(intents.first { $0.name == "AddIntent" }?.parameters.map(\.title) == ["First", "Second"])
        #expect(intents.first { $0.name == "HiddenIntent" }?.isDiscoverable == false)
    }

    @Test func `an unknown mode is refused with a message`() throws {
        let process = try AppProcess("Probe", mode: "fly")
        #expect(process.exitCode() == 78)
        #expect(process.output.contains("'fly'"))
    }
}
