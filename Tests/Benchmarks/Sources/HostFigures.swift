import Glibc
import IntentLinux

/// A command on another host, with ssh and sshd on this machine, compared with ssh alone and with a local command.
///
/// ssh starts `sshd -i` and communicates with it through a pipe, so that no port is used.
enum HostFigures {
    private static let sshd = "/usr/sbin/sshd"

    static func measure(_ workbench: Workbench) throws -> [Figure] {
        guard access(sshd, X_OK) == 0 else {
            Console.say("host: without figures, because \(sshd) is missing (openssh-server)")
            return []
        }
        let options = workbench.options
        let app = BenchmarkDaemon.App(name: "Plain", sandbox: ["DiskMax=4G"])
        let daemon = try BenchmarkDaemon(workbench.programs, apps: [app])
        let folder = daemon.folder.path
        try configure(folder, socket: daemon.socket, programs: workbench.programs.folder)
        let megabytes = 50
        try write(String(repeating: "0123456789abcde\n", count: megabytes << 16), to: "\(folder)/large")
        let intentctl = workbench.programs.intentctl
        let ssh = ["/usr/bin/ssh", "-F", "\(folder)/ssh_config", "web1"]
        let answer = ["run", "Plain/Answer", "--number", "1"]
        let copy = ["run", "--out", "\(folder)/out", "Plain/CopyFile", "--file", "\(folder)/large"]
        var bare = Samples(), local = Samples(), host = Samples(), bareFile = Samples(), hostFile = Samples()
        setenv("INTENTD_SSH", "\(folder)/ssh", 1)
        for _ in 0..<options.count(30, quick: 8) {
            bare.append(nanoseconds: try time(ssh + ["true"]))
            local.append(nanoseconds: try time([intentctl, "--socket", daemon.socket] + answer))
            host.append(nanoseconds: try time([intentctl, "--host", "web1"] + answer))
        }
        let there = "cat > \(folder)/there && cat \(folder)/there"
        let shell = ["/bin/sh", "-c", "\(ssh.joined(separator: " ")) '\(there)' < \(folder)/large > \(folder)/back"]
        for _ in 0..<options.count(7, quick: 3) {
            bareFile.append(nanoseconds: try time(shell))
            hostFile.append(nanoseconds: try time([intentctl, "--host", "web1"] + copy))
        }
        return [
            Figure("host", "intentctl --host run, from start to exit", .milliseconds, host)
                .beside([Comparison("ssh true", bare)], peers: [Comparison("intentctl run here", local)]),
            Figure("host", "\(megabytes) MB there and back", .milliseconds, hostFile)
                .beside(peers: [Comparison("ssh cat", bareFile)]),
        ]
    }

    private static func configure(_ folder: String, socket: String, programs: String) throws {
        if geteuid() == 0 { try File.makeFolders("/run/sshd", permissions: 0o755) }
        try File.makeFolders("\(folder)/out", permissions: 0o755)
        for key in ["host", "user"] {
            _ = try time(["/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "\(folder)/\(key)"])
        }
        try write(try File.text(at: "\(folder)/user.pub"), to: "\(folder)/authorized")
        try write("web1 \(try File.text(at: "\(folder)/host.pub"))", to: "\(folder)/known")
        try write(
            """
            HostKey \(folder)/host
            AuthorizedKeysFile \(folder)/authorized
            PidFile none
            UsePAM no
            StrictModes no
            PermitRootLogin yes
            SetEnv PATH=\(programs):/usr/bin:/bin INTENTD_SOCKET=\(socket)

            """,
            to: "\(folder)/sshd_config"
        )
        try write(
            """
            Host web1
                ProxyCommand \(sshd) -i -E \(folder)/sshd.log -f \(folder)/sshd_config
                IdentityFile \(folder)/user
                IdentitiesOnly yes
                UserKnownHostsFile \(folder)/known

            """,
            to: "\(folder)/ssh_config"
        )
        try write("#!/bin/sh\nexec /usr/bin/ssh -F \(folder)/ssh_config \"$@\"\n", to: "\(folder)/ssh")
        _ = chmod("\(folder)/ssh", 0o755)
    }

    private static func write(_ text: String, to path: String) throws {
        let file = try File.open(path, O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o600)
        try File.write(file.rawValue, Array(text.utf8)[...])
    }

    /// The time of a command from its start to its end, without its output.
    private static func time(_ words: [String]) throws -> Int64 {
        let null = SharedFileDescriptor(try File.open("/dev/null", O_RDWR))
        let streams = ChildProcess.Streams(input: null, output: null, error: null)
        let begin = ClockReading.monotonicNanoseconds()
        let child = try ChildProcess.start(
            words[0],
            arguments: Array(words.dropFirst()),
            streams: streams,
            defaults: []
        )
        let code = child.waitForExitCode()
        guard code == 0 else { throw BenchmarkError("'\(words.joined(separator: " "))' exited with code \(code)") }
        return ClockReading.monotonicNanoseconds() - begin
    }
}
