import IntentClient
import IntentLinux
package import IntentProtocol

/// Converts ssh's exit code and error output to an error that explains why no relay was started.
enum RelayStart {
    /// ssh's exit code when ssh itself fails (ssh(1), EXIT STATUS).
    private static let failureOfSSH: Int32 = 255

    static func failure(of host: String, exitCode: Int32, errors: String) -> IntentClientError {
        let reason = errors.isEmpty ? "" : ": \(errors)"
        switch exitCode {
        case failureOfSSH:
            return IntentClientError(
                .unreachableHost,
                "cannot reach '\(host)' with ssh\(reason)",
                hint: "check that you can log in: 'ssh \(host) true'."
            )
        case 127:
            return IntentClientError(
                .unreachableHost,
                "intentctl was not found on '\(host)'\(reason)",
                hint: "install the intentctl package on that host."
            )
        case 0:
            return IntentClientError(
                .unreachableHost,
                "the relay on '\(host)' exited without an error\(reason)",
                hint: "check the output of 'ssh \(host) intentctl version'."
            )
        default:
            let how = exitCode > 128 ? "was killed by signal \(exitCode - 128)" : "exited with code \(exitCode)"
            return IntentClientError(
                .unreachableHost,
                "ssh to '\(host)' \(how)\(reason)",
                hint: "check that 'ssh \(host) intentctl version' prints the version of this intentctl."
            )
        }
    }

    /// Returns the error for a host on which another program printed text before the relay's preamble.
    static func noise(_ text: String, from host: String) -> IntentClientError {
        IntentClientError(
            .protocolViolation,
            "'\(host)' printed '\(SafeText.line(text))' before the relay started",
            hint: "change the shell's startup files on that host so that they print nothing without a terminal."
        )
    }
}

extension ErrorReport.Code {
    /// The host cannot be reached with ssh, or cannot start a relay.
    package static let unreachableHost = ErrorReport.Code(rawValue: "unreachableHost")
}
