import Foundation
import IntentClient
import TestSupport
import Testing
import intentctl

@Suite(.ownThread) struct CompletionTests {
    private static let apps = [
        AppDescription(
            name: "Soup",
            executable: "/apps/Soup",
            catalog: IntentCatalog(intents: [
                IntentDeclaration(
                    name: "OrderSoup",
                    title: "Order a soup",
                    parameters: [
                        ParameterDeclaration(
                            name: "soupKind",
                            title: "Kind",
                            type: .enumeration([
                                .init(value: "tomato", title: "Tomato"), .init(value: "pea", title: "Pea"),
                            ])
                        ),
                        ParameterDeclaration(name: "isHot", title: "Hot", type: .bool),
                    ]
                )
            ]),
            limits: limits
        )
    ]
    private static let limits = RunLimits()

    private func words(_ line: String...) -> [String] {
        var completion = Completion(line)
        completion.add(Self.apps)
        return completion.candidates.map(\.word)
    }

    @Test func `commands are completed, and options before and after them`() {
        #expect(words("relo") == ["reload"])
        #expect(words("--so") == ["--socket"])
        #expect(words("--socket", "/run/x", "stat") == ["status"])
        #expect(words("run", "--ke") == ["--key"])
        #expect(words("-o", "j") == ["json"])
        #expect(words("run", "--on-disconnect", "") == ["cancel", "continue"])
        #expect(words("run", "--on-disconnect=ca") == ["--on-disconnect=cancel"])
        #expect(words("help", "comp") == ["completion"])
        #expect(words("completion", "") == ["bash", "zsh", "fish"])
        #expect(words("schedule", "") == ["add", "list", "show", "run", "remove"])
        #expect(words("schedule", "add", "--overlap", "") == ["skip", "queue", "cancel"])
    }

    @Test func `intents, parameters and values are completed from the live catalogue`() {
        #expect(Completion(["run", "S"]).need == .intents)
        #expect(words("run", "S") == ["Soup/OrderSoup"])
        #expect(words("run", "--key", "k", "S") == ["Soup/OrderSoup"])
        #expect(words("describe", "Soup/") == ["Soup/OrderSoup"])
        #expect(words("run", "Soup/OrderSoup", "") == ["--soup-kind", "--is-hot"])
        #expect(words("run", "Soup/OrderSoup", "--soup-kind", "") == ["tomato", "pea"])
        #expect(words("run", "Soup/OrderSoup", "--soup-kind=p") == ["--soup-kind=pea"])
        #expect(words("run", "Soup/OrderSoup", "--soup-kind", "tomato", "--is") == ["--is-hot"])
        #expect(words("run", "Soup/OrderSoup", "--is-hot", "--so") == ["--soup-kind"])
        #expect(words("schedule", "add", "n", "daily", "Soup/OrderSoup", "--soup-kind", "") == ["tomato", "pea"])
        #expect(words("run", "Nothing/There", "--") == [])
    }

    @Test func `a word with a control or an invisible character is not offered`() {
        var completion = Completion(["list", ""])
        completion.add(
            ["Soup", "So\nup", "So\tup", "So\u{1B}[Aup", "So\u{200B}up", "So\u{202E}up"].map {
                AppDescription(name: $0, executable: "/apps/x", catalog: nil, limits: Self.limits)
            }
        )
        #expect(completion.candidates.map(\.word) == ["Soup"])
    }

    @Test func `runs are completed from the daemon that the command line selects`() {
        #expect(Completion(["cancel", "abc", ""]).need == .runs)
        #expect(Completion(["why", ""]).need == .runs)
        #expect(Completion(["run", "--retry-of", ""]).need == .runs)
        #expect(Completion(["why", "abc", ""]).need == .nothing)
        #expect(Completion(["--socket", "/run/x", "run", ""]).socket == "/run/x")
        #expect(Completion(["--user", "run", ""]).isUsers)
        #expect(Completion(["verify", ""]).need == .nothing)
        #expect(Completion(["schedule", "add", "n", "daily", ""]).need == .intents)
        #expect(Completion(["schedule", "remove", "a", ""]).need == .schedules)
        #expect(Completion(["schedule", "list", ""]).need == .nothing)
        let commands = Set(Completion([]).candidates.map(\.word))
        #expect(commands == Set(CommandSpec.all.map(\.name)))
        #expect(Completion(["rel"]).candidates.map(\.word) == ["reload"])
    }

    private static let missing = CompletionScript.Shell.allCases.map { "/usr/bin/\($0.rawValue)" }
        .filter { !FileManager.default.isExecutableFile(atPath: $0) }

    @Test(.enabled(if: missing.isEmpty, "\(missing) not here"), arguments: CompletionScript.Shell.allCases)
    func `each shell loads its script`(_ shell: CompletionScript.Shell) throws {
        let path = "/usr/bin/\(shell.rawValue)"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["-n", "/dev/stdin"]
        let input = Pipe()
        process.standardInput = input
        try process.run()
        input.fileHandleForWriting.write(Data((CompletionScript.text(for: shell) + "\n").utf8))
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
