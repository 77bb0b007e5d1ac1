import Glibc
import IntentLinux

/// A private file that redirects a browser to the page's address. The browser's argument is the path of this file
/// instead of the address, because the address contains the token, and other users can read process arguments.
struct OpeningFile {
    private let folder: String
    private var path: String { folder + "/intentd.html" }

    /// Creates a folder that only the user can open: in the user's runtime folder, if there is one.
    static func makePrivateFolder() throws(SystemError) -> String { try File.makeTemporaryFolder(folderPrefix) }

    /// The path of the private folder with a name.
    static func privateFolder(named name: String) -> String { folderPrefix + name }

    /// Returns the name of a private folder.
    static func name(ofPrivateFolder path: String) -> String {
        String(path.dropFirst(scalars: folderPrefix.scalarCount))
    }

    private static var folderPrefix: String {
        let runtime = getenv("XDG_RUNTIME_DIR").map { String(foreign: $0) } ?? ""
        let parent = runtime.hasPrefix(utf8: "/") && access(runtime, W_OK) == 0 ? runtime : "/tmp"
        return parent + "/intentd-web-"
    }

    /// - Parameter address: An address of this server, without characters that must be escaped in HTML.
    init(leadingTo address: String) throws(SystemError) {
        folder = try Self.makePrivateFolder()
        let file = try File.open(folder + "/intentd.html", O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
        let page =
            "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0; url=\(address)\"><title>intentd</title>"
        try File.write(file.rawValue, Array(page.utf8)[...])
    }

    /// Opens the file with the desktop's default program.
    func open() throws(SystemError) -> ChildProcess {
        let null = SharedFileDescriptor(try File.open("/dev/null", O_RDWR))
        return try ChildProcess.start(
            "xdg-open",
            arguments: [path],
            streams: ChildProcess.Streams(input: null, output: null, error: null),
            defaults: [SIGPIPE]
        )
    }

    func remove() {
        _ = unlink(path)
        _ = rmdir(folder)
    }
}
