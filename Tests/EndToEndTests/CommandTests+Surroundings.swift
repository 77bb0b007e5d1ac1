import Foundation
import Glibc
import TestSupport
import Testing

// What a program finds around it: devices, shared memory and its private folders.
extension CommandTests {
    @Test func `a path is bytes, and a value that is not UTF-8 is refused`() throws {
        let daemon = try daemon(
            """
            [Intent Read]
            Exec=/bin/cat %{file}
            Result=text
            [Intent Read.Parameter file]
            Type=file
            [Intent Read.Parameter note]
            Optional=yes
            """
        )
        let script = #"""
            cd "$3"; name=$(printf 'caf\351.txt'); echo coffee >"$name"
            "$1" --socket "$2" run tools/Read --file "$name" || exit 1
            "$1" --socket "$2" run tools/Read --file "$name" --note "$name"; echo "$?"
            "$1" --socket "$2" run "tools/$name"; echo "$?"
            "$1" --socket "$2" run --out "$name" tools/Read --file "$name"; echo "$?"
            """#
        let run = try Command(
            URL(filePath: "/bin/sh"),
            ["-c", script, "sh", Programs.intentctl.path, daemon.socket, daemon.folder.url.path]
        )
        #expect(run.exitCode() == 0, "\(run.errors)")
        #expect(run.output == "coffee\n64\n64\n64\n", "\(run.errors)")
        #expect(run.errors.contains(#"--note: the value is not UTF-8: 'caf\xE9.txt'"#), "\(run.errors)")
        #expect(run.errors.contains(#"argument 4 is not UTF-8: 'tools/caf\xE9.txt'"#), "\(run.errors)")
        #expect(run.errors.contains(#"argument 5 is not UTF-8: 'caf\xE9.txt'"#), "\(run.errors)")
    }
}
