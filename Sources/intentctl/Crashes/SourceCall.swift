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
    /// - Parameters:
    ///   - mangled: The function's mangled name.
    ///   - readable: The demangled name, which names the module of a function in an extension of another module's type.
    package static func isOfApp(mangled: String, readable: String) -> Bool {
        // The compiler generates the function through which a protocol's method is called.
        guard !readable.hasPrefix("protocol witness for ") else { return false }
        guard let module = module(ofExtension: readable) ?? module(ofMangled: mangled) else {
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
        "Swift", "_Concurrency", "_StringProcessing", "_RegexParser", "RegexBuilder", "Distributed", "Observation",
        "Synchronization", "Foundation", "FoundationEssentials", "FoundationInternationalization",
        "FoundationNetworking",
        "FoundationXML", "_FoundationCollections", "Dispatch", "AppIntents", "IntentWorker", "IntentWire",
        "IntentWorkerMessages", "IntentProtocol", "IntentVocabulary", "IntentLinux", "IntentCommandLine",
        "IntentContentTypes", "IntentViews", "IntentLogging",
        "CoreSpotlight", "CoreLocation", "CoreTransferable",
    ]

    /// Returns the module in a demangled name such as `(extension in Shop):Swift.String.send()`.
    private static func module(ofExtension name: String) -> String? {
        // The prefix of a specialization describes its arguments.
        let function = name.ranges(of: "> of ").last.map { name[$0.upperBound...] } ?? name[...]
        guard let mark = function.firstRange(of: "(extension in ") else { return nil }
        return String(function[mark.upperBound...].prefix { $0 != ")" })
    }

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

    /// Returns the cause of a trap from a name such as `Swift runtime failure: Index out of range`. Returns nil for
    /// another name. The compiler writes such names into the debug information of an optimised program, which prints no
    /// message for such a trap.
    static func trapCause(in name: String) -> String? {
        let mark = "Swift runtime failure: "
        return name.hasPrefix(mark) ? String(name.dropFirst(mark.count)) : nil
    }

    /// Removes the prefix of a continuation, the module name `Swift`, and the file's identifier in the name of a
    /// private function, such as `(send in _1A2B)`, from a demangled function name.
    package static func shortened(_ name: String) -> String {
        var text = name[...]
        for mark in ["await resume partial function for ", "suspend resume partial function for "] {
            if let range = text.firstRange(of: mark) { text = text[range.upperBound...] }
        }
        return String(text.replacing("Swift.", with: "").replacing(/\((\w+) in _[0-9A-F]+\)/) { $0.output.1 })
    }
}
