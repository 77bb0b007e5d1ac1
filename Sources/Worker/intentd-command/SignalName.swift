import Glibc
import IntentConfiguration

/// The names of signals, as in signal(7).
enum SignalName {
    private static let names = [
        SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
        SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGUSR1: "SIGUSR1",
        SIGSEGV: "SIGSEGV", SIGUSR2: "SIGUSR2", SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM",
        SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ", SIGSYS: "SIGSYS",
    ]

    static func of(_ signal: Int32) -> String { names[signal] ?? "signal \(signal)" }
}

extension CommandSignal {
    var number: Int32 {
        switch self {
        case .terminate: SIGTERM
        case .interrupt: SIGINT
        case .quit: SIGQUIT
        case .hangUp: SIGHUP
        case .user1: SIGUSR1
        case .user2: SIGUSR2
        }
    }
}
