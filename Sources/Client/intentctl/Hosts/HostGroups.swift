import IntentLinux

/// Groups of hosts. Files define them with lines such as `web: web1 web2 user@web3`.
package struct HostGroups: Equatable, Sendable {
    /// The maximum number of hosts for one command.
    package static let hostLimit = 1000

    /// The members of each group, as written in the file: hosts, and other groups as `@NAME`.
    private var members: [String: [String]] = [:]

    package init() {}

    /// The names of all groups, sorted.
    package var names: [String] { members.keys.sorted() }

    /// The hosts of all groups, sorted.
    package var knownHosts: [String] { Set(members.values.joined()).filter { !$0.hasPrefix(utf8: "@") }.sorted() }

    /// Adds the groups in a file. A group that already exists keeps its members, so add the user's file first.
    ///
    /// - Throws: ``CommandFailure``, which names the file and the line.
    package mutating func add(_ text: String, from path: String) throws(CommandFailure) {
        var ofFile: [String: [String]] = [:]
        for (index, line) in text.lines(omittingEmptySubsequences: false).enumerated() {
            let content = Substring(line.unicodeScalars.prefix { $0 != "#" }).trimmed
            guard !content.utf8.isEmpty else { continue }
            let parts = content.split(scalar: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard parts.count == 2, Self.isName(name) else {
                throw Self.mistake(path, index, "expected NAME: HOST...", "for example: web: web1 web2 user@web3")
            }
            guard ofFile[name] == nil else {
                throw Self.mistake(path, index, "duplicate group '\(name)'", "write all hosts of a group on one line")
            }
            let words = parts[1].split(whereScalar: \.properties.isWhitespace).map { String($0) }
            for word in words {
                if word.hasPrefix(utf8: "@"), Self.isName(String(word.dropFirst(scalars: 1))) { continue }
                do throws(CommandFailure) {
                    _ = try HostName(word)
                } catch {
                    throw Self.mistake(path, index, error.message, error.hint)
                }
            }
            ofFile[name] = words
        }
        members.merge(ofFile) { known, _ in known }
    }

    /// Returns the hosts in a list such as `web1,@db`, without duplicates, in the order of the list.
    package func hosts(of list: String) throws(CommandFailure) -> [HostName] {
        var hosts: [HostName] = []
        var known: Set<HostName> = []
        for word in list.split(scalar: ",", omittingEmptySubsequences: false) {
            try add(String(word), to: &hosts, &known, within: [])
        }
        return hosts
    }

    private func add(
        _ word: String,
        to hosts: inout [HostName],
        _ known: inout Set<HostName>,
        within groups: [String]
    ) throws(CommandFailure) {
        guard word.hasPrefix(utf8: "@") else {
            let host = try HostName(word)
            guard known.insert(host).inserted else { return }
            guard hosts.count < Self.hostLimit else {
                throw .usage("the list contains more than \(Self.hostLimit) hosts", hint: "use a smaller group")
            }
            hosts.append(host)
            return
        }
        let name = String(word.dropFirst(scalars: 1))
        guard let members = members[name] else {
            throw .usage(
                "unknown host group '\(word)'",
                hint: names.isEmpty
                    ? "write '\(Self.isName(name) ? name : "web"): HOST...' to ~/.config/intentd/hosts"
                    : "known groups: \(names.map { "@" + $0 }.joined(separator: ", "))"
            )
        }
        guard !groups.contains(name) else {
            throw .usage(
                "the group '\(word)' contains itself",
                hint: "see ~/.config/intentd/hosts and /etc/intentd/hosts"
            )
        }
        for member in members { try add(member, to: &hosts, &known, within: groups + [name]) }
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64
            && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "._-".utf8.contains($0) }
    }

    private static func mistake(_ path: String, _ index: Int, _ message: String, _ hint: String?) -> CommandFailure {
        CommandFailure(.badConfiguration, "\(path), line \(index + 1): \(message)", hint: hint)
    }
}

extension HostGroups {
    /// The paths of the files that define groups. The user's file is first.
    static var paths: [String] {
        let home = environmentText("XDG_CONFIG_HOME") ?? environmentText("HOME").map { $0 + "/.config" }
        return [home.map { $0 + "/intentd/hosts" }, "/etc/intentd/hosts"].compactMap(\.self)
    }

    /// Reads the groups in all files. Ignores missing files.
    static func read() throws(CommandFailure) -> HostGroups {
        var groups = HostGroups()
        for path in paths {
            let text: String
            do throws(SystemError) {
                text = try File.text(at: path)
            } catch {
                if error.code.isAbsence { continue }
                throw CommandFailure(
                    .badConfiguration,
                    "cannot read '\(path)': \(error.code)",
                    hint: "the file defines groups of hosts; check its permissions, and keep it below 1 MiB"
                )
            }
            try groups.add(text, from: path)
        }
        return groups
    }
}
