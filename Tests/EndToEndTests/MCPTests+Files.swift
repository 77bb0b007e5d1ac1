import Foundation
import TestSupport
import Testing

// Files of results and of arguments.
extension MCPTests {
    private static func files(_ result: [String: Any]) -> [[String: Any]] {
        result.structured["files"] as? [[String: Any]] ?? []
    }

    private static func blocks(_ result: [String: Any], _ type: String) -> [[String: Any]] {
        (result["content"] as? [[String: Any]] ?? []).filter { $0["type"] as? String == type }
    }

    @Test func `the file that one tool returns is the argument of another`() throws {
        let server = try MCPProcess(try daemon())
        let note = "Call me Ishmael. \u{1F40B}"
        let data = "data:text/plain;name=note.txt;base64,\(Data(note.utf8).base64EncodedString())"
        let packed = try server.call("Archive_Compress", ["file": data])
        let gzip = try #require(Self.files(packed).first, "\(packed)")
        #expect(gzip["name"] as? String == "note.txt.gz" && gzip["mimeType"] as? String == "application/gzip")
        let uri = try #require(gzip["uri"] as? String)
        #expect(packed.resultText.contains(uri))
        let expanded = try server.call("Archive_Expand", ["file": uri])
        let file = try #require(Self.files(expanded).first, "\(expanded)")
        #expect(file["text"] as? String == note && file["mimeType"] as? String == "text/plain")
        #expect(Self.blocks(expanded, "text").contains { $0["text"] as? String == note })
        #expect(Set((expanded["content"] as? [[String: Any]] ?? []).compactMap { $0["type"] as? String }) == ["text"])
    }

    @Test func `an image is an image block, whatever its name, and a large file is read in parts`() throws {
        let daemon = try daemon()
        let server = try MCPProcess(daemon, ["--root", daemon.folder.url.path])
        let png = try #require(
            Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
            )
        )
        let picture = daemon.folder.appending("picture")
        try png.write(to: picture)
        let image = try server.call("Probe_EchoFile", ["file": "file://\(picture.path)"])
        let block = try #require(Self.blocks(image, "image").first, "\(image)")
        #expect(block["mimeType"] as? String == "image/png")
        #expect((block["data"] as? String).flatMap { Data(base64Encoded: $0) } == png)

        let text = String(repeating: "é", count: 60_000)
        let large = daemon.folder.appending("large.csv")
        try Data(text.utf8).write(to: large)
        let result = try server.call("Probe_EchoFile", ["file": "file://\(large.path)"])
        let file = try #require(Self.files(result).first, "\(result)")
        #expect(file["size"] as? Int == 120_000 && file["text"] == nil && file["mimeType"] as? String == "text/csv")
        #expect(result.resultText.contains("intent_read_file"))
        let uri = try #require(file["uri"])
        var (read, offset) = ("", 0)
        repeat {
            // The first part would end within a character.
            let part = try server.call("intent_read_file", ["uri": uri, "offset": offset, "length": 99_999])
            let value = try #require(part.structured["value"] as? [String: Any], "\(part)")
            read += try #require(value["text"] as? String)
            offset = value["nextOffset"] as? Int ?? -1
        } while offset > 0
        #expect(read == text)
        let resource = try server.request("resources/read", ["uri": uri])["contents"] as? [[String: Any]]
        #expect(resource?.first?["text"] as? String == text && resource?.first?["mimeType"] as? String == "text/csv")

        let noise = try daemon.folder.noise("data.bin", byteCount: 400_000)
        let binary = try server.call("Probe_EchoFile", ["file": "file://\(noise.path)"])
        let bytes = try #require(Self.files(binary).first)
        #expect(bytes["mimeType"] as? String == "application/octet-stream")
        let part = try server.call("intent_read_file", ["uri": try #require(bytes["uri"]), "offset": 7, "length": 5])
        let base64 = (part.structured["value"] as? [String: Any])?["base64"] as? String
        #expect(try base64.flatMap { Data(base64Encoded: $0) } == Data(contentsOf: noise)[7..<12])
        for wrong in [["offset": 400_001], ["length": 100_001], ["length": 0], ["offset": -1]] as [[String: Any]] {
            let arguments = wrong.merging(["uri": uri]) { $1 }
            #expect(try server.call("intent_read_file", arguments)["isError"] as? Bool == true, "\(wrong)")
        }
    }

    @Test func `a file of a run that no agent requested is neither read nor passed on`() throws {
        let daemon = try daemon()
        let ran = try daemon.intentctl("run", "--detach", "Probe/MakeFile", "--place", "memory")
        let run = ran.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try daemon.intentctl("wait", run).code == 0)
        let server = try MCPProcess(daemon)
        let uri = "intent-run://\(run)/0/x"
        for result in [
            try server.call("intent_read_file", ["uri": uri]), try server.call("Archive_Compress", ["file": uri]),
        ] {
            #expect(result["isError"] as? Bool == true && result.resultText.contains("no agent requested"), "\(result)")
        }
        #expect(try server.request("resources/read", ["uri": uri])["error"] != nil)
        for wrong in ["intent-run://0000000000/0/x", "intent-run://\(run)/value", "data:text/plain", "data:;base64,!!"]
        {
            #expect(try server.call("Archive_Compress", ["file": wrong])["isError"] as? Bool == true, "\(wrong)")
        }
    }

    @Test(.enabled(if: Daemon.canBecomeOthers, "needs root to act as several users"))
    func `an agent passes on the files of its results, although it may pass no other file`() throws {
        let daemon = try Daemon(
            configuration: [
                "[Agents]", "User=42428", "For=42429", "Allow=all", "Ask=never", "AllowRoots=/usr/share/nonesuch",
            ]
        )
        try daemon.admitEverybody()
        let server = try MCPProcess(daemon, ["--root", "/usr"], as: 42_428)
        let made = try server.call("Probe_MakeFile", ["place": "memory", "text": "made"])
        let uri = try #require(Self.files(made).first?["uri"], "\(made)")
        let packed = try server.call("Archive_Compress", ["file": uri])
        #expect(Self.files(packed).count == 1, "\(packed)")
        for other in ["file:///usr/bin/env", "data:text/plain,hello"] {
            let refused = try server.call("Archive_Compress", ["file": other])
            #expect(refused["isError"] as? Bool == true && refused.resultText.contains("AllowRoots="), "\(refused)")
        }
    }
}
