/// The options that `intentd` and `intentd-launcher` share: where apps are.
///
/// `intentd` hands them on to a launcher that it starts itself, so that both look in the same places.
package enum ProgramArguments {
    /// Takes options of places out of a list of arguments.
    ///
    /// - Returns: The arguments that are none of these, in order.
    /// - Throws: ``UsageError`` when an option lacks its value.
    package static func takePlaces(
        from arguments: [String],
        into installation: inout Installation
    ) throws(UsageError) -> [String] {
        var rest: [String] = []
        var named: Installation?
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            switch argument {
            case "--apps", "--units", "--configuration", "--app":
                guard index + 1 < arguments.count else { throw UsageError("option '\(argument)' needs a path") }
                // The first place named replaces all places that were built in.
                var places = named ?? Installation(appFolders: [], user: installation.user)
                let path = arguments[index + 1]
                switch argument {
                case "--apps": places.appFolders.append(path)
                case "--units": places.unitFolders.append(path)
                case "--configuration": places.configurationFolders.append(path)
                default: places.executables.append(path)
                }
                named = places
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

/// Arguments that a program cannot be started with.
package struct UsageError: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

extension Installation {
    /// These places as options, for another program that shall look in the same ones.
    package var arguments: [String] {
        appFolders.flatMap { ["--apps", $0] }
            + unitFolders.flatMap { ["--units", $0] }
            + configurationFolders.flatMap { ["--configuration", $0] }
            + executables.flatMap { ["--app", $0] }
    }
}
