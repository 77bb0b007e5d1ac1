package import IntentClient
import IntentProtocol

/// Converts ssh's exit code and error output to an error that explains why no server was started.
enum HostStart {
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
                    "the server on '\(host)' exited without an error",
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

    /// Returns the error for a host on which another program printed text before the server's answer.
    static func noise(_ text: String, from host: String) -> IntentClientError {
        IntentClientError(
            .protocolViolation,
            "'\(host)' printed '\(SafeText.line(text))' before the server started",
            hint: "change the shell's startup files on that host so that they print nothing without a terminal"
        )
    }

    /// Returns the error for a server of another version.
    static func versions(_ software: String, _ version: Int, on host: String) -> IntentClientError {
        IntentClientError(
            .versionMismatch,
            "\(SafeText.line(software)) on '\(host)' uses version \(version) of sessions over ssh, but this intentctl "
                + "uses another",
            hint: "install the same version on both hosts"
        )
    }
}

extension ErrorReport.Code {
    /// The host cannot be reached with ssh, or cannot start a server.
    package static let unreachableHost = ErrorReport.Code(rawValue: "unreachableHost")
}
