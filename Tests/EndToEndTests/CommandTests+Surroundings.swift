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

    @Test(arguments: ["6", "5"])
    func `/tmp is private although the file, the script and grants are below the host's /tmp`(
        _ landlock: String
    ) throws {
        let earlier = try Daemon()
        earlier.signal(SIGTERM)
        #expect(earlier.exitCode() == 0)
        let daemon = try Daemon(after: earlier, environment: ["INTENTD_LANDLOCK_MAX": landlock])
        let folder = daemon.folder.url.path
        try #require(folder.hasPrefix("/tmp/"))
        let given = try daemon.makeFolder("given").path, out = try daemon.makeFolder("out").path
        try Data("given\n".utf8).write(to: URL(filePath: given + "/file"))
        chmod(out, 0o777)
        let path = try script(
            """
            #!/bin/sh -e
            test ! -e /tmp/mine
            echo mine >/tmp/mine
            cmp /tmp/mine "$TMPDIR/mine"
            cat \(given)/file
            if echo changed >\(given)/file; then exit 9; fi
            date >\(out)/file
            ls /tmp
            """,
            named: "private",
            of: daemon
        )
        try daemon.writeCommands(
            """
            [Sandbox]
            Programs=system \(path)
            ReadPaths=\(given)
            WritePaths=\(out)
            [Intent Write]
            Exec=\(path)
            Result=text
            """
        )
        for _ in 0..<3 {
            let run = try daemon.intentctl("run", "tools/Write")
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output == "given\n\(daemon.folder.url.lastPathComponent)\nmine\n")
            #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["file"])
            try FileManager.default.removeItem(atPath: out + "/file")
        }
        #expect(!FileManager.default.fileExists(atPath: "/tmp/mine"))
        try eventually("no run folder remains") { daemon.isCleared }
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
            elif sys.argv[1] == "hide":
                # Files without a name, each of them below the limit.
                import tempfile, time
                files = [tempfile.TemporaryFile() for _ in range(4)]
                for file in files: file.write(bytes(4 << 20))
                time.sleep(1000)
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
            [Intent Hide]
            Exec=\(path) hide
            """
        )
        let run = try daemon.intentctl("run", "tools/Share")
        #expect(run.output == "190 2470 7\n", "\(run.errors)")
        for intent in ["Flood", "Hide"] {
            let run = try daemon.intentctl("run", "tools/\(intent)")
            #expect(run.code != 0)
            #expect(run.errors.contains("DiskMax=8M"), "\(intent): \(run.errors)")
        }
    }

    /// Prints what a program and a child that has closed all its descriptors find in the run's folder, in Python's words.
    private static let look = """
        import os, pwd, subprocess, sys, tempfile
        place = sys.argv[1]
        home = pwd.getpwuid(os.getuid())
        names = [os.environ["HOME"], os.environ["TMPDIR"], home.pw_dir, place, "/dev/shm", "."]
        print(len({(os.stat(n).st_dev, os.stat(n).st_ino) for n in names}), all(os.path.isdir(n) for n in names))
        # Programs such as rsync 3.5 follow only links of root and of their own user.
        links = ["/tmp", "/dev/shm"] + [path for path in map(lambda n: place + "/" + n, os.listdir(place)) if os.path.islink(path)]
        print({os.lstat(link).st_uid for link in links} - {0, os.getuid()})
        print(os.environ["USER"], os.environ["LOGNAME"], home.pw_name, os.environ["SHELL"] == home.pw_shell)
        print([name for name in os.listdir(place) if name[0] != "."])
        child = "exec 4>&2 5>&-; echo kept >$0/kept; chmod 640 $0/kept; touch -d @7 $0/../../own/tmp/kept; ls -l $0/kept"
        print(subprocess.run(["/bin/sh", "-c", child, place], close_fds=True, capture_output=True).stdout[:10])
        file = tempfile.TemporaryFile(dir=place)
        os.fchmod(file.fileno(), 0o604)
        print(os.stat(place + "/kept").st_mtime, oct(os.fstat(file.fileno()).st_mode & 0o777))
        for path in ["/runs", "/roots", "/roots/1", "/proc/1/root", "/proc/self/cwd/../../roots"]:
            try: print(path, os.listdir(path))
            except OSError as error: pass
        for change in [lambda: os.chmod(place, 0o777), lambda: os.utime("/own"), lambda: os.chroot(place)]:
            try: print(change())
            except OSError as error: print(error.errno)
        """
    private static let found = "1 True\nset()\napp app app True\n[]\nb'-rw-r-----'\n7.0 0o604\n1\n1\n1\n"

    @Test func `a program has a private folder, whatever descriptors it closes`() throws {
        let daemon = try Daemon()
        try daemon.writeCommands(
            """
            [Intent Look]
            Exec=/usr/bin/python3 -c %{code} /own/tmp
            Result=text
            [Intent Look.Parameter code]
            [Intent Hold]
            Exec=/bin/sh -c 'echo held >/dev/shm/other; echo held; sleep infinity'
            """
        )
        // Another run of the pair has a file in its own folder meanwhile.
        let other = try daemon.start(["run", "tools/Hold"])
        try other.waitFor("held")
        // The folder has a link, because the file of the intents is below the host's /tmp.
        let found = Self.found.replacing("[]", with: "['\(daemon.folder.url.lastPathComponent)']")
        for _ in 0..<3 {
            let run = try daemon.intentctl("run", "tools/Look", "--code", Self.look)
            #expect(run.output == found, "\(run.errors)")
        }
        other.signal(SIGINT)
        #expect(other.exitCode() == 130)
        try eventually("no run folder remains") { daemon.isCleared }
    }

    @Test func `the private folder is also /tmp`() throws {
        let folder = "/var/tmp/intentd-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = "\(folder)/look.intents"
        try Data(
            "[Intent Look]\nExec=/usr/bin/python3 -c %{code} /tmp\nResult=text\n[Intent Look.Parameter code]\n".utf8
        ).write(to: URL(filePath: file))
        let run = try Command(Programs.intentctl, ["run", "--local", file, "Look", "--code", Self.look])
        #expect(run.exitCode() == 0, "\(run.errors)")
        #expect(run.output == Self.found, "\(run.errors)")
    }

    private static let terminals = """
        [Intent Look]
        Exec=/bin/sh -c 'test -t 0 && test -t 1 && test -t 2 && stty size && tty && echo "$TERM" >/dev/tty; ls -C -w 9 /dev/pts; cat; echo end >&2'
        Terminal=yes
        Result=text
        [Intent Fail]
        Exec=/bin/sh -c 'cat >/dev/tty; echo; echo reason >&2; exit 3'
        StandardInput=typed
        Terminal=yes
        [Intent Slow]
        Exec=/usr/bin/python3 -c 'import time; [(print(n), time.sleep(0.4)) for n in range(6)]'
        Terminal=yes
        Progress=output
        Runtime=1s
        [Intent Wait]
        Exec=/bin/bash -c 'set -m; trap : INT; (trap "echo interrupted; exit 0" INT; echo waiting; while :; do sleep 0.1; done)'
        Terminal=yes
        KillSignal=SIGINT
        """

    @Test func `Terminal=yes gives a program a private terminal`() throws {
        let daemon = try daemon(Self.terminals)
        // The other run of the pair has a terminal meanwhile.
        let other = try daemon.start(["run", "tools/Wait"])
        try other.waitFor("waiting")
        let look = try daemon.intentctl("run", "tools/Look")
        #expect(look.output == "24 80\n/own/pts/0\ndumb\n0  ptmx\nend\n", "\(look)")
        let fail = try daemon.intentctl("run", "tools/Fail")
        #expect(fail.code == 1 && (fail.output + fail.errors).contains("typed"), "\(fail)")
        #expect(fail.errors.contains("exited with status 3: reason"), "\(fail)")
        // The signal of a cancellation reaches the process group that the shell has put in the foreground.
        other.signal(SIGINT)
        #expect(other.exitCode() == 130, "\(other.errors)")
        #expect((other.output + other.errors).contains("interrupted"), "\(other.output) \(other.errors)")
    }

    @Test func `a program that keeps its output in memory prints each line at once to a terminal`() throws {
        let daemon = try daemon(Self.terminals)
        let run = try daemon.intentctl("run", "tools/Slow")
        #expect(run.code == 0, "\(run.errors)")
        for number in 0..<6 { #expect((run.output + run.errors).contains("\(number)\n"), "\(run)") }
    }
}
