import IntentClient
import IntentLinux
package import IntentProtocol

/// Why a relay did not start, by what ssh has left.
enum RelayStart {
    /// ssh itself failed (ssh(1), EXIT STATUS).
    private static let failureOfSSH: Int32 = 255

    static func failure(of host: String, exitCode: Int32, errors: String) -> IntentClientError {
        let reason = errors.isEmpty ? "" : ": \(errors)"
        switch exitCode {
        case failureOfSSH:
            return IntentClientError(
                .unreachableHost,
                "cannot reach '\(host)' by ssh\(reason)",
                hint: "check with 'ssh \(host) true' that you can log in."
            )
        case 127:
            return IntentClientError(
                .unreachableHost,
                "'\(host)' has no intentctl\(reason)",
                hint: "install the package intentctl there."
            )
        case 0:
            return IntentClientError(
                .unreachableHost,
                "the relay at '\(host)' ended without a reason\(reason)",
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

    /// A program of the host printed something before the relay's first message.
    static func noise(_ text: String, from host: String) -> IntentClientError {
        IntentClientError(
            .protocolViolation,
            "'\(host)' printed '\(SafeText.line(text))' before the relay's first message",
            hint: "a startup file of the shell there must print nothing for commands without a terminal."
        )
    }
}

extension ErrorReport.Code {
    /// ssh cannot reach the host, or the host cannot start a relay.
    package static let unreachableHost = ErrorReport.Code(rawValue: "unreachableHost")
}
