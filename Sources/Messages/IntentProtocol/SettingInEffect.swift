/// A setting of the operator's files that is in effect for an app, and where it is set.
public struct SettingInEffect: Hashable, Sendable, Codable {
    /// The section, such as `Sandbox`, or `Intent NAME` for a setting of one intent.
    public var section: String
    /// The key, such as `MemoryMax`.
    public var key: String
    /// The value, as it is written in the file, or the default.
    public var value: String
    /// The file and the line of the value, as `FILE:LINE`; nil for a default.
    public var source: String?

    /// Creates a setting.
    public init(_ section: String, _ key: String, value: String, source: String? = nil) {
        self.section = section
        self.key = key
        self.value = value
        self.source = source
    }
}
