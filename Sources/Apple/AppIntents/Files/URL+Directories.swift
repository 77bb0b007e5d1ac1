public import Foundation
import IntentSharedTypes

extension FileManager {
    /// Returns a folder for the data that the programs of a group share. It belongs to the app's state, so no other app
    /// can read it. Returns nil if the app has no state.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        guard let state = IntentState.directory else { return nil }
        // A name with a slash, or one that begins with a dot, could be another folder.
        let name = groupIdentifier.replacing(utf8: "/", with: "_")
        let folder = URL(filePath: state).appending(path: "Groups/" + (name.hasPrefix(utf8: ".") ? "_" : "") + name)
        try? createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

/// Folders that Foundation on Linux lists only in `FileManager.urls(for:in:)`. In a run, they belong to the app's state.
extension URL {
    /// The folder for documents.
    public static var documentsDirectory: URL { folder(.documentDirectory) }
    /// The folder for data that can be computed again.
    public static var cachesDirectory: URL { folder(.cachesDirectory) }
    /// The folder for the app's own data.
    public static var applicationSupportDirectory: URL { folder(.applicationSupportDirectory) }
    /// The folder for downloads.
    public static var downloadsDirectory: URL { folder(.downloadsDirectory) }

    private static func folder(_ kind: FileManager.SearchPathDirectory) -> URL {
        FileManager.default.urls(for: kind, in: .userDomainMask).first ?? homeDirectory
    }
}
