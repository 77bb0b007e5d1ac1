/// A skill of an app: instructions for agents, from a `SKILL.md` file in the folder `Skills.skillsbundle`.
public struct SkillDeclaration: Hashable, Sendable, Codable {
    /// The name of the skill's folder: lower-case letters, digits and hyphens.
    public var name: String
    /// A description of what the skill is for.
    public var summary: String
    /// The instructions, in Markdown, without the front matter.
    public var text: String

    /// Creates a skill.
    public init(name: String, summary: String, text: String) {
        self.name = name
        self.summary = summary
        self.text = text
    }

    /// The maximum number of skills of an app.
    public static let countLimit = 16
    /// The maximum size of all `SKILL.md` files of an app, in bytes: a catalogue contains them.
    public static let byteLimit = 32 << 10
    /// The maximum length of a skill's name in characters (the specification of Agent Skills).
    public static let nameLimit = 64
    /// The maximum length of a skill's description in Unicode scalars (the specification of Agent Skills).
    public static let summaryLimit = 1024

    /// Returns true if the text is a name: at most 64 lower-case letters, digits and hyphens, with no hyphen at the
    /// start, at the end, or after another.
    public static func isName(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return text.utf8.count <= nameLimit
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy {
                        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    }
            }
    }

    private static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.put(text)
        return String(foreign: writer.bytes)
    }

    /// The skill as a `SKILL.md` file.
    public var file: String {
        // A quoted scalar of YAML in double quotes can contain every JSON string.
        "---\nname: \(name)\ndescription: \(Self.quoted(summary))\n---\n\n\(text)"
    }
}
