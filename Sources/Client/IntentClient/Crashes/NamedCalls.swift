internal import IntentLinux

/// The names of the calls in a worker's report of a crash, or of its threads, from an app's executable and libraries. None of
/// the app's code is executed: a confined process reads each file (``ConfinedTool``).
package struct NamedCalls: Sendable {
    /// A call, and whether the call belongs to the app.
    package struct Call: Hashable, Sendable {
        package var source: SourceCall
        package var isOfApp: Bool

        package init(source: SourceCall, isOfApp: Bool) {
            self.source = source
            self.isOfApp = isOfApp
        }
    }

    /// The calls, keyed by the index of their frame. A frame has several calls if the compiler inlined functions.
    package var calls: [Int: [Call]] = [:]
    /// The cause of a trap, from an optimised program's debug information; nil if it contains no cause.
    package var trapCause: String?
    /// The reasons why calls have no name.
    package var problems: [String] = []

    package init() {}

    /// Reads the executable and the libraries in its folder.
    ///
    /// - Parameters:
    ///   - executable: The path of the app's executable.
    ///   - readableNames: Returns the demangled forms of names, in their order.
    package init(
        of frames: [CrashReport.Frame],
        in images: [CrashReport.Image],
        executable: String,
        readableNames: ([String]) -> [String]
    ) {
        for (index, image) in images.enumerated() {
            guard let path = Self.path(of: image, executable: executable) else { continue }
            let identity: ElfIdentity
            do throws(ElfError) {
                identity = try ElfIdentity(at: path)
            } catch {
                problems.append("cannot read '\(path)': \(error)")
                continue
            }
            guard identity.buildID == image.buildID else {
                problems.append(
                    "a different build has replaced '\(path)' since the crash (build ID \(identity.buildID ?? "none"), "
                        + "expected \(image.buildID ?? "none")); use a copy of the original build to find the functions"
                )
                continue
            }
            let own = frames.indices.filter { frames[$0].image == index }
            name(own.map { ($0, frames[$0]) }, path, identity, readableNames)
        }
    }

    /// Returns the path of an image in the app's folder; nil for other images. The report is untrusted, and must not
    /// make the caller read any other file.
    package static func path(of image: CrashReport.Image, executable: String) -> String? {
        if image.path.isEmpty { return executable }
        guard let slash = executable.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let isPlain = !image.path.split(scalar: "/").contains { $0 == ".." || $0 == "." }
        return isPlain && image.path.utf8.starts(with: executable.utf8[...slash]) ? image.path : nil
    }

    /// Adds the calls of each frame of an image, the innermost inlined call first.
    private mutating func name(
        _ frames: [(index: Int, frame: CrashReport.Frame)],
        _ path: String,
        _ identity: ElfIdentity,
        _ readableNames: ([String]) -> [String]
    ) {
        let addresses = frames.compactMap(\.frame.address).filter { identity.loads($0.rawValue) }
        guard !addresses.isEmpty else { return }
        guard let tool = ["llvm-symbolizer", "addr2line"].lazy.compactMap({ ConfinedTool.path(of: $0) }).first else {
            problems.append("neither llvm-symbolizer nor addr2line is installed: install llvm or binutils")
            return
        }
        let arguments =
            (tool.hasSuffix(utf8: "addr2line")
                ? ["-a", "-f", "-i"] : ["-a", "-f", "-i", "--no-demangle", "--output-style=GNU"])
            + ["-e", path] + addresses.map(\.description)
        // Treat a tool that cannot be started like a tool that fails.
        guard let output = (try? ConfinedTool.output(of: tool, arguments: arguments)) ?? nil else {
            problems.append("'\(tool)' could not read '\(path)'")
            return
        }
        let found = SymbolizerOutput.calls(in: output)
        let mangled = Set(found.values.joined().compactMap(\.function)).filter { $0.utf8.count <= 4096 }.sorted()
        let readable = Dictionary(zip(mangled, readableNames(mangled))) { first, _ in first }
        for (index, frame) in frames {
            guard let address = frame.address else { continue }
            calls[index] = (found[address.rawValue] ?? []).compactMap { call in
                guard let name = call.function else { return nil }
                if let cause = SourceCall.trapCause(in: name) {
                    // Only the first frame has crashed.
                    if index == 0 { trapCause = trapCause ?? cause }
                    return nil
                }
                let readable = readable[name] ?? name
                return Call(
                    source: SourceCall(
                        function: SourceCall.shortened(readable),
                        file: call.file,
                        line: call.line
                    ),
                    isOfApp: SourceCall.isOfApp(mangled: name, readable: readable)
                )
            }
        }
    }
}

extension SourceCall {
    /// The call as text: the function, the file and the line, as far as they are known.
    package var text: String {
        let place = file.map { file in ", \(file)" + (line.map { ":\($0)" } ?? "") } ?? ""
        return (function ?? "an unknown function") + place
    }
}

extension NamedCalls {
    /// The sentence about a run that reached its limit while no thread was in the app's code.
    package static let waits =
        "no thread was in the app's code at the limit: perform() was waiting for an asynchronous call"

    /// Returns the app's own calls of each thread, the innermost first, for the threads that have any.
    ///
    /// - Parameter limit: The maximum number of calls of a thread.
    package func appCalls(of stacks: StackReport, limit: Int) -> [(thread: String, calls: [SourceCall])] {
        var first = 0
        return stacks.callStacks.compactMap { stack in
            defer { first += stack.frames.count }
            // The callers of the worker's own loop are equal in all threads.
            let frames = (first..<first + stack.frames.count).prefix { frame in
                calls[frame]?.contains { $0.source.function?.hasPrefix(utf8: "intentd_") == true } != true
            }
            let own = frames.flatMap { (calls[$0] ?? []).filter(\.isOfApp).map(\.source) }
            return own.isEmpty ? nil : (stack.thread, Array(own.prefix(limit)))
        }
    }
}
