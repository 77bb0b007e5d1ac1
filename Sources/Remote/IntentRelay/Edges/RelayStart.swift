import IntentClient
import IntentLinux
package import IntentProtocol

/// Converts ssh's exit code and error output to an error that explains why no relay was started.
enum RelayStart {
    /// ssh's exit code when ssh itself fails (ssh(1), EXIT STATUS).
    private static let failureOfSSH: Int32 = 255

    static func failure(of host: String, exitCode: Int32, errors: String) -> IntentClientError {
        let reason = errors.isEmpty ? "" : ": \(errors)"
        let (failure, hint) =
            switch exitCode {
            case failureOfSSH: ("cannot reach '\(host)' with ssh", "check that you can log in: 'ssh \(host) true'")
            case 127: ("intentctl was not found on '\(host)'", "install the intentctl package on that host")
            case 0:
                (
                    "the relay on '\(host)' exited without an error",
                    "check the output of 'ssh \(host) intentctl version'"
                )
            default:
                (
                    "ssh to '\(host)' "
                        + (exitCode > 128 ? "was killed by signal \(exitCode - 128)" : "exited with code \(exitCode)"),
                    "check that 'ssh \(host) intentctl version' prints the version of this intentctl"
                )
            }
        return IntentClientError(.unreachableHost, failure + reason, hint: hint)
    }

    /// Returns the error for a host on which another program printed text before the relay's preamble.
    static func noise(_ text: String, from host: String) -> IntentClientError {
        IntentClientError(
            .protocolViolation,
            "'\(host)' printed '\(SafeText.line(text))' before the relay started",
            hint: "change the shell's startup files on that host so that they print nothing without a terminal"
        )
    }
}

extension ErrorReport.Code {
    /// The host cannot be reached with ssh, or cannot start a relay.
    package static let unreachableHost = ErrorReport.Code(rawValue: "unreachableHost")
}
