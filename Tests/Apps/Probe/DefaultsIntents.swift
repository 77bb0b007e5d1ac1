import AppIntents

/// Changes values and files where apps on Apple's platforms keep them, and returns all of them.
struct Remember: AppIntent {
    static let title: LocalizedStringResource = "Remember"
    @Parameter(title: "Key") var key: String
    @Parameter(title: "Removed key") var removedKey: String?
    @Parameter(title: "Waits", default: false) var waits: Bool
    @Parameter(title: "Empties", default: false) var empties: Bool

    func perform() async throws -> some IntentResult & ReturnsValue<[String]> {
        let standard = UserDefaults.standard
        standard.set(standard.integer(forKey: key) + 1, forKey: key)
        if let removedKey { standard.removeObject(forKey: removedKey) }
        guard let suite = UserDefaults(suiteName: "group.probe") else { throw CocoaError(.featureUnsupported) }
        suite.set((suite.stringArray(forKey: key) ?? []) + [key], forKey: key)
        var found = standard.dictionaryRepresentation().keys.filter { $0.hasPrefix("k") }.map {
            "\($0)=\(standard.integer(forKey: $0))+\(suite.stringArray(forKey: $0)?.count ?? 0)"
        }
        for folder in [URL.documentsDirectory, .cachesDirectory, .applicationSupportDirectory] {
            // As on Apple's platforms, an app makes the folder for its support files itself.
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "note-\(key)")
            try Data().write(to: file)
            found += try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("note") }
        }
        if empties {
            for name in try FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory()) {
                try FileManager.default.removeItem(atPath: NSTemporaryDirectory() + "/" + name)
            }
        }
        if waits { try await requestConfirmation() }
        return .result(value: found.sorted())
    }
}
