import Glibc
package import IntentLinux

/// The files that ld.so(8) opens to start an executable: the interpreter, and all shared libraries that the executable
/// and its libraries need. The search follows the rules of ld.so without LD_LIBRARY_PATH.
///
/// Libraries that a program opens later with dlopen(3) are not included, with one exception: libgcc_s, which glibc
/// itself opens at the first pthread_exit(3).
package struct LibraryClosure: Equatable, Sendable {
    /// The absolute path of the interpreter (PT_INTERP); nil for a static executable, which needs no libraries.
    package var interpreter: String?
    /// The absolute paths of the libraries as ld.so opens them, without resolving links, sorted and unique. The
    /// interpreter is not included.
    package var libraries: [String] = []
    /// The folders for LD_LIBRARY_PATH, in search order. ld.so does not search them by default in a root without
    /// `/etc/ld.so.cache`.
    package var extraFolders: [String] = []
    /// The names of the libraries that were not found, sorted. Also contains the interpreter's path if the interpreter
    /// does not exist.
    package var missing: [String] = []

    /// Finds an executable's libraries.
    ///
    /// - Parameters:
    ///   - executable: The absolute path of the executable.
    ///   - configuration: The configuration file of ldconfig(8), which lists additional folders.
    /// - Throws: ``ElfError`` if the executable or a library that it needs cannot be read or is not an ELF file.
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
    /// The maximum number of paths to try. The search for a library covers the folders of all images in the chain that
    /// led to the library. Without a limit, a malicious file could therefore make the search time quadratic.
    static let attemptLimit = 100_000
}

/// A breadth-first search for libraries in the order of ld.so. The first library found for a name is used for all
/// images that need the name.
private struct LibrarySearch {
    /// An image that ld.so would load.
    private struct Object {
        var image: ElfImage
        /// The value of `$ORIGIN` in the image's paths.
        var origin: String
        /// The index of the first image that needs this image; nil for the executable.
        var loader: Int?
    }

    let interpreter: String?
    /// The paths of the libraries, by the names that images need.
    private(set) var found: [String: String] = [:]
    private(set) var missing: Set<String> = []
    private(set) var extraFolders: [String] = []

    private let executable: String
    private let folders: [String]
    /// The contents of the interpreter's file, which include the names of the folders that the interpreter searches.
    private let interpreterBytes: [UInt8]
    private var objects: [Object]
    /// The names for which no further search is necessary: the names and DT_SONAMEs of all loaded images.
    private var known: Set<String> = []
    private var attempts = 0

    init(_ path: String, _ configuration: String) throws(ElfError) {
        let image = try ElfImage(at: path)
        executable = path
        interpreter = image.interpreter
        // Resolve all links, because ld.so derives $ORIGIN from /proc/self/exe, in which they are resolved.
        let real = File.realPath(path) ?? path
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
        // In the sandbox, the executable has the given path, and $ORIGIN is the folder of that path. If the path is a
        // link, ld.so therefore does not search the folders that depend on the real $ORIGIN, so add them to
        // LD_LIBRARY_PATH.
        if real != path {
            extraFolders = (split(image.rPath, in: objects[0]) + runFolders(of: 0)).filter(Self.isFolder)
        }
    }

    mutating func run() throws(ElfError) {
        var next = 0
        while next < objects.count {
            for name in objects[next].image.needed where !known.contains(name) {
                if try !load(name, for: next) { missing.insert(name) }
            }
            // glibc opens this library by name at the first pthread_exit, and aborts the process if it is missing. A
            // program without glibc does not need it.
            let unwinder = "libgcc_s.so.1"
            if objects[next].image.name == "libc.so.6", !known.contains(unwinder) {
                _ = try load(unwinder, for: next)
            }
            next += 1
        }
    }

    /// Searches for a library and adds it to the images. Returns false if it is not found.
    private mutating func load(_ name: String, for index: Int) throws(ElfError) -> Bool {
        known.insert(name)
        if name.utf8.contains(UInt8(ascii: "/")) {
            let path = expanded(name, in: objects[index])
            // Ignore a relative path, because ld.so resolves it against the working directory.
            guard let path, path.hasPrefix(utf8: "/") else { return false }
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

    /// Adds the library at this path. Returns false if the file does not exist or cannot be loaded. In that case, ld.so
    /// continues its search.
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

    // MARK: Search folders

    /// Returns the DT_RPATH folders of the image and of the chain of images that led to it. Returns an empty array if
    /// the image has DT_RUNPATH.
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

    /// Returns the DT_RUNPATH folders of the image, which are searched only for libraries that the image itself needs.
    private func runFolders(of index: Int) -> [String] {
        split(objects[index].image.runPath, in: objects[index])
    }

    private func split(_ list: String?, in object: Object) -> [String] {
        (list ?? "").split(scalar: ":").compactMap { entry in
            // Ignore relative and empty entries, because ld.so resolves them against the working directory.
            guard let folder = expanded(String(entry), in: object), folder.hasPrefix(utf8: "/") else { return nil }
            return Self.normalized(folder)
        }
    }

    /// Replaces `$ORIGIN` and `${ORIGIN}` with the object's folder. Returns nil if the string contains another
    /// variable, because the values of other variables differ between systems.
    private func expanded(_ text: String, in object: Object) -> String? {
        var result = ""
        var rest = text.utf8[...]
        while let dollar = rest.firstIndex(of: UInt8(ascii: "$")) {
            result += String(Substring(rest[..<dollar]))
            rest = rest[dollar...]
            guard let token = ["${ORIGIN}", "$ORIGIN"].first(where: { rest.starts(with: $0.utf8) }) else { return nil }
            rest = rest.dropFirst(token.utf8.count)
            // Do not expand a longer name, such as "$ORIGINAL".
            let next = Substring(rest).unicodeScalars.first
            if token == "$ORIGIN", next.map(Self.canContinueName) == true { return nil }
            result += object.origin
        }
        return result + String(Substring(rest))
    }

    private static func canContinueName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// Returns true if the interpreter searches the folder by default.
    ///
    /// The default folders differ between distributions, so they are looked up in the interpreter's read-only data, in
    /// which they are consecutive strings that end with slashes. If a default folder is not recognized, it is searched
    /// twice, which is harmless.
    private func isBuiltIn(_ folder: String) -> Bool {
        let text = [0] + Array(folder.utf8) + [UInt8(ascii: "/"), 0]
        return interpreterBytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            // Search for slashes with memchr, which is fast because slashes are rare in machine code.
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

    /// Returns the folder's path without `.`, `..` and repeated slashes, so that the folder can be created in another
    /// root.
    private static func normalized(_ folder: String) -> String {
        var parts: [Substring] = []
        for part in folder.split(scalar: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        let plain = "/" + parts.joined(separator: "/")
        // Resolve the links if a ".." follows one, because it then refers to a different folder than the path suggests.
        guard folder.contains(utf8: ".."), let real = File.realPath(folder), real != File.realPath(plain) else {
            return plain
        }
        return real
    }

    private static func isFolder(_ path: String) -> Bool {
        // Treat a path that cannot be inspected as missing.
        (try? File.status(at: path))?.kind == .directory
    }

    private static func folder(of path: String) -> String {
        let parts = path.split(scalar: "/").dropLast()
        return "/" + parts.joined(separator: "/")
    }

    private static func lastComponent(of path: String) -> String {
        path.split(scalar: "/").last.map { String($0) } ?? path
    }

    private static func contents(of path: String) -> [UInt8] {
        // If the interpreter cannot be read or is larger than 4 MiB, treat its default folders as unknown.
        guard let file = try? File.open(path, O_RDONLY | O_NONBLOCK),
            (try? File.status(of: file.rawValue))?.kind == .regular
        else { return [] }
        return (try? File.readAll(file.rawValue, limit: 4 << 20)) ?? []
    }
}

/// The folders from which ldconfig(8) builds the cache of ld.so.
private enum LoaderConfiguration {
    #if arch(x86_64)
        private static let triplet = "x86_64-linux-gnu"
    #elseif arch(arm64)
        private static let triplet = "aarch64-linux-gnu"
    #endif

    /// The default folders of all supported distributions. On Debian they contain a triplet, on Fedora and SUSE they
    /// end in 64, and on Arch they have neither.
    static let defaultFolders = [
        "/lib/\(triplet)", "/usr/lib/\(triplet)", "/lib64", "/usr/lib64", "/lib", "/usr/lib",
    ]

    private static let fileLimit = 256
    private static let folderLimit = 256

    /// Returns the folders that are listed in a file and in the files that it includes, without duplicates.
    static func folders(_ configuration: String) -> [String] {
        var folders: [String] = []
        var filesLeft = fileLimit
        read(configuration, &folders, &filesLeft)
        return folders
    }

    private static func read(_ path: String, _ folders: inout [String], _ filesLeft: inout Int) {
        // The limit also ends the recursion if files include each other.
        guard filesLeft > 0 else { return }
        filesLeft -= 1
        // Like ldconfig, ignore a missing file.
        guard let lines = try? File.lines(at: path) else { return }
        for line in lines {
            let words = line.unicodeScalars.prefix { $0 != "#" }
                .split { $0.properties.isWhitespace || $0 == "," || $0 == ":" }.map { Substring($0) }
            if words.first == "include" {
                for pattern in words.dropFirst() {
                    for file in files(like: String(pattern), in: path) { read(file, &folders, &filesLeft) }
                }
            } else if words.first != "hwcap" {
                for word in words where word.hasPrefix(utf8: "/") && folders.count < folderLimit {
                    // An entry such as "/usr/lib=libc6" ends with a library type, which is not part of the path.
                    var folder = word.unicodeScalars.prefix { $0 != "=" }
                    while folder.dropFirst().last == "/" { folder.removeLast() }
                    if !folders.contains(String(folder)) { folders.append(String(folder)) }
                }
            }
        }
    }

    /// Returns the regular files that match a glob(7) pattern, sorted. The pattern is relative to the folder of the
    /// file that contains it.
    private static func files(like pattern: String, in includer: String) -> [String] {
        let slash = includer.utf8.lastIndex(of: UInt8(ascii: "/")) ?? includer.startIndex
        let folder = includer[includer.startIndex..<slash]
        let path = pattern.hasPrefix(utf8: "/") ? pattern : "\(folder)/\(pattern)"
        var result = glob_t()
        defer { globfree(&result) }
        guard glob(path, 0, nil, &result) == 0 else { return [] }
        let paths = UnsafeBufferPointer(start: result.gl_pathv, count: Int(result.gl_pathc))
        return paths.prefix(fileLimit).compactMap { path in
            path.flatMap { String(validForeign: UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        }.filter { path in
            // Skip pipes, because reading from one could block forever.
            (try? File.status(at: path))?.kind == .regular
        }
    }
}
