/// A call in a program's source, as named by a symbolizer or a symbol table.
package struct SourceCall: Hashable, Sendable {
    /// The name of the function, readable or mangled; nil when it is unknown.
    package var function: String?
    /// The path of the source file; nil when the debug information does not contain it.
    package var file: String?
    /// The line in the file; nil when the debug information does not contain it.
    package var line: Int?

    package init(function: String?, file: String? = nil, line: Int? = nil) {
        self.function = function
        self.file = file
        self.line = line
    }

    /// Returns true if the call belongs to the app rather than to a library that is linked into its executable.
    ///
    /// - Parameter mangled: The function's mangled name.
    package static func isOfApp(mangled: String) -> Bool {
        guard let module = module(ofMangled: mangled) else {
            return !runtimePrefixes.contains { mangled.hasPrefix($0) }
        }
        return !libraryModules.contains(module)
    }

    private static let runtimePrefixes = [
        "swift_", "_swift_", "intentd_", "dispatch_", "_dispatch_", "__libc_", "_ZN5swift", "_ZL", "_start",
        "start_thread",
        "__clone", "clone",
    ]
    private static let libraryModules: Set<String> = [
        "Swift", "_Concurrency", "Foundation", "FoundationEssentials", "FoundationInternationalization", "Dispatch",
        "Synchronization", "AppIntents", "IntentWorker", "IntentWire", "IntentProtocol", "IntentLinux",
        "IntentCommandLine",
    ]

    /// Returns the module in a mangled Swift name: `Shop` for `$s4Shop…`. Nil for another name.
    static func module(ofMangled name: String) -> String? {
        guard
            let rest = ["$s", "$S", "_$s"].lazy.filter({ name.hasPrefix($0) }).first.map({ name.dropFirst($0.count) })
        else { return nil }
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        // A name without a length begins with the abbreviation of a type in the standard library.
        guard !digits.isEmpty, let count = Int(digits), count < 256 else { return "Swift" }
        return String(rest.dropFirst(digits.count).prefix(count))
    }

    /// Removes the prefix of a continuation and the module name `Swift` from a demangled function name.
    package static func shortened(_ name: String) -> String {
        var text = name[...]
        for mark in ["await resume partial function for ", "suspend resume partial function for "] {
            if let range = text.firstRange(of: mark) { text = text[range.upperBound...] }
        }
        return String(text.replacing("Swift.", with: ""))
    }
}
