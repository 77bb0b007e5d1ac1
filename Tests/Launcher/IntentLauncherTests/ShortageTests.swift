import Glibc
import IntentDaemon
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import Testing

@testable import IntentLauncher

/// Tests which failed launches are temporary, because the host lacked a resource.
@Suite(.timeLimit(.minutes(1))) struct ShortageTests {
    @Test(arguments: [
        (EAGAIN, "no process id was free"), (ENOMEM, "not enough memory"), (ENOBUFS, "not enough memory"),
        (EMFILE, "too many files were open"), (ENFILE, "too many files were open"), (ENOSPC, "a file system was full"),
        (EDQUOT, "a file system was full"),
    ])
    func `a launch that fails for a shortage is temporary, and says what was missing and what to do`(
        code: Int32,
        reason: String
    ) {
        let errors: [any Error] = [
            SystemError("clone3", code: Errno(rawValue: code)),
            LaunchError.unprepared(SystemError("open", on: "/dev/null", code: Errno(rawValue: code))),
            LaunchError.step(0, Errno(rawValue: code), executable: "/bin/true", subject: ""),
        ]
        for error in errors {
            let failure = LaunchFailure(of: error)
            #expect(failure.isTemporary == true, "\(error)")
            #expect(failure.message.hasPrefix("\(error); \(reason)"), "\(failure.message)")
            #expect(failure.message.contains("try again"), "\(failure.message)")
        }
    }

    @Test(arguments: [EPERM, ENOENT, EBUSY, EINVAL, ELOOP, ENOEXEC])
    func `any other failure is not temporary, and keeps its message`(code: Int32) {
        let error = SystemError("execve", on: "/srv/app", code: Errno(rawValue: code))
        #expect(LaunchFailure(of: error) == LaunchFailure(message: "\(error)"))
        #expect(LaunchFailure(of: UnmetRequirement("no user ids")) == LaunchFailure(message: "no user ids"))
    }

    @Test func `a host that allows no further namespaces has no shortage`() {
        // The steps of a sandbox, and some numbers behind them.
        let errors = (Int32(100)...140).map {
            LaunchError.step($0, Errno(rawValue: ENOSPC), executable: "/bin/true", subject: "")
        }
        let ofNamespaces = errors.filter { "\($0)".contains("namespaces (") || "\($0)".contains("in its namespaces") }
        #expect(ofNamespaces.count == 3)
        for error in errors {
            #expect(LaunchFailure(of: error).isTemporary == (ofNamespaces.contains(error) ? nil : true), "\(error)")
        }
    }

    @Test func `a fork server without a free process id is a shortage, and one with a thread is not`() {
        let shortage = ForkServer.refusal(EAGAIN)
        #expect(shortage.isTemporary == true)
        #expect(shortage.message.contains("TasksMax="))
        let threaded = ForkServer.refusal(EBUSY)
        #expect(threaded.isTemporary == nil)
        #expect(threaded.message.contains("a thread"))
    }

    @Test func `a user who may start no further process gets a temporary failure`() async {
        // In a process of its own, because the limit applies to all threads of a process.
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            setrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &limit)
            // The limit does not apply to root (setrlimit(2)). No other test has processes with this id.
            if getuid() == 0 { try syscall("setuid") { setuid(1_999_113) } }
            let plan = LaunchPlan(
                executable: "/bin/true",
                arguments: [],
                environment: [:],
                directory: "/",
                socket: SharedFileDescriptor(try File.open("/dev/null", O_RDWR))
            )
            let error = #expect(throws: LaunchError.self) { _ = try plan.start(in: nil, as: nil) }
            #expect(error.map { LaunchFailure(of: $0).isTemporary } == true)
        }
    }
}
