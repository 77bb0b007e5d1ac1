/// Parses the command-line options that set the folders of `intentd` and `intentd-launcher`.
///
/// `intentd` passes the options to a launcher that it starts, so that both programs use the same folders.
package enum ProgramArguments {
    /// Removes the options for folders from the arguments, and applies them to the installation.
    ///
    /// - Returns: The remaining arguments, in order.
    /// - Throws: ``UsageError`` if an option has no value.
    package static func removeFolders(
        from arguments: [String],
        into installation: inout Installation
    ) throws(UsageError) -> [String] {
        var rest: [String] = []
        var named: Installation?
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            switch argument {
            case "--apps", "--units", "--configuration", "--commands", "--app":
                guard index + 1 < arguments.count else { throw UsageError("the option '\(argument)' requires a path") }
                // The first option replaces all built-in folders.
                var folders = named ?? Installation(appFolders: [], user: installation.user)
                let path = arguments[index + 1]
                switch argument {
                case "--apps": folders.appFolders.append(path)
                case "--units": folders.unitFolders.append(path)
                case "--configuration": folders.configurationFolders.append(path)
                case "--commands": folders.commandFolders.append(path)
                default: folders.executables.append(path)
                }
                named = folders
                index += 2
            default:
                rest.append(argument)
                index += 1
            }
        }
        if let named { installation = named }
        return rest
    }
}

/// An error in a program's command-line arguments.
package struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

extension Installation {
    /// The command-line options that make another program use the same folders.
    package var arguments: [String] {
        appFolders.flatMap { ["--apps", $0] }
            + unitFolders.flatMap { ["--units", $0] }
            + configurationFolders.flatMap { ["--configuration", $0] }
            + commandFolders.flatMap { ["--commands", $0] }
            + executables.flatMap { ["--app", $0] }
    }
}
