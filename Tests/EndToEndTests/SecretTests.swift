import Foundation
import Glibc
import TestSupport
import Testing

/// Tests that values that an app or an operator declares secret are in no file and in no answer.
@Suite(.ownThread) struct SecretTests {
    /// SignIn declares its password secret. It donates, and opens, another intent with the same values.
    @Test(arguments: [
        ([], ["password"]),
        (["[History]", "Secret=user"], ["password", "user"]),
        (["[Intent SignIn]", "Secret=user"], ["password", "user"]),
        (["[Intent SignInIntent]", "Secret=user"], ["password", "user"]),
        (["[Intent Echo]", "Secret=text"], ["password"]),
    ])
    func `secret values appear in no file, log, answer or export`(unit: [String], secrets: [String]) throws {
        let daemon = try Daemon(app: unit)
        let values = [
            "user": "ann-\(UInt32.random(in: 1_000_000 ... .max))",
            "password": "hush-\(UInt64.random(in: .min ... .max))",
        ]
        let words = values.flatMap { ["--\($0)", $1] }
        let ran = try daemon.start(["run", "--key", "once", "Probe/SignIn"] + words)
        #expect(ran.exitCode() == 0, "\(ran.errors)")
        let run = try daemon.newestRun()
        // Until then, intentd reports the values from memory, as it did to subscribers.
        try eventually("the worker has exited") { try daemon.json("show", run)["exitedMilliseconds"] != nil }
        let refused = try daemon.start(["run", "--key", "once", "Probe/SignIn", "--user", "bob", "--password", "other"])
        #expect(refused.exitCode() == (secrets.contains("user") ? 0 : 64))
        #expect(try daemon.json("show", run)["secretParameters"] as? [String] == secrets)
        let told = [
            "\(try daemon.json("show", run))", try daemon.intentctl("show", run).output,
            "\(try daemon.json("why", run))", try daemon.intentctl("history", "--export", "jsonl").output,
            try daemon.intentctl("metrics").output, try daemon.intentctl("logs", run).output, daemon.errors,
            refused.errors,
        ]
        for (name, value) in values {
            let isSecret = secrets.contains(name)
            #expect(told.contains { $0.contains(value) } == !isSecret, "\(name): \(told)")
            #expect(try files(holding: value, in: daemon).isEmpty == isSecret, "\(name)")
        }
    }

    @Test func `describe marks the parameters that an app declares secret`() throws {
        #expect(try Daemon().intentctl("describe", "Probe/SignIn").output.contains("(secret: never recorded)"))
    }

    /// The names of all files that contain a text, including the database, its log and shared memory.
    private func files(holding text: String, in daemon: Daemon) throws -> String {
        let folders = ["state", "cache"].map { daemon.folder.appending($0).path }
        let grep = try Command(URL(filePath: "/usr/bin/grep"), ["-rlaF", text] + folders)
        #expect(grep.exitCode() <= 1, "\(grep.errors)")
        return grep.output
    }
}
