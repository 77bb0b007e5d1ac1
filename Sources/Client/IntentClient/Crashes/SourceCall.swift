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
        guard !readable.hasPrefix(utf8: "protocol witness for ") else { return false }
        guard let module = module(ofExtension: readable) ?? module(ofMangled: mangled) else {
            return !runtimePrefixes.contains { mangled.hasPrefix(utf8: $0) }
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
        "FoundationXML", "_FoundationCollections", "Dispatch", "AppIntents", "IntentWorker", "IntentLauncherMessages",
        "IntentWorkerMessages", "IntentProtocol", "IntentSharedTypes", "IntentLinux", "IntentCommandLine",
        "IntentContentTypes", "IntentViews", "IntentLogging",
        "CoreSpotlight", "CoreLocation", "CoreTransferable", "WidgetKit", "IntentText", "AppIntentsTesting",
        "SiriEvaluations", "IntentLifecycle", "IntentClient", "Testing", "XCTest",
    ]

    /// Returns the module in a demangled name such as `(extension in Shop):Swift.String.send()`.
    private static func module(ofExtension name: String) -> String? {
        // The prefix of a specialization describes its arguments.
        var function = Substring(name)
        while let rest = function.rest(after: "> of ") { function = rest }
        guard let module = function.rest(after: "(extension in ") else { return nil }
        return String(module.unicodeScalars.prefix { $0 != ")" })
    }

    /// Returns the module in a mangled Swift name: `Shop` for `$s4Shop…`. Nil for another name.
    static func module(ofMangled name: String) -> String? {
        guard let prefix = ["$s", "$S", "_$s"].first(where: { name.hasPrefix(utf8: $0) }) else { return nil }
        let rest = name.unicodeScalars.dropFirst(prefix.scalarCount)
        let digits = rest.prefix(while: \.isASCIIDigit)
        // A name without a length begins with the abbreviation of a type in the standard library.
        guard let count = Int(Substring(digits)), count < 256 else { return "Swift" }
        return String(rest.dropFirst(digits.count).prefix(count))
    }

    /// Returns the cause of a trap from a name such as `Swift runtime failure: Index out of range`. Returns nil for
    /// another name. The compiler writes such names into the debug information of an optimised program, which prints no
    /// message for such a trap.
    static func trapCause(in name: String) -> String? {
        let mark = "Swift runtime failure: "
        return name.hasPrefix(utf8: mark) ? String(name.dropFirst(scalars: mark.scalarCount)) : nil
    }

    /// Removes the prefix of a continuation, the module name `Swift`, and the file's identifier in the name of a
    /// private function, such as `(send in _1A2B)`, from a demangled function name.
    package static func shortened(_ name: String) -> String {
        var text = Substring(name)
        for mark in ["await resume partial function for ", "suspend resume partial function for "] {
            text = text.rest(after: mark) ?? text
        }
        let parts = text.replacing(utf8: "Swift.", with: "").split(scalar: "(", omittingEmptySubsequences: false)
        return String(parts[0]) + parts.dropFirst().map { privateName(in: $0) ?? "(\($0)" }.joined()
    }

    /// Returns the text with `send` instead of `send in _1A2B)` at its start, or nil for another text.
    private static func privateName(in text: Substring) -> String? {
        let parts = text.split(scalar: ")", maxSplits: 1, omittingEmptySubsequences: false)
        let words = parts[0].split(scalar: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, words.count == 3, words[1] == "in", words[2].hasPrefix(utf8: "_"),
            words[2].utf8.dropFirst().allSatisfy({ "0123456789ABCDEF".utf8.contains($0) })
        else { return nil }
        return "\(words[0])\(parts[1])"
    }
}

extension Substring {
    /// Returns the text after the first occurrence of `mark`, or nil if the text does not contain it.
    fileprivate func rest(after mark: String) -> Substring? {
        firstRange(utf8: mark).map { Substring(utf8[$0.upperBound...]) }
    }
}
