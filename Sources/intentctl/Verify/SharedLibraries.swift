/// Where the dynamic linker will find what a program needs (ld.so(8)), told without starting it.
package struct SharedLibraries: Sendable {
    /// One library that the program needs, itself or through another.
    package struct Entry: Equatable, Sendable {
        package var name: String
        /// Nil: it is missing.
        package var path: String?
        /// Who needs it: the name of a library; nil for the program itself.
        package var neededBy: String?

        package init(name: String, path: String? = nil, neededBy: String? = nil) {
            self.name = name
            self.path = path
            self.neededBy = neededBy
        }
    }

    /// The ELF file at a path, or nil when there is none of this machine.
    private let read: @Sendable (String) -> ElfFile?
    private let environmentFolders: [String]

    /// - Parameter libraryPath: `$LD_LIBRARY_PATH`.
    package init(libraryPath: String?, read: @escaping @Sendable (String) -> ElfFile?) {
        self.read = read
        environmentFolders = (libraryPath ?? "").split(separator: ":").map(String.init)
    }

    /// Debian's standard folders, and those of other distributions.
    private static let standardFolders: [String] = {
        let multiarch = ElfFile.ownMachine == 183 ? "aarch64-linux-gnu" : "x86_64-linux-gnu"
        return [
            "/usr/local/lib/\(multiarch)", "/usr/local/lib", "/lib/\(multiarch)", "/usr/lib/\(multiarch)", "/lib64",
            "/usr/lib64", "/lib", "/usr/lib",
        ]
    }()

    /// Everything that a program needs, each once, in the order in which it is met.
    package func resolve(_ program: ElfFile, at path: String) -> [Entry] {
        var entries: [Entry] = []
        var known: Set<String> = []
        var open: [(file: ElfFile, path: String, name: String?, inherited: [String])] = [(program, path, nil, [])]
        while !open.isEmpty {
            let (file, path, name, inherited) = open.removeFirst()
            let own = { (folders: [String]) in folders.map { Self.expand($0, beside: path) } }
            // A run path is for a file's own needs; the older kind also for the needs of what it loads.
            let passedOn = file.runPath.isEmpty ? own(file.oldRunPath) + inherited : []
            let folders =
                (file.runPath.isEmpty ? passedOn : []) + environmentFolders + own(file.runPath) + Self.standardFolders
            for needed in file.needed where known.insert(needed).inserted {
                let candidates = needed.contains("/") ? [needed] : folders.map { "\($0)/\(needed)" }
                let found = candidates.lazy.compactMap { path in read(path).map { (path, $0) } }.first
                entries.append(Entry(name: needed, path: found?.0, neededBy: name))
                if let (path, library) = found { open.append((library, path, needed, passedOn)) }
            }
        }
        return entries
    }

    /// `$ORIGIN` is the folder of the file that says it.
    private static func expand(_ folder: String, beside path: String) -> String {
        let origin = path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        return folder.replacing("${ORIGIN}", with: origin).replacing("$ORIGIN", with: origin)
    }
}
