import IntentLauncherMessages
import IntentLifecycle
import Testing

@Suite struct SandboxGrantsTests {
    private static let absent: Int32 = 2
    private static let refused: Int32 = 1
    private static let denied: Int32 = 13
    private static let readOnly: Int32 = 30
    private static let unreachable: Int32 = 101

    private func grants(_ change: (inout SandboxGrants) -> Void = { _ in }) -> SandboxGrants {
        var grants = SandboxGrants()
        change(&grants)
        return grants
    }

    private func key(_ call: FailedCall, _ grants: SandboxGrants) -> String? { grants.denial(of: call)?.key }

    @Test(arguments: [absent, denied]) func `the denial of a path outside the sandbox names the key that grants it`(
        error: Int32
    ) {
        let call = FailedCall(errorNumber: error, path: "/etc/hosts")
        #expect(
            grants().denial(of: call)
                == SandboxDenial(subject: .reading, path: "/etc/hosts", errorNumber: error, key: "ReadPaths=/etc/hosts")
        )
        let writing = FailedCall(errorNumber: error, path: "/srv/out", isWriting: true)
        #expect(key(writing, grants()) == "WritePaths=/srv/out")
        for path in ["/dev/video0", "/dev/\u{301}x"] {
            #expect(key(FailedCall(errorNumber: error, path: path), grants()) == "Devices=\(path)")
        }
    }

    @Test func `a missing file at a granted path is not a denial`() {
        let photos = grants { $0.readPaths = ["/srv/photos"] }
        #expect(key(FailedCall(errorNumber: Self.absent, path: "/srv/photos/a"), photos) == nil)
        #expect(key(FailedCall(errorNumber: Self.absent, path: "/srv/photos2/a"), photos) == "ReadPaths=/srv/photos2/a")
        let out = grants { $0.writePaths = ["/srv/out"] }
        #expect(key(FailedCall(errorNumber: Self.denied, path: "/srv/out/a", isWriting: true), out) == nil)
    }

    @Test(arguments: ["/run/docker.sock", "/run/postgresql/.s.PGSQL.5432", "/run/a.socket"])
    func `the denial of a socket names the key for sockets`(_ path: String) {
        for error in [Self.absent, Self.refused, Self.denied] {
            #expect(
                key(FailedCall(errorNumber: error, path: path), grants { $0.hasSubprocesses = true })
                    == "Sockets=\(path)"
            )
        }
        #expect(key(FailedCall(errorNumber: Self.absent, path: path), grants { $0.readPaths = [path] }) == nil)
    }

    @Test(arguments: [100, 101, 113, 97] as [Int32])
    func `every error of an unreachable network names the keys that grant one`(error: Int32) {
        #expect(grants().denial(of: FailedCall(errorNumber: error))?.key.contains("Hosts=") == true)
    }

    @Test(arguments: ["/opt/tool/bin/convert", "/opt/tool/sbin/convert"])
    func `the denial of a file in a folder of programs names the key for programs, except for writing`(path: String) {
        #expect(key(FailedCall(errorNumber: Self.absent, path: path), grants()) == "Programs=\(path)")
        #expect(
            key(FailedCall(errorNumber: Self.absent, path: path, isWriting: true), grants()) == "WritePaths=\(path)"
        )
    }

    @Test func `reading a path that is granted for reading is no denial, whatever refused it`() {
        let photos = grants { $0.readPaths = ["/srv/photos"] }
        #expect(photos.denial(of: FailedCall(errorNumber: Self.denied, path: "/srv/photos/a")) == nil)
        let absent = FailedCall(errorNumber: Self.absent, path: "/srv/photos/a", isWriting: true)
        #expect(photos.denial(of: absent) == nil)
    }

    @Test func `writing to a path that is granted for reading is a denial`() {
        let photos = grants { $0.readPaths = ["/srv/photos"] }
        let call = FailedCall(errorNumber: Self.readOnly, path: "/srv/photos/a", isWriting: true)
        #expect(photos.denial(of: call)?.subject == .writing)
        #expect(key(call, photos) == "WritePaths=/srv/photos/a")
    }

    @Test func `a missing network is a denial that names its key, and a granted one is not`() {
        for call in [FailedCall(isNetwork: true), FailedCall(errorNumber: Self.unreachable)] {
            #expect(key(call, grants()) == "AllowHosts=HOST:PORT")
            #expect(key(call, grants { $0.hasNetwork = true }) == nil)
        }
        #expect(key(FailedCall(isNetwork: true), grants { $0.hasHosts = true }) == nil)
        #expect(key(FailedCall(errorNumber: Self.unreachable), grants { $0.hasHosts = true }) == "AllowHosts=HOST:PORT")
        let refused = FailedCall(errorNumber: Self.denied, isNetwork: true)
        #expect(key(refused, grants { $0.hasHosts = true }) == "AllowHosts=HOST:PORT")
    }

    @Test func `generated code that is refused is a denial that names its key`() {
        let call = FailedCall(errorNumber: Self.refused, isGeneratedCode: true)
        #expect(key(call, grants { $0.hasSubprocesses = true }) == "GeneratedCode=yes")
        #expect(key(call, grants { $0.generatesCode = true }) == nil)
    }

    @Test func `the denial of a filtered call names the keys that are not granted`() {
        let call = FailedCall(errorNumber: Self.refused)
        #expect(key(call, grants()) == "Subprocesses=yes or AllowHosts=HOST:PORT")
        #expect(key(call, grants { $0.hasNetwork = true }) == "Subprocesses=yes")
        #expect(key(call, grants { $0.hasHosts = true }) == "Subprocesses=yes")
        #expect(key(FailedCall(errorNumber: Self.refused, path: "/usr/bin/env"), grants()) == "Subprocesses=yes")
        let absent = FailedCall(errorNumber: Self.absent, path: "/usr/bin/env")
        #expect(key(absent, grants()) == "Programs=/usr/bin/env")
        #expect(key(absent, grants { $0.hasSubprocesses = true }) == "Programs=/usr/bin/env")
        let both = grants {
            $0.hasNetwork = true
            $0.hasSubprocesses = true
        }
        // No key permits more: the end says so.
        #expect(both.denial(of: call)?.key == "")
        // A program was refused a call that needs a privilege, such as mount(2).
        let privileged = both.denial(of: FailedCall(errorNumber: Self.refused, path: "/mnt"))
        #expect(privileged?.subject == .call && privileged?.key == "")
    }

    @Test(arguments: [
        (12, "MemoryMax", SandboxDenial.Subject.memory), (27, "DiskMax", .fileSize), (11, "TasksMax", .tasks),
        (24, "OpenFiles", .openFiles),
    ])
    func `an error number of a limit names the key of the limit`(
        error: Int32,
        key: String,
        subject: SandboxDenial.Subject
    ) {
        let denial = grants().denial(of: FailedCall(errorNumber: error))
        #expect(denial?.key == key)
        #expect(denial?.subject == subject)
    }

    @Test(arguments: [
        FailedCall(), FailedCall(errorNumber: 5), FailedCall(errorNumber: 5, path: "/etc/hosts"),
        FailedCall(path: "/etc/hosts"), FailedCall(errorNumber: 2, path: "hosts"), FailedCall(errorNumber: 2),
    ])
    func `other errors are not denials`(call: FailedCall) {
        #expect(grants().denial(of: call) == nil)
    }
}
