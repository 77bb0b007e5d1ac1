package import IntentLinux

/// The result of checking an app before it is installed.
package struct AppVerdict: Equatable, Sendable {
    package var path: String
    /// The properties of the file; nil if the file is not an executable for this machine.
    package var executable: Executable?
    package var libraries: [SharedLibraries.Entry] = []
    /// The app's intents; nil if they were not read, or if the app reported no intents.
    package var intents: [IntentDeclaration]?
    /// The settings that the file of a command app sets.
    package var settings: [SettingInEffect] = []
    /// The reasons why the app would not run, each with the next step. The array is empty if the app would run.
    package var problems: [Problem] = []
    /// Problems that do not prevent the app from running.
    package var warnings: [Problem] = []

    /// The properties of an executable file.
    package struct Executable: Equatable, Sendable {
        package enum SwiftLibrary: String, Sendable {
            case dynamic
            case `static`
            case none
        }

        /// The architecture of the file, such as `x86-64`.
        package var machine: String
        /// How the file is linked with Swift's standard library.
        package var swiftLibrary: SwiftLibrary

        package init(_ image: ElfImage, sectionNames: Set<String>) {
            // Use this machine's name, because `ElfImage` rejects a file for another machine.
            machine = ElfMachine.own.name
            swiftLibrary =
                if image.needed.contains("libswiftCore.so") {
                    .dynamic
                } else {
                    // These sections contain Swift's type metadata.
                    sectionNames.contains { $0.hasPrefix(utf8: "swift5_") } ? .static : .none
                }
        }
    }

    package struct Problem: Error, Equatable, Sendable {
        package var message: String
        package var hint: String

        package init(_ message: String, hint: String) {
            self.message = message
            self.hint = hint
        }

        fileprivate var document: JSONValue { .object(["message": .string(message), "hint": .string(hint)]) }
    }

    package init(path: String) {
        self.path = path
    }

    package var exitCode: ExitCode { problems.isEmpty ? .done : .configuration }

    /// A description of the result for users.
    package var text: String {
        var lines = [SafeText.line(path)]
        if let executable {
            lines.append("  executable  ELF, \(executable.machine)")
            switch executable.swiftLibrary {
            case .dynamic: lines.append("  Swift       standard library linked dynamically")
            case .static: lines.append("  Swift       standard library linked statically")
            case .none: lines.append("  Swift       not found")
            }
            if libraries.isEmpty { lines.append("  libraries   none needed") }
            let width = libraries.map(\.name.scalarCount).max() ?? 0
            for (index, library) in libraries.enumerated() {
                let label = index == 0 ? "libraries" : ""
                let padding = String(repeating: " ", count: width - library.name.scalarCount)
                let found = library.path.map { "found    \($0)" } ?? "missing"
                let needer = library.path == nil ? library.neededBy.map { ", needed by \($0)" } ?? "" : ""
                lines.append(
                    "  \(label)\(String(repeating: " ", count: 12 - label.scalarCount))"
                        + SafeText.line("\(library.name)\(padding)  \(found)\(needer)")
                )
            }
        }
        if let intents {
            lines.append("  intents     \(intents.count)")
            lines += intents.map { "              \(SafeText.line($0.name))  \(SafeText.line($0.title))" }
        }
        for (index, line) in CatalogText.settings(settings).enumerated() {
            lines.append("  \(index == 0 ? "settings  " : "          ")\(line)")
        }
        lines += problems.map { "  problem     \(SafeText.line($0.message))\n              \(SafeText.line($0.hint))" }
        lines += warnings.map { "  warning     \(SafeText.line($0.message))\n              \(SafeText.line($0.hint))" }
        lines.append(problems.isEmpty ? "ready to be installed" : "the app would not run")
        return lines.joined(separator: "\n")
    }

    package var document: JSONValue {
        .members([
            "path": .string(path),
            "isReady": .bool(problems.isEmpty),
            "machine": executable.map { .string($0.machine) },
            "swiftLibrary": executable.map { .string($0.swiftLibrary.rawValue) },
            "libraries": .array(
                libraries.map { library in
                    .members([
                        "name": .string(library.name), "path": library.path.map(JSONValue.string),
                        "isMissing": .bool(library.path == nil), "neededBy": library.neededBy.map(JSONValue.string),
                    ])
                }
            ),
            "intents": intents.map { .array($0.map { .string($0.name) }) },
            "settings": settings.isEmpty ? nil : .array(settings.map { JSONValue($0) }),
            "warnings": .array(warnings.map(\.document)),
            "problems": .array(problems.map(\.document)),
        ])
    }
}

extension [AppVerdict.Problem] {
    mutating func add(_ message: String, hint: String) { append(AppVerdict.Problem(message, hint: hint)) }
}
