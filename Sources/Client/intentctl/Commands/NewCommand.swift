import FoundationEssentials
import IntentLinux

/// Implements `intentctl new NAME`, and with `--command NAME -- PROGRAM ARGUMENT...`, with `--mcp-server` likewise, or with
/// `--shortcut NAME APP/INTENT...`.
struct NewCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        if let name = invocation["command"] {
            return try await NewCommandFile(invocation: invocation, name: name).perform()
        }
        if let name = invocation["mcp-server"] {
            return try await NewServerFile(invocation: invocation, name: name).perform()
        }
        if let name = invocation["shortcut"] {
            return try await NewShortcutFile(invocation: invocation, name: name).perform()
        }
        let name = invocation.words[0]
        if let problem = PackageTemplate.problem(with: name) {
            throw CommandFailure.usage(
                "'\(name)' is not a valid package name: \(problem)",
                hint: "for example: intentctl new Soup"
            )
        }
        let template = PackageTemplate(name: name, package: try findPackage())
        try write(template.files, below: name)
        let binary = "\(name)/.build/debug/\(name)"
        let steps =
            ["cd \(name) && swift build && swift test", "intentctl verify \(binary)"]
            + ["intentctl run --local \(binary) Greet --name you"]
        if invocation.wantsJSON {
            let paths = template.files.map { JSONValue.string("\(name)/\($0.path)") }
            try Console.output(.object(["files": .array(paths), "next": .array(steps.map(JSONValue.string))]))
        } else {
            Console.note("created '\(name)'. Next steps:")
            try Console.output(steps.map { "  " + $0 }.joined(separator: "\n"))
        }
        return .done
    }

    private func write(_ files: [PackageTemplate.File], below folder: String) throws(CommandFailure) {
        // Refuse an existing folder, even if it is empty, so that no file is overwritten.
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            throw CommandFailure.usage(
                "'\(folder)' already exists",
                hint: "choose another name, or run the command in another folder"
            )
        } catch {
            throw CommandFailure.output("cannot create the folder '\(folder)': \(error)")
        }
        do {
            for file in files {
                let path = "\(folder)/\(file.path)"
                try FileManager.default.createDirectory(
                    at: URL(filePath: path).deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(file.text.utf8).write(to: URL(filePath: path))
            }
        } catch {
            throw CommandFailure.output(
                "cannot write into '\(folder)': \(error)",
                hint: "remove the folder, then try again on a disk with free space"
            )
        }
    }

    /// Returns the package that contains the library: the package in `--package`, the checkout that contains this
    /// program, or the intentd-dev package with the same prefix, such as /usr.
    private func findPackage() throws(CommandFailure) -> String {
        if let path = invocation["package"] {
            guard Self.isPackage(path) else {
                throw CommandFailure(
                    .notFound,
                    code: "noPackage",
                    "'\(path)' is not the intentd package",
                    hint: "specify a checkout of intentd, or the folder that the intentd-dev package installs"
                )
            }
            return URL(filePath: path).standardizedFileURL.path(percentEncoded: false).trimmedSlash
        }
        var folder = OwnProgram.folder ?? ""
        while !folder.isEmpty {
            let installed = folder + "/lib/intentd/package"
            for package in [folder, installed] where Self.isPackage(package) { return package }
            folder = folder.split(scalar: "/").dropLast().map { "/\($0)" }.joined()
        }
        throw CommandFailure(
            .configuration,
            code: "noPackage",
            "cannot find the library AppIntents: it is not installed, and intentctl is not in a checkout of intentd",
            hint:
                "install the intentd-dev package, or specify a checkout of intentd: "
                + "intentctl new \(invocation.words[0]) --package PATH"
        )
    }

    private static func isPackage(_ folder: String) -> Bool {
        // A folder without a readable manifest is not a package.
        guard let manifest = try? File.text(at: folder + "/Package.swift") else { return false }
        return manifest.contains(utf8: "name: \"intentd\"") && manifest.contains(utf8: "\"AppIntents\"")
    }
}

extension String {
    fileprivate var trimmedSlash: String {
        utf8.count > 1 && hasSuffix(utf8: "/") ? String(dropLast(scalars: 1)) : self
    }
}
