import IntentClient
import Testing
import intentctl

@Suite struct ExitCodeTests {
    @Test func `each exit code of the tables of ends and reasons is an exit code of intentctl`() {
        let codes = EndRow.all.map(\.exitCode) + CancellationReason.known.map(\.row.exitCode)
        #expect(codes.allSatisfy { ExitCode(rawValue: $0) != nil })
    }

    @Test func `history selects runs by each end`() {
        #expect(Set(HistoryOptions.states).isSuperset(of: EndRow.all.map(\.name)))
    }

    @Test(arguments: [
        (RunOutcome.done(value: nil, dialog: nil), Int32(0)),
        (.failed(message: "no soup"), 1),
        (.unanswered(parameter: "soup", question: "Which soup?"), 76),
        (.cancelled(.timeout), 124),
        (.cancelled(.clientDisconnected), 129),
        (.cancelled(.userCancelled), 130),
        (.cancelled(.unknown("moved")), 130),
        (.cancelled(.serviceStopping), 143),
        (.crashed(.signaled(signal: 11)), 70),
        (.crashed(.signaled(signal: 25)), 71),
        (.crashed(.exited(code: 0)), 70),
        (.exceeded(.memory), 71),
        (.exceeded(.tasks), 71),
        (.exceeded(.disk), 71),
        (.violated(message: "lies"), 70),
        (.lost(message: "launcher died"), 70),
        (.notStarted(message: "no executable"), 78),
        (.busy(message: "no place"), 75),
    ])
    func `every outcome has its exit code`(_ ending: RunOutcome, _ code: Int32) {
        #expect(ExitCode(ending).rawValue == code)
    }

    @Test(arguments: [
        (ErrorReport.Code.noDaemon, Int32(69)),
        (.connectionLost, 69),
        (.unknownApp, 66),
        (.unknownIntent, 66),
        (.unknownRun, 66),
        (.missingParameter, 64),
        (.badParameter, 64),
        (.unknownParameter, 64),
        (.tooLarge, 65),
        (.busy, 75),
        (.stopping, 75),
        (.notPermitted, 77),
        (.brokenApp, 78),
        (.versionMismatch, 78),
        (.init(rawValue: "of a newer daemon"), 1),
    ])
    func `every refusal has its exit code`(_ error: ErrorReport.Code, _ code: Int32) {
        #expect(ExitCode(error).rawValue == code)
    }

    @Test func `the help of run lists every exit code`() {
        let help = HelpText.of(.run)
        for code in ExitCode.allCases {
            #expect(help.contains("\(code.rawValue) "), "exit code \(code.rawValue)")
        }
    }
}
