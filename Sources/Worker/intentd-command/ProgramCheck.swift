import Glibc
import IntentCommands
import IntentLauncherMessages
import IntentLinux

/// A check that the kernel can execute the programs of a file's intents, and that the sandbox contains them.
struct ProgramCheck {
    /// The paths that the sandbox contains; nil in a sandbox, in which all other paths do not exist.
    var grants: [String]?

    /// Interpreters that read the file of their first argument, and fail in it at a carriage return.
    private static let interpreters: Set<String> = ["sh", "bash", "dash", "zsh", "ksh", "python", "python3", "perl"]
    private static let searchPath = ["/usr/local/bin", "/usr/bin", "/bin"]
    /// The number of bytes in which the kernel looks for an interpreter (BINPRM_BUF_SIZE in binfmts.h).
    private static let headByteCount = 256

    func problems(in file: CommandFile) -> [String] {
        var problems: [String] = []
        for intent in file.intents {
            let commands =
                [intent.exec] + [intent.cancel].compactMap(\.self) + intent.parameters.compactMap(\.optionsCommand)
            for words in commands {
                guard let program = words.first?.fixedText else { continue }
                let name = "the program '\(WireCoding.excerpt(program))' of '\(intent.name)'"
                problems += problem(of: program, named: name, isExecuted: true).map { [$0] } ?? []
                guard words.count > 1, let script = words[1].fixedText, script.utf8.first == UInt8(ascii: "/"),
                    let base = program.split(scalar: "/").last, Self.interpreters.contains(String(base))
                else { continue }
                let scriptName = "the script '\(WireCoding.excerpt(script))' of '\(intent.name)'"
                problems += problem(of: script, named: scriptName, isExecuted: false).map { [$0] } ?? []
            }
        }
        if let server = file.server {
            let name = "the program '\(WireCoding.excerpt(server[0]))' of MCPServer="
            problems += problem(of: server[0], named: name, isExecuted: true).map { [$0] } ?? []
        }
        return problems.reduce(into: []) { list, problem in if !list.contains(problem) { list.append(problem) } }
    }

    private func problem(of path: String, named name: String, isExecuted: Bool) -> String? {
        let status: File.Status
        do throws(SystemError) {
            status = try File.status(at: path)
        } catch {
            let step =
                grants == nil
                ? "install it, or add its path to Programs= in [Sandbox]" : "install it, or correct the path"
            return "\(name) cannot be executed: \(error.code); \(step)"
        }
        guard status.kind == .regular else { return "\(name) is not a regular file" }
        if isExecuted, status.permissions & 0o111 == 0 {
            return "\(name) cannot be executed: it is not executable; change its mode: chmod a+rx \(path)"
        }
        if let problem = uncovered(path, named: name) { return problem }
        // Without permission to read the file, its contents cannot be checked.
        guard let file = try? File.open(path, O_RDONLY | O_NONBLOCK),
            let head = try? File.read(file.rawValue, upTo: Self.headByteCount, at: 0), !head.isEmpty
        else { return nil }
        let line = head.prefix { $0 != UInt8(ascii: "\n") }
        if line.last == UInt8(ascii: "\r") {
            return "\(name) has lines that end with CR LF, which its interpreter does not accept; convert it: "
                + "sed -i 's/\\r$//' \(path)"
        }
        if isExecuted { return problem(of: line, named: name) }
        return nil
    }

    /// Returns the problem of the first line of a program.
    private func problem(of line: ArraySlice<UInt8>, named name: String) -> String? {
        if line.starts(with: [0x7F, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F")]) { return nil }
        guard line.starts(with: "#!".utf8) else {
            return "\(name) is neither an ELF executable nor a script that begins with #! and its interpreter"
        }
        let words = String(foreign: line.dropFirst(2)).split(whereScalar: { $0 == " " || $0 == "\t" }).map {
            String($0)
        }
        guard let interpreter = words.first else { return "\(name) names no interpreter after #!" }
        let named = "the interpreter '\(WireCoding.excerpt(interpreter))' of \(name)"
        guard (try? File.status(at: interpreter))?.kind == .regular else {
            return "\(named) does not exist; install it, or correct the first line of the script"
        }
        if let problem = uncovered(interpreter, named: named) { return problem }
        guard interpreter.hasSuffix(utf8: "/env"), let program = words.dropFirst().first(where: { $0 != "-S" }),
            program.utf8.first != UInt8(ascii: "-"), !program.contains(utf8: "="), !program.contains(utf8: "/"),
            !Self.searchPath.contains(where: { (try? File.status(at: "\($0)/\(program)"))?.kind == .regular })
        else { return nil }
        return
            "\(name) needs '\(WireCoding.excerpt(program))', which is not in \(Self.searchPath.joined(separator: ":"))"
    }

    /// Returns the problem of a path, or of a link on the way to its file, that the sandbox does not contain.
    private func uncovered(_ path: String, named name: String) -> String? {
        guard let grants else { return nil }
        var rest = path.split(scalar: "/").map { String($0) }
        var current = ""
        var linkCount = 0
        func isCovered(_ path: String) -> Bool {
            grants.contains {
                $0 == "/" || path == $0 || path.hasPrefix(utf8: $0 + "/") || $0.hasPrefix(utf8: path + "/")
            }
        }
        while !rest.isEmpty {
            let part = rest.removeFirst()
            if part == "." { continue }
            if part == ".." {
                current = current.split(scalar: "/").dropLast().map { "/\($0)" }.joined()
                continue
            }
            let next = "\(current)/\(part)"
            guard let target = File.target(ofLink: next) else {
                current = next
                continue
            }
            linkCount += 1
            // status(at:) has followed the links already, so their number is bounded unless they change.
            guard linkCount <= 40, isCovered(next) else {
                (current, rest) = (path, [])
                break
            }
            if target.utf8.first == UInt8(ascii: "/") { current = "" }
            rest = target.split(scalar: "/").map { String($0) } + rest
        }
        let isInside = grants.contains { $0 == "/" || current == $0 || current.hasPrefix(utf8: $0 + "/") }
        if rest.isEmpty, isInside { return nil }
        let missing = rest.isEmpty && current != path ? " is a link to '\(WireCoding.excerpt(current))', which" : ""
        return "\(name)\(missing) is not in the sandbox; add its path to Programs= in [Sandbox]"
    }
}
