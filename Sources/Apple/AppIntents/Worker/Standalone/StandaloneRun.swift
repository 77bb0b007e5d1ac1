import CIntentWorker
import Foundation
import Glibc
import IntentCommandLine
import IntentLinux
import IntentSharedTypes
import IntentWorker
import IntentWorkerMessages

/// An app that was started from the command line instead of by `intentd`. It lists its intents, or performs one in its
/// own process, without a sandbox or limits.
struct StandaloneRun: Sendable {
    let registry: IntentRegistry
    let makeApp: CreatedApp.Maker

    /// The exit codes, which have the same meanings as the exit codes of `intentctl run`.
    enum Code: Int32 {
        case done = 0
        case threw = 1
        case usage = 64
        case unknownIntent = 66
        case needsValue = 76
        case configuration = 78
        case cancelled = 130
    }

    func run() -> Never {
        if let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap({ (name: String) in getenv(name) }).first {
            RunLocale.choose(String(foreign: locale))
        }
        let catalog: IntentCatalog
        do {
            catalog = try registry.catalog()
        } catch {
            Self.exit(.configuration, "\(error)")
        }
        let arguments = CommandLineWords.read()
        guard let name = arguments.first, name != "--help", name != "-h" else {
            print(IntentListing.text(of: catalog, program: Self.programName))
            Self.exit(.done)
        }
        guard case .intent(let intent) = catalog.intent(named: name) else {
            let hint = NearestName.hint(for: name, among: catalog.intents.map(\.name))
            Self.exit(.unknownIntent, "\(Self.programName) has no intent '\(name)'" + (hint.map { "; \($0)" } ?? ""))
        }
        if arguments.dropFirst().contains("--help"), !intent.parameters.contains(where: { $0.name == "help" }) {
            print(IntentListing.text(of: intent, choices: true))
            Self.exit(.done)
        }
        do {
            let arguments = try IntentArguments(Array(arguments.dropFirst()), for: intent, of: Self.programName)
            perform(intent, arguments)
        } catch {
            Self.exit(.usage, error.message + (error.hint.map { "; \($0)" } ?? ""))
        }
    }

    private static var programName: String { (CommandLineWords.program as NSString).lastPathComponent }

    private func perform(_ intent: IntentDeclaration, _ arguments: IntentArguments) -> Never {
        guard let type = registry.type(named: intent.name) else {
            preconditionFailure("the catalogue lists an intent that the registry does not contain")
        }
        let (wakeEvent, interruptEvent) = (intentd_event_create(), intentd_event_create())
        guard wakeEvent >= 0, interruptEvent >= 0, intentd_interrupts_signal(interruptEvent) == 0 else {
            Self.exit(.configuration, "cannot handle Ctrl-C: \(Errno(rawValue: errno))")
        }
        StandardError.print("performing \(intent.name) in this process, without a sandbox or limits")
        let session = RunSession(asking: .none) { intentd_event_signal(wakeEvent) }
        let directory = FileManager.default.currentDirectoryPath
        session.start(
            { [makeApp] in
                await CreatedApp.create(makeApp)
                return await type.run(
                    values: arguments.values,
                    files: IncomingFiles(arguments.files),
                    directory: File.realPath(directory) ?? directory
                )
            },
            ended: { _ in intentd_event_signal(wakeEvent) }
        )
        let isCancelled = wait(for: session, wakeEvent, interruptEvent)
        // On Linux, Foundation writes the values only when the app asks for it.
        intentd_flush_preferences()
        guard let ending = session.ending else { preconditionFailure("the wait returned before the run ended") }
        if isCancelled { Self.exit(.cancelled, "cancelled") }
        report(ending, of: intent, directory)
    }

    /// Waits until the run has ended, and cancels it on Ctrl-C. Returns true if it was cancelled.
    private func wait(for session: RunSession, _ wakeEvent: Int32, _ interruptEvent: Int32) -> Bool {
        var isCancelled = false
        while session.ending == nil {
            var sources = [
                pollfd(fd: wakeEvent, events: Int16(POLLIN), revents: 0),
                pollfd(fd: interruptEvent, events: Int16(POLLIN), revents: 0),
            ]
            // Ignore EINTR, because the loop checks the state after every wait.
            _ = poll(&sources, 2, -1)
            intentd_event_clear(wakeEvent)
            if sources[1].revents != 0, !isCancelled {
                isCancelled = true
                intentd_event_clear(interruptEvent)
                StandardError.print("cancelling; press Ctrl-C again to exit immediately")
                session.cancel(.userCancelled)
            }
        }
        return isCancelled
    }

    private func report(_ ending: RunEnding, of intent: IntentDeclaration, _ directory: String) -> Never {
        switch ending.result.ending {
        case .returned(let value, let dialog):
            if let dialog { StandardError.print(dialog) }
            if let snippet = ending.result.details?.snippet { Self.show(snippet, of: intent) }
            do {
                if let value, value != .null, value != .array([]) { print(try text(of: value, ending, directory)) }
            } catch {
                Self.exit(.threw, "cannot write the returned file: \(error)")
            }
            Self.exit(.done)
        case .threw(let message): Self.exit(.threw, message)
        case .needsValue(let name, let question): Self.exit(.needsValue, Self.text(of: question, about: name, intent))
        case .threwCancellation: Self.exit(.threw, "the intent threw CancellationError, but its run was not cancelled")
        }
    }

    /// Shows a snippet as `intentctl run` does. Its controls cannot be used, because no run is recorded.
    private static func show(_ snippet: Snippet, of intent: IntentDeclaration) {
        // Print the lines as they are: `SnippetText` has escaped the control characters in them.
        for line in SnippetText.lines(snippet, columns: SnippetText.columnLimit, .none) { StandardError.print(line) }
        guard !snippet.controls.isEmpty else { return }
        StandardError.print(
            "the controls cannot be used, because intentd performs their intents and this program runs without it; "
                + "install the app, then: intentctl run \(programName)/\(intent.name)"
        )
    }

    private static func text(of question: String, about name: String?, _ intent: IntentDeclaration) -> String {
        guard let parameter = intent.parameters.first(where: { $0.name == name }) else { return question }
        return """
            \(question)
            \(intent.name) needs a value for '\(parameter.name)': add \(IntentListing.usage(of: parameter))
            """
    }

    private func text(of value: IntentValue, _ ending: RunEnding, _ directory: String) throws -> String {
        switch value {
        case .null: ""
        case .bool(let flag): String(flag)
        case .int(let number): String(number)
        case .double(let number): String(number)
        case .string(let text): text
        case .array(let values): try values.map { try text(of: $0, ending, directory) }.joined(separator: "\n")
        case .file(let reference): try path(of: reference, ending, directory)
        case .object: String(foreign: try Self.encoder.encode(PlainJSON(value: value)))
        }
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    private func path(of reference: FileReference, _ ending: RunEnding, _ directory: String) throws -> String {
        switch ending.result.files[reference.index] {
        case .path(let path): return path
        case .memory:
            let inMemory = ending.result.files[..<reference.index].filter { $0 == .memory }.count
            return try OutgoingFiles.copy(ending.descriptors[inMemory], named: reference.name, into: directory)
        }
    }

    private static func exit(_ code: Code, _ message: String? = nil) -> Never {
        if let message { StandardError.print(message) }
        intentd_flush_output()
        _exit(code.rawValue)
    }
}
