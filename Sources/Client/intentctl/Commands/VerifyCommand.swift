import FoundationEssentials
import Glibc
import IntentCommands
import IntentConfiguration
import IntentLinux

/// Implements `intentctl verify EXECUTABLE|FILE.intents|FILE.shortcut`, which checks an app before it is installed.
struct VerifyCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        let path = try resolve(invocation.words[0])
        var verdict = AppVerdict(path: path)
        var shortcut: ShortcutFile?
        if path.hasSuffix(utf8: ShortcutFile.suffix) {
            shortcut = examineShortcut(path, &verdict)
        } else if path.hasSuffix(utf8: CommandFile.suffix) {
            CommandFileExamination(path: path).examine(&verdict)
        } else {
            examine(path, &verdict)
        }
        // Do not start an app that has problems. If a library is missing, the app would print only an error from the
        // dynamic linker.
        if verdict.problems.isEmpty, let shortcut {
            try await ask(path, shortcut, &verdict)
        } else if verdict.problems.isEmpty {
            try await ask(path, &verdict)
        }
        try invocation.output(json: verdict.document, text: verdict.text)
        return verdict.exitCode
    }

    private func resolve(_ word: String) throws(CommandFailure) -> String {
        let path = URL(filePath: word).resolvingSymlinksInPath().path(percentEncoded: false)
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder else {
            throw CommandFailure(
                .noExecutable,
                isFolder ? "'\(word)' is a folder, not an executable" : "file not found: '\(word)'",
                hint: "specify an app's executable, such as .build/debug/Soup"
            )
        }
        return path
    }

    /// Parses an intentd.shortcut(5) file.
    private func examineShortcut(_ path: String, _ verdict: inout AppVerdict) -> ShortcutFile? {
        do {
            return try ShortcutFile(try File.bytes(at: path), file: path)
        } catch let error as CommandFileProblems {
            for problem in error.problems {
                verdict.problems.add(problem.description, hint: "see intentd.shortcut(5)")
            }
        } catch {
            verdict.problems.add("cannot read it: \(error)", hint: "change its mode: chmod a+r")
        }
        return nil
    }

    /// Checks the steps of a shortcut against the apps of this host, as their user may run them.
    private func ask(_ path: String, _ shortcut: ShortcutFile, _ verdict: inout AppVerdict) async throws {
        let apps = try await LocalDaemon.with(path, for: .examination) { connection, _ in try await connection.apps() }
        let catalogs = Dictionary(apps.compactMap { app in app.catalog.map { (app.name, $0) } }) { first, _ in first }
        let types = ShortcutTypes(of: shortcut, file: path, catalogs: catalogs)
        for problem in types.problems {
            verdict.problems.add(problem.description, hint: "see intentd.shortcut(5)")
        }
        for warning in types.warnings { verdict.warnings.append(Self.problem(warning: warning)) }
        verdict.intents = shortcut.catalog.intents
    }

    /// Checks that the file is an ELF executable for this machine, and that the dynamic linker can find its libraries.
    private func examine(_ path: String, _ verdict: inout AppVerdict) {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            verdict.problems.add("it is not executable", hint: "change its mode: chmod a+rx")
            return
        }
        do throws(ElfError) {
            let image = try ElfImage(at: path)
            verdict.executable = AppVerdict.Executable(image, sectionNames: try ElfImage.sectionNames(at: path))
            let libraries = SharedLibraries(libraryPath: environmentText("LD_LIBRARY_PATH")) {
                // Like the dynamic linker, skip files for another machine and files that are not libraries.
                try? ElfImage(at: $0)
            }
            verdict.libraries = libraries.resolve(image, at: path)
            // Only an author builds the app again.
            if Self.isProgramOnPath("swift") {
                verdict.warnings += StaticFoundation.warnings(for: verdict.libraries) { access($0, F_OK) == 0 }
            }
            let missing = verdict.libraries.filter { $0.path == nil }.map(\.name)
            guard !missing.isEmpty else { return }
            let isSwift = missing.contains { $0.hasPrefix(utf8: "libswift") || $0.contains(utf8: "Foundation") }
            verdict.problems.add(
                "\(missing.count == 1 ? "a library is" : "libraries are") missing: "
                    + missing.joined(separator: ", "),
                hint: isSwift
                    ? "install the Swift runtime, or link it statically: swift build --static-swift-stdlib"
                    : StaticFoundation.installation(of: missing)
                        ?? "install its package, or copy it to the executable's folder and use the run path $ORIGIN"
            )
        } catch {
            verdict.problems.append(Self.problem(error))
        }
    }

    private static func isProgramOnPath(_ name: String) -> Bool {
        environmentText("PATH")?.split(scalar: ":").contains { access("\($0)/\(name)", X_OK) == 0 } == true
    }

    /// Reads the app's catalogue in a sandbox, as intentd does.
    private func ask(_ path: String, _ verdict: inout AppVerdict) async throws {
        // Set a variable that the private daemon inherits. It makes the process that reports the catalogue also create
        // the app, and report dependencies that are not registered.
        setenv("INTENTD_EXAMINE", "yes", 1)
        defer { unsetenv("INTENTD_EXAMINE") }
        do {
            let app = try await LocalDaemon.with(path, for: .examination) { connection, name in
                try await connection.app(named: name)
            }
            verdict.intents = app.intents
            if path.hasSuffix(utf8: CommandFile.suffix) {
                verdict.settings = (app.settings ?? []).filter { $0.source?.hasPrefix(utf8: "\(path):") == true }
            }
            for warning in app.catalog?.warnings ?? [] {
                verdict.warnings.append(Self.problem(warning: warning))
            }
            if !path.hasSuffix(utf8: CommandFile.suffix) {
                compare(path, with: app.intents ?? [], &verdict)
                verdict.warnings += IgnoredModifiers.warnings(in: Self.programs(path, verdict.libraries))
            }
            if app.intents?.isEmpty ?? true {
                verdict.problems.add(
                    app.problem ?? "the app has no intents",
                    hint: "declare a type that conforms to AppIntent in the program's main module"
                )
            }
        } catch let error as IntentClientError where error.code == .brokenApp || error.code == .unknownApp {
            verdict.problems.add(error.message, hint: error.hint ?? "run it in a shell to find the cause")
        }
    }

    /// Compares the catalogue with the intents that the compiler extracted, if the list of those intents is in the
    /// executable's folder.
    private func compare(_ path: String, with intents: [IntentDeclaration], _ verdict: inout AppVerdict) {
        // Ignore an unreadable file, which the earlier checks have already reported.
        guard let program = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) else { return }
        let declared = ConstValues.intents(beside: path, of: program)
        let known = Set(intents.map(\.name))
        for intent in declared where intent.isGeneric {
            verdict.warnings.add(
                "the intent '\(intent.typeName)' is generic, so intentd cannot find it",
                hint: "declare a concrete type for each use"
            )
        }
        for intent in declared where !intent.isGeneric && !known.contains(intent.name) {
            verdict.warnings.add(
                "the intent '\(intent.typeName)' is declared in the source but missing from this build",
                hint: "write AppIntent in its declaration, or build with -Xswiftc -enable-private-imports"
            )
        }
        for intent in declared where intent.title == "" {
            verdict.warnings.add("the intent '\(intent.typeName)' has no title", hint: "declare a title")
        }
    }

    /// Returns the contents of the executable and of the libraries outside the system's folders.
    private static func programs(_ path: String, _ libraries: [SharedLibraries.Entry]) -> [Data] {
        let own = libraries.compactMap(\.path).filter { !$0.hasPrefix(utf8: "/usr/lib") && !$0.hasPrefix(utf8: "/lib") }
        // Ignore an unreadable file, which has already been reported.
        return ([path] + own).compactMap { try? Data(contentsOf: URL(filePath: $0), options: .mappedIfSafe) }
    }

    /// Splits a warning of the catalogue into the problem, which is its first sentence, and the hint.
    static func problem(warning: String) -> AppVerdict.Problem {
        guard let end = warning.firstRange(utf8: ". ") else { return .init(warning, hint: "") }
        let (message, hint) = (warning.utf8[..<end.lowerBound], warning.utf8[end.upperBound...])
        return .init(String(Substring(message)), hint: String(Substring(hint)))
    }

    private static func problem(_ error: ElfError) -> AppVerdict.Problem {
        switch error {
        case .unreadable(let error): .init("cannot read it: \(error)", hint: "change its mode: chmod a+rx")
        case .notRegular: .init("it is not a regular file", hint: "specify the executable that 'swift build' created")
        case .script:
            .init(
                "it is a script, not an ELF executable",
                hint: "specify the executable that 'swift build' created, such as .build/debug/Soup"
            )
        case .notElf:
            .init(
                "it is not an ELF executable",
                hint: "specify the executable that 'swift build' created, such as .build/debug/Soup"
            )
        case .foreign(_, let machine):
            .init(
                "it is built for \(machine), but this machine is \(ElfMachine.own.name)",
                hint: "build it for \(ElfMachine.own.name)"
            )
        case .unsupported:
            .init("it is not a 64-bit little-endian ELF file", hint: "build the app for this machine")
        case .notLoadable: .init("it is an object file, not an executable", hint: "link it: swift build")
        case .damaged(_, let what): .init("it is damaged: \(what)", hint: "build or copy it again")
        case .excessive(_, let limit): .init("it needs more than \(limit) libraries", hint: "link it with fewer")
        }
    }
}
