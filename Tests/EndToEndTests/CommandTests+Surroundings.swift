import Foundation
import Glibc
import TestSupport
import Testing

// What a program finds around it: devices, shared memory and its private folders.
extension CommandTests {
    /// Writes an executable script, and returns its path, which `Programs=` must grant.
    func script(_ text: String, named name: String, of daemon: Daemon) throws -> String {
        let path = daemon.folder.appending("bin/\(name)").path
        try Data(text.utf8).write(to: URL(filePath: path))
        chmod(path, 0o755)
        return path
    }

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

    @Test func `the standard devices work, and a program can open its streams by name`() throws {
        let daemon = try Daemon()
        let path = try script(
            """
            #!/bin/sh -e
            head -c 2 /dev/zero /dev/random /dev/urandom >/dev/null
            ! echo full >/dev/full
            echo input | cat /dev/stdin /dev/fd/0 >/dev/stdout
            echo output >/dev/stdout
            echo error >/dev/stderr
            if [ "$1" = none ]; then ! cat </dev/stdout; fi
            """,
            named: "devices",
            of: daemon
        )
        try daemon.writeCommands(
            """
            [Sandbox]
            Programs=system \(path)
            [Intent None]
            Exec=\(path) none
            [Intent Text]
            Exec=\(path)
            Result=text
            """
        )
        for intent in ["None", "Text"] {
            let run = try daemon.intentctl("run", "tools/\(intent)")
            #expect(run.code == 0, "\(intent): \(run.errors)")
            let all = run.output + run.errors
            for word in ["input\n", "output\n", "error\n"] { #expect(all.contains(word), "\(intent): \(run)") }
        }
    }

    @Test func `Python's multiprocessing works, and its shared memory counts in DiskMax=`() throws {
        let daemon = try Daemon()
        let path = try script(
            """
            #!/usr/bin/python3
            import multiprocessing, sys
            from multiprocessing import shared_memory
            context = multiprocessing.get_context("fork")
            counter = context.Value("i", 0)
            def count(number):
                with counter.get_lock(): counter.value += number
                return number * number
            if sys.argv[1] == "work":
                with context.Pool(2) as pool: squares = pool.map(count, range(20))
                block = shared_memory.SharedMemory(create=True, size=100000)
                block.buf[99999] = 7
                other = shared_memory.SharedMemory(name=block.name)
                print(counter.value, sum(squares), other.buf[99999])
                other.close(); block.close(); block.unlink()
            else:
                block = shared_memory.SharedMemory(create=True, size=1 << 30)
                for place in range(0, 1 << 30, 4096): block.buf[place] = 1
            """,
            named: "share",
            of: daemon
        )
        try daemon.writeCommands(
            """
            [Sandbox]
            Programs=system \(path)
            DiskMax=8M
            [Intent Share]
            Exec=\(path) work
            Result=text
            [Intent Flood]
            Exec=\(path) flood
            """
        )
        let run = try daemon.intentctl("run", "tools/Share")
        #expect(run.output == "190 2470 7\n", "\(run.errors)")
        let flood = try daemon.intentctl("run", "tools/Flood")
        #expect(flood.code != 0)
        #expect(flood.errors.contains("DiskMax=8M"), "\(flood.errors)")
    }
}
