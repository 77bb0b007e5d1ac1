/// A shortcut that a user stores in `intentd`, for that user alone.
public struct OwnShortcutText: Hashable, Sendable, Codable {
    /// The name under which the shortcut is listed and performed, in the form of an app's name.
    public var name: String
    /// The text of the file (intentd.shortcut(5)), at most 64 KiB.
    public var text: String
    /// The path of the file, from which a client later finds out whether the file differs. `intentd` does not open it.
    public var path: String?

    /// The maximum number of shortcuts that a user can store.
    public static let countLimit = 64

    /// Creates a shortcut from the text of a file.
    public init(name: String, text: String, path: String? = nil) {
        self.name = name
        self.text = text
        self.path = path
    }
}

/// The description of a shortcut that a user has stored.
public struct OwnShortcut: Hashable, Sendable, Codable {
    /// The name under which the shortcut is listed and performed.
    public var name: String
    /// The name of its intent.
    public var intent: String
    /// The title of its intent.
    public var title: String
    /// The path of the file from which it was stored; nil if the client sent none.
    public var path: String?
    /// The SHA-256 digest of its text, in hexadecimal.
    public var digest: String
    /// The size of its text, in bytes.
    public var byteCount: Int
    /// True if an installed app of the same name takes precedence, so that the shortcut is not listed.
    public var isHidden: Bool?

    /// Creates a description.
    public init(name: String, intent: String, title: String, path: String?, digest: String, byteCount: Int) {
        self.name = name
        self.intent = intent
        self.title = title
        self.path = path
        self.digest = digest
        self.byteCount = byteCount
    }
}
