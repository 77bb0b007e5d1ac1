/// The commands that use the result of a run.
extension CommandSpec {
    static let fetch = CommandSpec(
        name: "fetch",
        words: ("RUN", 1...1),
        summary: "save the result files of a detached run",
        reach: [.severalHosts, .fleet],
        completes: first(.runs),
        perform: { try await FetchCommand(invocation: $0).perform() },
        options: [outFolder, OptionSpec("keep", .flag, "keep the files in intentd for another fetch")],
        notes: [
            "Prints the path of each file. intentd keeps result files until they are fetched, or for KeepFiles= of",
            "[History] (7 days). An attached run saves its files when it ends.",
        ]
    )

    static let undo = CommandSpec(
        name: "undo",
        words: ("RUN", 1...1),
        summary: "undo a run with the intent that it registered",
        reach: [.severalHosts, .fleet],
        completes: first(.runs),
        perform: { try await UndoCommand(invocation: $0).perform() },
        options: [outFolder, noInput],
        notes: [
            "Undoing starts a new run, and requires that history still contains RUN. RUN is undone once: if the command",
            "is repeated, it follows the same new run. If the new run has failed, the command starts another run.",
            "Exit codes: as for 'run'; 66: RUN registered no undo.",
        ]
    )

    static let press = CommandSpec(
        name: "press",
        words: ("RUN NUMBER", 2...2),
        summary: "press a button or a toggle in the snippet of a run",
        reach: [.oneHost, .fleet],
        completes: first(.runs),
        perform: { try await PressCommand(invocation: $0).perform() },
        options: [outFolder, noInput],
        notes: [
            "Performs the intent of the control with this number as a new run that you own, under the rules of 'run'. If",
            "an intent can refresh the snippet, intentctl then performs that intent, and prints the new snippet. To press",
            "another control, specify the run that refreshed the snippet. RUN can have ended or be waiting for an answer.",
            "With --fleet, the new run is a run of the fleet, and a host must offer the control's intent (Fleet=).",
            "Exit codes: as for 'run'; 66: RUN has no control with that number.",
        ]
    )
}
