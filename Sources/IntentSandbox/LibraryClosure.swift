import Glibc
package import IntentLinux

/// The files that the loader opens to start an executable: its interpreter, and all shared libraries that the
/// executable and its libraries need, found as ld.so(8) finds them without LD_LIBRARY_PATH.
///
/// Libraries that a program opens later with dlopen(3) are not included, with one exception: libgcc_s, which glibc
/// itself opens when a thread ends by pthread_exit.
package struct LibraryClosure: Equatable, Sendable {
    /// PT_INTERP, absolute; nil for a static executable, which also has no libraries.
    package var interpreter: String?
    /// Absolute paths as ld.so opens them, folder and name, with links not resolved; sorted and unique. The interpreter
    /// is not included.
    package var libraries: [String] = []
    /// For LD_LIBRARY_PATH: the folders, in search order, that ld.so does not search by default in a root without
    /// `/etc/ld.so.cache`.
    package var extraFolders: [String] = []
    /// Names that were not found, and the interpreter's path if it does not exist; sorted.
    package var missing: [String] = []

    /// - Parameters:
    ///   - executable: Absolute.
    ///   - configuration: The file of ldconfig(8) that lists further folders.
    /// - Throws: ``ElfError``, when the executable or a library that it needs cannot be read, or is not an ELF file.
    package init(of executable: String, configuration: String = "/etc/ld.so.conf") throws(ElfError) {
        var search = try LibrarySearch(executable, configuration)
        guard let interpreter = search.interpreter else { return }
        try search.run()
        self.interpreter = interpreter
        libraries = search.found.values.sorted()
        extraFolders = search.extraFolders
        missing = search.missing.sorted()
    }

    package static let libraryLimit = 512
    /// The maximum number of files to try. Because the search covers the folders of each library and of its loader, a
    /// hostile file can make it grow with the square of its number of names.
    static let attemptLimit = 100_000
}

/// A breadth-first search in ld.so's order: the first library with a name serves every image that needs that name.
private struct LibrarySearch {
    /// A loaded image, with its additions to the search for libraries.
    private struct Object {
        var image: ElfImage
        /// The value of `$ORIGIN`.
        var origin: String
        /// The index of the image that needed it first; nil for the executable.
        var loader: Int?
    }

    let interpreter: String?
    /// Paths of libraries by the names that images need. No two names have the same path.
    private(set) var found: [String: String] = [:]
    private(set) var missing: Set<String> = []
    private(set) var extraFolders: [String] = []

    private let executable: String
    private let folders: [String]
    /// The content of the interpreter, which contains the folders that it searches.
    private let interpreterBytes: [UInt8]
    private var objects: [Object]
    /// Names of loaded images, including their DT_SONAME, which need no search.
    private var known: Set<String> = []
    private var attempts = 0

    init(_ path: String, _ configuration: String) throws(ElfError) {
        let image = try ElfImage(at: path)
        executable = path
        interpreter = image.interpreter
        // ld.so reads /proc/self/exe, which resolves all links.
        let real = Self.resolved(path) ?? path
        objects = [Object(image: image, origin: Self.folder(of: real), loader: nil)]
        folders = LoaderConfiguration.folders(configuration) + LoaderConfiguration.defaultFolders
        interpreterBytes = interpreter.map(Self.contents) ?? []
        if let interpreter {
            known.insert(Self.lastComponent(of: interpreter))
            do throws(ElfError) {
                if let name = try ElfImage(at: interpreter).name { known.insert(name) }
            } catch {
                switch error {
                case .unreadable: missing.insert(interpreter)
                case .notRegular, .script, .notElf, .foreign, .unsupported, .notLoadable, .damaged, .excessive:
                    throw error
                }
            }
        }
        // In a root where the executable has the given path, $ORIGIN is that path's folder.
        if real != path { extraFolders = ownFolders(of: 0).filter(Self.isFolder) }
    }

    mutating func run() throws(ElfError) {
        var next = 0
        while next < objects.count {
            for name in objects[next].image.needed where !known.contains(name) {
                if try !load(name, for: next) { missing.insert(name) }
            }
            // glibc opens it by name at the first pthread_exit, and aborts the process if it is missing. It is not
            // needed by other programs.
            let unwinder = "libgcc_s.so.1"
            if objects[next].image.name == "libc.so.6", !known.contains(unwinder) {
                _ = try load(unwinder, for: next)
            }
            next += 1
        }
    }

    /// Finds a library and queues it; false when it is not found.
    private mutating func load(_ name: String, for index: Int) throws(ElfError) -> Bool {
        known.insert(name)
        if name.contains("/") {
            let path = expanded(name, in: objects[index])
            // A relative path would depend on the folder in which the program is started, so it is ignored.
            guard let path, path.hasPrefix("/") else { return false }
            return try open(path, name, for: index)
        }
        for folder in inheritedFolders(of: index) + runFolders(of: index) {
            if try open("\(folder)/\(name)", name, for: index) { return true }
        }
        for folder in folders {
            guard try open("\(folder)/\(name)", name, for: index) else { continue }
            if !isBuiltIn(folder), !extraFolders.contains(folder) { extraFolders.append(folder) }
            return true
        }
        return false
    }

    /// Adds the library at this path; false if it does not exist, or is for another machine: ld.so skips those.
    private mutating func open(_ path: String, _ name: String, for index: Int) throws(ElfError) -> Bool {
        attempts += 1
        guard attempts <= LibraryClosure.attemptLimit else {
            throw .excessive(executable, limit: LibraryClosure.libraryLimit)
        }
        let image: ElfImage
        do throws(ElfError) {
            image = try ElfImage(at: path)
        } catch {
            switch error {
            case .unreadable, .foreign, .unsupported, .notLoadable, .notRegular: return false
            case .script, .notElf, .damaged, .excessive: throw error
            }
        }
        guard found.count < LibraryClosure.libraryLimit else {
            throw .excessive(executable, limit: LibraryClosure.libraryLimit)
        }
        found[name] = path
        if let name = image.name { known.insert(name) }
        objects.append(Object(image: image, origin: Self.folder(of: path), loader: index))
        return true
    }

    // MARK: Where to look

    /// The DT_RPATH folders of the image, and of the images that led to it. An image with DT_RUNPATH inherits
    /// none.
    private func inheritedFolders(of index: Int) -> [String] {
        if objects[index].image.runPath != nil { return [] }
        var folders: [String] = []
        var current: Int? = index
        while let index = current {
            folders += split(objects[index].image.rPath, in: objects[index])
            current = objects[index].loader
        }
        return folders
    }

    /// The folders of DT_RUNPATH, which apply only to the image's own libraries.
    private func runFolders(of index: Int) -> [String] {
        split(objects[index].image.runPath, in: objects[index])
    }

    private func ownFolders(of index: Int) -> [String] {
        split(objects[index].image.rPath, in: objects[index]) + runFolders(of: index)
    }

    private func split(_ list: String?, in object: Object) -> [String] {
        (list ?? "").split(separator: ":").compactMap { entry in
            // A relative or empty folder would depend on the folder in which the program is started.
            guard let folder = expanded(String(entry), in: object), folder.hasPrefix("/") else { return nil }
            return Self.normalized(folder)
        }
    }

    /// Replaces `$ORIGIN` and `${ORIGIN}` by the folder. Nil if the text has another variable, because the values of
    /// others differ between systems.
    private func expanded(_ text: String, in object: Object) -> String? {
        var result = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[dollar...]
            guard let token = ["${ORIGIN}", "$ORIGIN"].first(where: rest.hasPrefix) else { return nil }
            rest = rest.dropFirst(token.count)
            // "$ORIGINAL" is another name.
            if token == "$ORIGIN", let next = rest.first, next.isLetter || next.isNumber || next == "_" { return nil }
            result += object.origin
        }
        return result + rest
    }

    /// True if the interpreter searches the folder by default.
    ///
    /// The set of folders differs by distribution. The interpreter's read-only data contains it as consecutive texts
    /// that end with slashes. A folder that is missed here is searched twice, which is harmless.
    private func isBuiltIn(_ folder: String) -> Bool {
        let text = [0] + Array(folder.utf8) + [UInt8(ascii: "/"), 0]
        return interpreterBytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            // memchr is fast, and slashes are rare among instructions.
            while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                let slash = memchr(start, Int32(UInt8(ascii: "/")), rest.count)
            {
                let position = rest.startIndex + (UnsafeRawPointer(slash) - start)
                if position > 0, bytes[(position - 1)...].starts(with: text) { return true }
                rest = bytes[(position + 1)...]
            }
            return false
        }
    }

    // MARK: Paths

    /// The folder without `.`, `..` and doubled slashes, so that it can be created in another root.
    private static func normalized(_ folder: String) -> String {
        var parts: [Substring] = []
        for part in folder.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        let plain = "/" + parts.joined(separator: "/")
        // After a link, ".." leads to another folder than the text shows.
        guard folder.contains(".."), let real = resolved(folder), real != resolved(plain) else { return plain }
        return real
    }

    private static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(validatingCString: real)
    }

    private static func isFolder(_ path: String) -> Bool {
        // A path that cannot be inspected is not a folder.
        (try? File.status(at: path))?.kind == .directory
    }

    private static func folder(of path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        return "/" + parts.joined(separator: "/")
    }

    private static func lastComponent(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    private static func contents(of path: String) -> [UInt8] {
        // The folders are unknown if the interpreter cannot be read or is larger than 4 MiB.
        guard let file = try? File.open(path, O_RDONLY | O_NONBLOCK),
            (try? File.status(of: file.rawValue))?.kind == .regular
        else { return [] }
        return (try? File.readAll(file.rawValue, limit: 4 << 20)) ?? []
    }
}

/// The folders that ldconfig(8) enters into ld.so's cache.
private enum LoaderConfiguration {
    #if arch(x86_64)
        private static let triplet = "x86_64-linux-gnu"
    #elseif arch(arm64)
        private static let triplet = "aarch64-linux-gnu"
    #endif

    /// The default folders of all distributions: Debian's have a triplet, Fedora's and SUSE's end in 64, Arch's are
    /// plain.
    static let defaultFolders = [
        "/lib/\(triplet)", "/usr/lib/\(triplet)", "/lib64", "/usr/lib64", "/lib", "/usr/lib",
    ]

    private static let fileLimit = 256
    private static let folderLimit = 256

    /// The folders listed in a file and in the files that it includes, without duplicates.
    static func folders(_ configuration: String) -> [String] {
        var folders: [String] = []
        var filesLeft = fileLimit
        read(configuration, &folders, &filesLeft)
        return folders
    }

    private static func read(_ path: String, _ folders: inout [String], _ filesLeft: inout Int) {
        // The limit also stops files that include each other.
        guard filesLeft > 0 else { return }
        filesLeft -= 1
        // The file is optional for ld.so as well.
        guard let lines = try? File.lines(at: path) else { return }
        for line in lines {
            let words = line.prefix { $0 != "#" }.split { $0.isWhitespace || $0 == "," || $0 == ":" }
            if words.first == "include" {
                for pattern in words.dropFirst() {
                    for file in files(like: String(pattern), in: path) { read(file, &folders, &filesLeft) }
                }
            } else if words.first != "hwcap" {
                for word in words where word.hasPrefix("/") && folders.count < folderLimit {
                    // "/usr/lib=libc6" also names a type of library.
                    var folder = String(word.prefix { $0 != "=" })
                    while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
                    if !folders.contains(folder) { folders.append(folder) }
                }
            }
        }
    }

    /// Returns the regular files that match a glob(7) pattern, sorted. The pattern is relative to the folder of the
    /// file that contains it.
    private static func files(like pattern: String, in includer: String) -> [String] {
        let folder = includer.prefix(upTo: includer.lastIndex(of: "/") ?? includer.startIndex)
        var result = glob_t()
        defer { globfree(&result) }
        guard glob(pattern.hasPrefix("/") ? pattern : "\(folder)/\(pattern)", 0, nil, &result) == 0 else { return [] }
        let paths = UnsafeBufferPointer(start: result.gl_pathv, count: Int(result.gl_pathc))
        return paths.prefix(fileLimit).compactMap { $0.flatMap { String(validatingCString: $0) } }.filter { path in
            // A read of a pipe could wait for ever.
            (try? File.status(at: path))?.kind == .regular
        }
    }
}
