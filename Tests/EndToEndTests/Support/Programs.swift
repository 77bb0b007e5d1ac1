import Foundation

/// The built programs, which are in the folder of the test bundle.
enum Programs {
    static func url(_ name: String) -> URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: name)
    }

    static var intentctl: URL { url("intentctl") }
    static var intentd: URL { url("intentd") }
}
