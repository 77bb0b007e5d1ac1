import IntentLinux

/// Finds the names of the calls in a crash report by reading the app's executable and libraries. None of the app's code
/// is executed: a confined process reads each file (``ConfinedTool``).
struct Symbolizer {
    /// The path of the app's executable.
    let executable: String

    /// Finds the names of the calls in a run's crash, or of its threads at a limit of time, if this host has the app's
    /// executable. Returns nil for a run without such a report.
    static func crash(in end: RunEnd?, of app: String, over connection: IntentConnection) async -> SymbolizedCrash? {
        guard let end, let details = end.account.details, details.crash != nil || details.stacks != nil else {
            return nil
        }
        // The path is unknown if the app is no longer installed, or if the user is no longer permitted to run it.
        let executable = try? await connection.app(named: app).executable
        guard var crash = SymbolizedCrash(details, executable: executable ?? app), let executable else {
            return SymbolizedCrash(details, executable: app)
        }
        guard RemoteHost.current == nil else {
            crash.problems.append("to print function names, run 'intentctl why \(end.run)' on the app's host")
            return crash
        }
        Symbolizer(executable: executable).symbolize(&crash)
        return crash
    }

    /// Prints the location of a run's crash, or of its threads at a limit of time, to standard error. Prints nothing for a
    /// run without such a report.
    static func show(_ end: RunEnd, of app: String, over connection: IntentConnection) async {
        guard let crash = await crash(in: end, of: app, over: connection) else { return }
        Console.note(SafeText.printed(StoryText.rows(crash.rows).joined(separator: "\n")))
    }

    /// Adds the calls of each frame, the innermost inlined call first.
    private func symbolize(_ crash: inout SymbolizedCrash) {
        for (index, image) in crash.report.images.enumerated() {
            guard let path = path(of: image) else { continue }
            let identity: ElfIdentity
            do throws(ElfError) {
                identity = try ElfIdentity(at: path)
            } catch {
                crash.problems.append("cannot read '\(path)': \(error)")
                continue
            }
            guard identity.buildID == image.buildID else {
                crash.problems.append(
                    "a different build has replaced '\(path)' since the crash (build ID \(identity.buildID ?? "none"), "
                        + "expected \(image.buildID ?? "none")); use a copy of the original build to find the functions"
                )
                continue
            }
            symbolize(&crash, image: index, path, identity)
        }
    }

    /// Returns the path of an image in the app's folder; nil for other images. The report is untrusted, and must not
    /// make intentctl read any other file.
    func path(of image: CrashReport.Image) -> String? {
        if image.path.isEmpty { return executable }
        guard let slash = executable.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let isPlain = !image.path.split(scalar: "/").contains { $0 == ".." || $0 == "." }
        return isPlain && image.path.utf8.starts(with: executable.utf8[...slash]) ? image.path : nil
    }

    private func symbolize(_ crash: inout SymbolizedCrash, image: Int, _ path: String, _ identity: ElfIdentity) {
        let frames = crash.report.frames.indices.filter { crash.report.frames[$0].image == image }
        let addresses = frames.compactMap { crash.report.frames[$0].address }.filter { identity.loads($0.rawValue) }
        guard !addresses.isEmpty else { return }
        guard let tool = ["llvm-symbolizer", "addr2line"].lazy.compactMap({ ConfinedTool.path(of: $0) }).first else {
            crash.problems.append("neither llvm-symbolizer nor addr2line is installed: install llvm or binutils")
            return
        }
        let arguments =
            (tool.hasSuffix(utf8: "addr2line")
                ? ["-a", "-f", "-i"] : ["-a", "-f", "-i", "--no-demangle", "--output-style=GNU"])
            + ["-e", path] + addresses.map(\.description)
        // Treat a tool that cannot be started like a tool that fails.
        guard let output = (try? ConfinedTool.output(of: tool, arguments: arguments)) ?? nil else {
            crash.problems.append("'\(tool)' could not read '\(path)'")
            return
        }
        let calls = SymbolizerOutput.calls(in: output)
        let mangled = Set(calls.values.joined().compactMap(\.function)).filter { $0.utf8.count <= 4096 }.sorted()
        let readable = Dictionary(zip(mangled, ConfinedTool.readableNames(mangled))) { first, _ in first }
        for frame in frames {
            guard let address = crash.report.frames[frame].address else { continue }
            crash.calls[frame] = (calls[address.rawValue] ?? []).compactMap { call in
                guard let name = call.function else { return nil }
                if let cause = SourceCall.trapCause(in: name) {
                    // Only the first frame has crashed.
                    if frame == 0 { crash.trapCause = crash.trapCause ?? cause }
                    return nil
                }
                let readable = readable[name] ?? name
                return SymbolizedCrash.Call(
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
