package import FoundationEssentials

/// Reads the intents that the compiler extracted when it built an app (`-emit-const-values`).
///
/// The build command is `swift build -Xswiftc -emit-const-values -Xswiftc -Xfrontend -Xswiftc
/// -const-gather-protocols-file -Xswiftc -Xfrontend -Xswiftc FILE`, where FILE contains `["AppIntent"]`. Apple's own
/// tools read the same files.
package enum ConstValues {
    /// A type that conforms to `AppIntent`.
    package struct Intent: Equatable, Sendable {
        /// The type's name, including its module: `Soup.OrderSoup`.
        package var typeName: String
        /// The intent's expected name in the catalogue.
        package var name: String
        package var isGeneric: Bool
        /// The title; nil if it is not a literal.
        package var title: String?

        package init(typeName: String, name: String, isGeneric: Bool, title: String?) {
            self.typeName = typeName
            self.name = name
            self.isGeneric = isGeneric
            self.title = title
        }
    }

    /// The maximum size of a file to read, in bytes.
    private static let sizeLimit = 64 << 20

    /// Returns the intents of the program's modules, from the build folders beside the executable.
    package static func intents(beside executable: String, of program: Data) -> [Intent] {
        let folder = URL(filePath: executable).deletingLastPathComponent()
        var intents: [String: Intent] = [:]
        for build in names(in: folder) where build.hasSuffix(utf8: ".build") {
            let module = String(build.dropLast(scalars: ".build".scalarCount))
            let buildFolder = folder.appending(path: build)
            let files = names(in: buildFolder).filter { $0.hasSuffix(utf8: ".swiftconstvalues") }
            // Skip other programs' modules. An executable contains the names of its own modules, even after strip(1).
            // Most builds have no such files, and the search reads the whole program.
            guard !files.isEmpty, contains(program, module) else { continue }
            for file in files {
                let path = buildFolder.appending(path: file)
                guard let data = try? Data(contentsOf: path, options: .mappedIfSafe), data.count <= sizeLimit else {
                    continue
                }
                for intent in read(data) { intents[intent.typeName] = intent }
            }
        }
        return intents.values.sorted { $0.typeName < $1.typeName }
    }

    /// Returns the intents in a file, or an empty array if the file has another format.
    package static func read(_ data: Data) -> [Intent] {
        struct Entry: Decodable {
            struct Property: Decodable {
                var label: String
                var valueKind: String?
                var value: JSONValue?
            }
            var typeName: String
            var kind: String
            var conformances: [String]
            var properties: [Property]

            func literal(_ label: String) -> String? {
                guard let property = properties.first(where: { $0.label == label }) else { return nil }
                guard case .string(let text)? = property.value, property.valueKind == "RawLiteral" else { return nil }
                return text
            }
        }
        let entries = (try? WireCoding.decodeFile([Entry].self, from: Array(data))) ?? []
        let types = entries.filter { !$0.kind.contains(utf8: "protocol") }
        return types.filter { $0.conformances.contains("AppIntents.AppIntent") }.map { entry in
            Intent(
                typeName: entry.typeName,
                name: entry.literal("persistentIdentifier") ?? String(entry.typeName.split(scalar: ".").last ?? ""),
                isGeneric: entry.kind.hasPrefix(utf8: "generic"),
                title: entry.literal("title")
            )
        }
    }

    /// Returns true if the program contains the name as a C string.
    private static func contains(_ program: Data, _ name: String) -> Bool {
        let text = Array(name.utf8) + [0]
        return program.withUnsafeBytes { program in
            var offset = 1
            while let found = program.firstIndex(of: text, from: offset) {
                if program[found - 1] == 0 { return true }
                offset = found + 1
            }
            return false
        }
    }

    private static func names(in folder: URL) -> [String] {
        // Treat a folder that cannot be listed like an empty folder.
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)))?.sorted() ?? []
    }
}
