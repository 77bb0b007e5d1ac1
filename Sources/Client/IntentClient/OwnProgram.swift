internal import IntentLinux

/// The executable of the current process.
package enum OwnProgram {
    /// The folder that contains the executable; nil when /proc is not mounted.
    package static let folder = (try? ProcessFacts.executablePath()).map { path in
        path.split(scalar: "/").dropLast().map { "/\($0)" }.joined()
    }
}
