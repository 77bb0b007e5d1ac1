import IntentLinux

/// A shell script that a test writes and then executes.
package enum Script {
    /// Writes an executable script to the path, or replaces the existing file.
    ///
    /// Another process writes the script: a file that this process writes is also open in each child that a test forks,
    /// until the child's exec, and a program that is open for writing cannot be executed (execve(2), ETXTBSY).
    ///
    /// - Throws: ``SystemError`` if the shell cannot be started, ``Failure`` if it cannot write the script.
    package static func write(_ commands: String, at path: String) throws {
        let (text, isSuccess) = try ChildProcess.output(
            of: "/bin/sh",
            arguments: [
                "-c", #"printf '#!/bin/sh\n%s\n' "$1" >"$2.new" && chmod 755 "$2.new" && mv "$2.new" "$2""#, "sh",
                commands, path,
            ]
        )
        guard isSuccess else { throw Failure(reason: text) }
    }

    package struct Failure: Error { package let reason: String }
}
