import Foundation
import IntentClient

/// `intentctl verify EXECUTABLE`
struct VerifyCommand {
    /// More than any program has; one read of it must not fill the memory.
    private static let byteLimit = 2 << 30

    private let invocation: Invocation

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    func perform() async throws -> ExitCode {
        let path = try resolve(invocation.words[0])
        var verdict = AppVerdict(path: path)
        examine(path, &verdict)
        // What lacks a library could only say so in the dynamic linker's words.
        if verdict.problems.isEmpty { try await ask(path, &verdict) }
        try Console.output(invocation.wantsJSON ? verdict.document.prettyText() : verdict.text)
        return verdict.exitCode
    }

    private func resolve(_ word: String) throws(CommandFailure) -> String {
        let path = URL(filePath: word).resolvingSymlinksInPath().path(percentEncoded: false)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
            throw CommandFailure(
                .notFound,
                code: IntentClientError.Code.noExecutable.rawValue,
                isFolder.boolValue ? "'\(word)' is a folder, not an executable" : "there is no file '\(word)'",
                hint: "name an app's executable, such as .build/debug/Soup."
            )
        }
        return path
    }

    /// What the file itself says.
    private func examine(_ path: String, _ verdict: inout AppVerdict) {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            verdict.problems.append(.init("it may not be executed", hint: "give it the permission: chmod a+rx"))
            return
        }
        switch Self.read(path) {
        case .failure(let problem): verdict.problems.append(problem)
        case .success(let elf):
            verdict.elf = elf
            let libraries = SharedLibraries(libraryPath: ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]) {
                // A file of another machine, or no library at all: the linker passes it over too.
                try? Self.read($0).get()
            }
            verdict.libraries = libraries.resolve(elf, at: path)
            let missing = verdict.libraries.filter { $0.path == nil }.map(\.name)
            guard !missing.isEmpty else { return }
            let isSwift = missing.contains { $0.hasPrefix("libswift") || $0.contains("Foundation") }
            verdict.problems.append(
                .init(
                    "\(missing.count == 1 ? "a library is" : "libraries are") missing: "
                        + missing.joined(separator: ", "),
                    hint: isSwift
                        ? "install the Swift runtime here, or link it in: swift build --static-swift-stdlib"
                        : "install the package that has it, or put it beside the executable with a run path of $ORIGIN."
                )
            )
        }
    }

    /// What the app tells of itself, in the sandbox in which it will run.
    private func ask(_ path: String, _ verdict: inout AppVerdict) async throws {
        do {
            let app = try await LocalDaemon.with(path) { connection, name, _ in try await connection.app(named: name) }
            verdict.intents = app.intents
            for warning in app.warnings {
                let parts = warning.split(separator: ". ", maxSplits: 1).map(String.init)
                verdict.warnings.append(.init(parts[0], hint: parts.count > 1 ? parts[1] + "." : ""))
            }
            compare(path, with: app.intents ?? [], &verdict)
            if app.intents?.isEmpty ?? true {
                verdict.problems.append(
                    .init(
                        app.problem ?? "it has no intents",
                        hint: "declare a type that conforms to AppIntent in the program's own module."
                    )
                )
            }
        } catch let error as IntentClientError where error.code == .brokenApp || error.code == .unknownApp {
            verdict.problems.append(.init(error.message, hint: error.hint ?? "run it by hand to see why."))
        }
    }

    /// Whether every intent that the compiler wrote down is in the catalogue, where it wrote them down.
    private func compare(_ path: String, with intents: [InstalledIntent], _ verdict: inout AppVerdict) {
        // A file that cannot be read was examined before.
        guard let program = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) else { return }
        let declared = ConstValues.intents(beside: path, of: program)
        let known = Set(intents.map(\.name))
        for intent in declared where intent.isGeneric {
            verdict.warnings.append(
                .init("the intent '\(intent.typeName)' is generic, and never found", hint: "make a type for each use.")
            )
        }
        for intent in declared where !intent.isGeneric && !known.contains(intent.name) {
            verdict.warnings.append(
                .init(
                    "the intent '\(intent.typeName)' is in the source, and lost in this build",
                    hint: "name AppIntent in its declaration, or build with -Xswiftc -enable-private-imports."
                )
            )
        }
        for intent in declared where intent.title == "" {
            verdict.warnings.append(.init("the intent '\(intent.typeName)' has no title", hint: "give it one."))
        }
    }

    private static func read(_ path: String) -> Result<ElfFile, AppVerdict.Problem> {
        let bytes: [UInt8]
        do {
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            guard size <= byteLimit else {
                return .failure(.init("it has more than \(byteLimit) bytes", hint: "strip it, and link less in."))
            }
            bytes = [UInt8](try Data(contentsOf: URL(filePath: path), options: .mappedIfSafe))
        } catch {
            return .failure(.init("it cannot be read: \(error)", hint: "give it the permission: chmod a+rx"))
        }
        do throws(ElfFile.Problem) {
            let elf = try ElfFile(bytes)
            guard elf.isLoadable else {
                return .failure(.init("it is an object file, not an executable", hint: "link it: swift build"))
            }
            guard elf.machine == ElfFile.ownMachine else {
                let names = [elf.machine, ElfFile.ownMachine].map(ElfFile.name)
                return .failure(
                    .init(
                        "it is built for \(names[0]), and this machine is \(names[1])",
                        hint: "build it for \(names[1])."
                    )
                )
            }
            return .success(elf)
        } catch {
            switch error {
            case .notELF:
                let isScript = bytes.starts(with: Array("#!".utf8))
                return .failure(
                    .init(
                        isScript ? "it is a script, and an app is an ELF executable" : "it is no ELF executable",
                        hint: "name what 'swift build' made, such as .build/debug/Soup."
                    )
                )
            case .truncated: return .failure(.init("its end is missing: it was cut", hint: "build or copy it again."))
            case .unsupportedForm:
                return .failure(.init("it is no 64-bit little-endian ELF file", hint: "build it for this machine."))
            }
        }
    }
}
