import Foundation
import TestSupport
import Testing

// Files that can be read only once, and files for others.
extension CommandTests {
    @Test func `files for a group can be written into a folder with a blank in its name`() throws {
        let daemon = try Daemon()
        let out = try daemon.makeFolder("My Files")
        chmod(out.path, 0o2777)
        try daemon.writeCommands(
            """
            [Sandbox]
            WritePaths="\(out.path)"
            UMask=027
            [Intent Write]
            Exec=/bin/sh -c 'echo text >"$1/file"; mkdir "$1/folder"; umask' sh "\(out.path)"
            Result=text
            """
        )
        let run = try daemon.intentctl("run", "tools/Write")
        #expect(run.output == "0027\n", "\(run.errors)")
        for (name, mode) in [("file", 0o640), ("folder", 0o2750)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: out.appending(path: name).path)
            #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
        }
    }

    @Test func `a pipe reaches the program whole, as standard input, as a path, and as both`() throws {
        let daemon = try daemon(
            """
            [Intent Sum]
            Exec=/bin/sh -c 'sha256sum; test -n "$1"' sh %{data?given}
            StandardInput=%{data}
            Result=text
            [Intent Sum.Parameter data]
            Type=file
            [Intent Both]
            Exec=/bin/sh -c 'sha256sum "$1"; sha256sum' sh %{data}
            StandardInput=%{data}
            Result=text
            [Intent Both.Parameter data]
            Type=file
            """
        )
        // More than a pipe holds.
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        let data = daemon.folder.appending("data")
        try bytes.write(to: data)
        let expected = try Command(URL(filePath: "/usr/bin/sha256sum"), [data.path])
        #expect(expected.exitCode() == 0)
        let sum = String(expected.output.prefix(64))
        for (intent, count) in [("Sum", 1), ("Both", 2)] {
            let run = try Command(
                URL(filePath: "/bin/sh"),
                [
                    "-c", #"cat "$1" | "$2" --socket "$3" run "tools/$4" --data -"#, "sh", data.path,
                    Programs.intentctl.path, daemon.socket, intent,
                ]
            )
            #expect(run.exitCode() == 0, "\(run.errors)")
            #expect(run.output.components(separatedBy: sum).count == count + 1, "\(intent): \(run.output)")
        }
    }

    @Test func `the last line of the output is shown before the end, even without a line feed`() throws {
        let daemon = try daemon(
            """
            [Intent Print]
            Exec=/bin/sh -c 'printf "one\\\\ntwo"; printf "three\\\\nfour" >&2'
            """
        )
        let run = try daemon.intentctl("run", "tools/Print")
        #expect(run.code == 0)
        for word in ["one", "two", "three", "four"] { #expect((run.output + run.errors).contains(word), "\(run)") }
    }

    @Test func `a result in JSON keeps all digits of a number or is refused`() throws {
        let daemon = try daemon(
            """
            [Intent Exact]
            Exec=/bin/echo [9223372036854775807,1e20]
            Result=json
            [Intent Inexact]
            Exec=/bin/echo '{"id":12345678901234567890}'
            Result=json
            """
        )
        let exact = try daemon.intentctl("run", "tools/Exact")
        #expect(exact.output.contains("9223372036854775807"), "\(exact)")
        let inexact = try daemon.intentctl("run", "tools/Inexact")
        #expect(
            inexact.code == 1 && inexact.errors.contains("field 'id': expected a number with at most 17"),
            "\(inexact)"
        )
    }
}
