package import IntentLinux

/// Finds the libraries that a program needs without starting the program. Searches in the same way as the dynamic
/// linker (ld.so(8)).
package struct SharedLibraries: Sendable {
    /// A library that the program needs, directly or through another library.
    package struct Entry: Equatable, Sendable {
        package var name: String
        /// The path of the library; nil if the library is missing.
        package var path: String?
        /// The library that needs this library; nil if the program itself needs it.
        package var neededBy: String?

        package init(name: String, path: String? = nil, neededBy: String? = nil) {
            self.name = name
            self.path = path
            self.neededBy = neededBy
        }
    }

    /// A closure that returns the ELF image at a path, or nil if the path has no image for this machine.
    private let read: @Sendable (String) -> ElfImage?
    private let environmentFolders: [String]

    /// - Parameter libraryPath: The value of `$LD_LIBRARY_PATH`.
    package init(libraryPath: String?, read: @escaping @Sendable (String) -> ElfImage?) {
        self.read = read
        environmentFolders = (libraryPath ?? "").split(scalar: ":").map(String.init)
    }

    /// The standard folders of Debian and of other distributions.
    static let standardFolders: [String] = {
        let multiarch = ElfMachine.own.name == "aarch64" ? "aarch64-linux-gnu" : "x86_64-linux-gnu"
        return [
            "/usr/local/lib/\(multiarch)", "/usr/local/lib", "/lib/\(multiarch)", "/usr/lib/\(multiarch)", "/lib64",
            "/usr/lib64", "/lib", "/usr/lib",
        ]
    }()

    /// Returns the libraries that a program needs, without duplicates, in the order of the search.
    package func resolve(_ program: ElfImage, at path: String) -> [Entry] {
        var entries: [Entry] = []
        var known: Set<String> = []
        var open: [(file: ElfImage, path: String, name: String?, inherited: [String])] = [(program, path, nil, [])]
        while !open.isEmpty {
            let (file, path, name, inherited) = open.removeFirst()
            let own = { (list: String?) in
                (list ?? "").split(scalar: ":").map { Self.expand(String($0), beside: path) }
            }
            // DT_RUNPATH applies only to a file's direct dependencies, but DT_RPATH also applies to its indirect
            // dependencies.
            let inheritable = file.runPath == nil ? own(file.rPath) + inherited : []
            let folders = inheritable + environmentFolders + own(file.runPath) + Self.standardFolders
            for needed in file.needed where known.insert(needed).inserted {
                let candidates = needed.contains(utf8: "/") ? [needed] : folders.map { "\($0)/\(needed)" }
                let found = candidates.lazy.compactMap { path in read(path).map { (path, $0) } }.first
                entries.append(Entry(name: needed, path: found?.0, neededBy: name))
                if let (path, library) = found { open.append((library, path, needed, inheritable)) }
            }
        }
        return entries
    }

    /// Replaces `$ORIGIN` with the folder of the file that contains it.
    private static func expand(_ folder: String, beside path: String) -> String {
        let origin = path.split(scalar: "/").dropLast().map { "/\($0)" }.joined()
        return folder.replacing(utf8: "${ORIGIN}", with: origin).replacing(utf8: "$ORIGIN", with: origin)
    }
}
