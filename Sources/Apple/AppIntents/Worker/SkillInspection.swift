import Foundation
import Glibc
import IntentCommandLine
import IntentLinux
import IntentSharedTypes

/// Reads an app's skills: the files `NAME/SKILL.md` in the resource folder `Skills.skillsbundle`.
///
/// A file begins with front matter, which is a subset of YAML (the specification of Agent Skills): `name` and
/// `description`, each on one line, or in indented lines after `|` or `>`. Other keys are ignored.
enum SkillInspection {
    /// A reason to leave a skill out, and the next step.
    struct Problem: Error, Equatable {
        let text: String
    }

    /// Returns the app's skills by name, and a warning for each folder that is not a skill.
    static func skills(in folder: String?) -> (skills: [SkillDeclaration], warnings: [String]) {
        guard let folder else { return ([], []) }
        var skills: [SkillDeclaration] = []
        var warnings: [String] = []
        var room = SkillDeclaration.byteLimit
        for name in Localization.names(in: folder).sorted() where !name.hasPrefix(utf8: ".") {
            do throws(Problem) {
                guard skills.count < SkillDeclaration.countLimit else {
                    throw Problem(text: "an app has at most \(SkillDeclaration.countLimit) skills: remove one")
                }
                skills.append(try skill(named: name, in: folder, &room))
            } catch {
                warnings.append("the skill '\(name)' is not available: \(error.text)")
            }
        }
        return (skills, warnings)
    }

    /// The folder with the app's skills; nil for an app without skills.
    static var folderOfProgram: String? {
        OwnFolders.ofProgram.map { "\($0)/Skills.skillsbundle" }.first { FileManager.default.fileExists(atPath: $0) }
    }

    private static func skill(
        named name: String,
        in folder: String,
        _ room: inout Int
    ) throws(Problem) -> SkillDeclaration {
        let path = "\(folder)/\(name)/SKILL.md"
        let read: [UInt8]?
        do throws(SystemError) {
            let file = try File.open(path, O_RDONLY | O_NONBLOCK)
            read = try File.readAll(file.rawValue, limit: room)
        } catch {
            throw Problem(text: "cannot read \(name)/SKILL.md (\(error)): add the file")
        }
        guard let bytes = read else {
            throw Problem(
                text: "the SKILL.md files of an app have at most \(SkillDeclaration.byteLimit) bytes: shorten them"
            )
        }
        let skill = try Self.read(String(foreign: bytes), named: name)
        room -= bytes.count
        return skill
    }

    /// Parses a `SKILL.md` file.
    static func read(_ text: String, named folder: String) throws(Problem) -> SkillDeclaration {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0
        }
        guard let first = lines.first, first.elementsEqual("---".utf8),
            let end = lines.dropFirst().firstIndex(where: { $0.elementsEqual("---".utf8) })
        else {
            throw Problem(text: "SKILL.md has no front matter: begin it with '---', 'name: …', 'description: …', '---'")
        }
        let members = frontMatter(lines[1..<end].map { String(Substring($0)) })
        let name = members["name"] ?? ""
        guard name == folder, SkillDeclaration.isName(name) else {
            throw Problem(
                text: "'name' must be the folder's name, of at most \(SkillDeclaration.nameLimit) lower-case letters, "
                    + "digits and hyphens, got '\(name)'"
            )
        }
        guard let summary = members["description"], !summary.isEmpty,
            summary.scalarCount <= SkillDeclaration.summaryLimit
        else {
            throw Problem(
                text: "expected a 'description' of 1 to \(SkillDeclaration.summaryLimit) characters in the front matter"
            )
        }
        let body = lines[(end + 1)...].drop { $0.isEmpty }.map { String(Substring($0)) }.joined(separator: "\n")
        return SkillDeclaration(name: name, summary: summary, text: body)
    }

    /// Returns the members of front matter with a string as value.
    private static func frontMatter(_ lines: [String]) -> [String: String] {
        var members: [String: String] = [:]
        var rest = lines[...]
        while let line = rest.popFirst() {
            guard !line.hasPrefix(utf8: " "), !line.hasPrefix(utf8: "#"),
                let colon = line.utf8.firstIndex(of: UInt8(ascii: ":"))
            else { continue }
            let key = String(Substring(line.utf8[..<colon]))
            var value = trimmed(String(Substring(line.utf8[line.utf8.index(after: colon)...])))
            if let mark = value.utf8.first, mark == UInt8(ascii: "|") || mark == UInt8(ascii: ">") {
                var block: [String] = []
                while let next = rest.first, next.isEmpty || next.hasPrefix(utf8: " ") {
                    block.append(trimmed(next))
                    rest = rest.dropFirst()
                }
                value = trimmed(block.joined(separator: mark == UInt8(ascii: "|") ? "\n" : " "))
            } else {
                value = unquoted(value)
            }
            members[key] = value
        }
        return members
    }

    private static func trimmed(_ text: String) -> String { String(text.trimmed) }

    /// Removes the quotes around a scalar of YAML. A scalar in double quotes is read as a JSON string.
    private static func unquoted(_ text: String) -> String {
        if text.hasPrefix(utf8: "'"), text.hasSuffix(utf8: "'"), text.utf8.count > 1 {
            return String(text.dropFirst(scalars: 1).dropLast(scalars: 1)).replacing(utf8: "''", with: "'")
        }
        guard text.hasPrefix(utf8: "\""), case .string(let string)? = JSONValue(parsing: Array(text.utf8)) else {
            return text
        }
        return string
    }
}
