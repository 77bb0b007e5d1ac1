import Foundation
import TestSupport
import Testing

/// Completion in real shells: each word that an app provides becomes one argument, and is never executed.
@Suite(.ownThread, .serialized, .enabled(if: Terminals.isThere, "tmux is not installed"))
struct CompletionShellTests {
    /// Words that are offered as the only completion. A shell that executes one of them creates the file 'mark'.
    private static let words = [
        "$(touch mark)", "`touch mark`", "; touch mark;", "&touch mark", "|touch mark", ">mark", "<(touch mark)", "a b",
        "a'b", "a\"b", "'; touch mark; '", "\"; touch mark; \"", "a\\", "\\$(touch mark)", "$HOME", "~", "*", "{a,b}",
        "a:b", "#a", "=ls", "--a=$(touch mark)", "!!", "^a^b", "%1", "[a]", "(touch mark)", "ä;touch mark", "$'\\x3b'",
        "a?b", "-x", "a,b", "@a", "a^b", "a;b\\:c",
    ]

    @Test(arguments: ["bash", "zsh", "fish"])
    func `a completed word is one unchanged argument, and executes no command`(shell: String) throws {
        let scene = try Scene(shell)
        guard scene.isInstalled else { try skipTest("\(shell) is not installed") }
        for word in Self.words {
            let arguments = try scene.complete(word)
            // fish would expand this word as a folder, so it is not offered there.
            let offered = shell == "fish" && word.hasPrefix("~") ? ["run"] : ["run", word]
            #expect(arguments == offered, "\(arguments)")
            #expect(!scene.hasMark, "'\(word)' was executed")
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"], ["a:", "a:b", "--a=", "--a=v", "--a=v:", "--a=v:w=", "::", "a::b"])
    func `a word with colons and equals signs is completed as one word`(shell: String, typed: String) throws {
        let scene = try Scene(shell)
        guard scene.isInstalled else { try skipTest("\(shell) is not installed") }
        let arguments = try scene.complete(typed + "rest", of: typed)
        #expect(arguments == ["run", typed + "rest"], "\(arguments)")
        #expect(try scene.words.last == typed)
    }

    @Test(arguments: ["bash", "zsh", "fish"], ["'", "\"", "\\", "$", "`", "$(", "a'", "a\""])
    func `completion inside quotes executes no command`(shell: String, opening: String) throws {
        let scene = try Scene(shell)
        guard scene.isInstalled else { try skipTest("\(shell) is not installed") }
        for word in Self.words where word.contains("touch") || word.contains(">") {
            try scene.complete(opening + word, after: opening)
            #expect(!scene.hasMark, "'\(word)' was executed after \(opening)")
        }
    }

    /// A shell in a terminal with the completion script and an `intentctl` that offers a test's words.
    private final class Scene {
        private let folder: TemporaryFolder
        private let terminals: Terminals
        let isInstalled: Bool

        init(_ shell: String) throws {
            folder = try TemporaryFolder()
            terminals = Terminals(in: folder)
            isInstalled = access("/usr/bin/\(shell)", X_OK) == 0
            guard isInstalled else { return }
            let path = folder.url.path
            let program = """
                if [ "$1" = completion ]; then printf '%s\\n' "$@" >'\(path)/words'; cat '\(path)/candidates'; exit; fi
                for word; do printf '%s\\0' "$word"; done >'\(path)/new'
                mv '\(path)/new' '\(path)/arguments'
                """
            try FileManager.default.createDirectory(at: folder.appending("bin"), withIntermediateDirectories: true)
            try FileManager.default.createDirectory(at: folder.appending("home"), withIntermediateDirectories: true)
            try Script.write(program, at: folder.appending("bin/intentctl").path)
            let script = try Command(Programs.intentctl, ["completion", shell])
            #expect(script.exitCode() == 0)
            try Data(script.output.utf8).write(to: folder.appending("script"))
            try terminals.open("one", columns: 200)
            let begin =
                switch shell {
                case "bash": "exec bash --norc --noprofile -i"
                case "zsh": "exec zsh -f -i"
                default: "exec fish --no-config -i"
                }
            try terminals.type(
                "cd '\(path)/home'; export HOME=$PWD PATH='\(path)/bin':$PATH PS1='ready> '; \(begin)",
                in: "one"
            )
            if shell == "zsh" { try terminals.type("autoload -U compinit; compinit -u -D", in: "one") }
            // The shells run without their own prompts, which the tests could not wait for, and without suggestions.
            try terminals.type("source ../script; touch ../begun", in: "one")
            try wait(for: "begun")
        }

        /// The words for which the shell last asked for candidates.
        var words: [String] {
            get throws {
                let text = try String(contentsOf: folder.appending("words"), encoding: .utf8)
                return text.split(separator: "\n").map(String.init)
            }
        }

        var hasMark: Bool { FileManager.default.fileExists(atPath: folder.appending("home/mark").path) }

        /// Types a command line, completes its last word, and executes it.
        ///
        /// - Returns: The arguments of the executed command.
        func complete(_ word: String, of typed: String = "") throws -> [String] {
            try offer(word)
            try keys("intentctl run " + typed, then: ["Tab", "Enter"])
            let file = folder.appending("arguments")
            try wait(for: "arguments")
            defer { try? FileManager.default.removeItem(at: file) }
            return try Data(contentsOf: file).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        }

        /// Completes a word after an opening quote. Whatever results, the shell must accept another command afterwards.
        func complete(_ word: String, after opening: String) throws {
            try offer(word)
            try keys("intentctl run " + opening, then: ["Tab", "Enter"])
            // A shell drops input while it handles an interrupt, and may be in a menu or an open quote.
            try eventually("the shell accepts commands; the terminal shows \((try? terminals.screen("one")) ?? "")") {
                try terminals.press("C-c", in: "one")
                try terminals.type("touch ../done", in: "one")
                return FileManager.default.fileExists(atPath: folder.appending("done").path)
            }
            try FileManager.default.removeItem(at: folder.appending("done"))
        }

        private func offer(_ word: String) throws {
            try Data("\(word)\tan explanation\n".utf8).write(to: folder.appending("candidates"))
        }

        private func keys(_ line: String, then keys: [String]) throws {
            try terminals.write(line, in: "one")
            for key in keys { try terminals.press(key, in: "one") }
        }

        private func wait(for name: String) throws {
            let path = folder.appending(name).path
            try eventually("\(name) exists; the terminal shows \((try? terminals.screen("one")) ?? "")") {
                FileManager.default.fileExists(atPath: path)
            }
        }
    }
}
