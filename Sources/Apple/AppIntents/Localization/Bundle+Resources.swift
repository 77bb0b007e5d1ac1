import Foundation
import IntentSharedTypes

/// Lookups that also search the resource folders next to an app's executable: `APP.resources`, then every other
/// `*.resources`, such as a folder that SwiftPM created. Unless the executable's folder has the executable's name, a
/// sandbox contains no other files from that folder.
///
/// Foundation on Linux searches only the executable's own folder, and its `Bundle` cannot be subclassed. In files that
/// import `AppIntents`, the compiler prefers these methods to Foundation's methods if the name is a `String`
/// and not a `String?`.
extension Bundle {
    /// Returns the URL of a resource. The main bundle also searches the resource folders beside the executable.
    public func url(forResource name: String, withExtension ext: String?) -> URL? {
        url(forResource: name, withExtension: ext, subdirectory: nil)
    }

    /// Returns the URL of a resource in a subdirectory. The main bundle also searches the resource folders beside the
    /// executable.
    public func url(forResource name: String, withExtension ext: String?, subdirectory: String?) -> URL? {
        // Pass the name as String? to select Foundation's method. A name of type String would select this method again.
        let name: String? = name
        for bundle in [self] + ResourceFolders.bundles(of: self) {
            if let url = bundle.url(forResource: name, withExtension: ext, subdirectory: subdirectory) { return url }
        }
        return nil
    }

    /// Returns the path of a resource. The main bundle also searches the resource folders beside the executable.
    public func path(forResource name: String, ofType ext: String?) -> String? {
        url(forResource: name, withExtension: ext, subdirectory: nil)?.path
    }

    /// Returns the path of a resource in a subdirectory. The main bundle also searches the resource folders beside the
    /// executable.
    public func path(forResource name: String, ofType ext: String?, inDirectory subdirectory: String?) -> String? {
        url(forResource: name, withExtension: ext, subdirectory: subdirectory)?.path
    }
}

/// The resource folders beside the app's executable.
private enum ResourceFolders {
    /// The main bundle's resource folders, starting with `APP.resources`.
    private static let ofProgram: [Bundle] = {
        let folder = Bundle.main.bundlePath
        let own = (Bundle.main.executableURL?.lastPathComponent).map { $0 + ".resources" }
        let names = Localization.names(in: folder).filter { $0.hasSuffix(utf8: ".resources") }.sorted()
        return (names.filter { $0 == own } + names.filter { $0 != own }).compactMap { Bundle(path: "\(folder)/\($0)") }
    }()

    static func bundles(of bundle: Bundle) -> [Bundle] { bundle === Bundle.main ? ofProgram : [] }
}

/// The folders with resources of the app alone. Beside the executable can be other apps with their resources.
enum OwnFolders {
    /// `APP.resources`, and `PACKAGE_APP.resources` of SwiftPM. If the executable's folder has the executable's name, also
    /// that folder, and all resource folders in it.
    static let ofProgram: [String] = {
        let folder = Bundle.main.bundlePath
        guard let name = Bundle.main.executableURL?.lastPathComponent else { return [] }
        let isAlone = folder.hasSuffix(utf8: "/" + name)
        let inside = Localization.names(in: folder).filter { entry in
            entry.hasSuffix(utf8: ".resources")
                && (isAlone || entry == "\(name).resources" || entry.hasSuffix(utf8: "_\(name).resources"))
        }
        return (isAlone ? [folder] : []) + inside.sorted().map { "\(folder)/\($0)" }
    }()
}
