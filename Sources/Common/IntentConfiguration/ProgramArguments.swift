import IntentLauncherMessages

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
            guard let list = Installation.lists.first(where: { $0.option == argument }) else {
                rest.append(argument)
                index += 1
                continue
            }
            guard index + 1 < arguments.count else { throw UsageError("the option '\(argument)' requires a path") }
            // The first option replaces all built-in folders.
            var folders = named ?? Installation(appFolders: [], user: installation.user)
            folders[keyPath: list.paths].append(arguments[index + 1])
            named = folders
            index += 2
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
    /// The lists of paths, each with the command-line option that adds a path to it.
    fileprivate static var lists: [(option: String, paths: WritableKeyPath<Installation, [String]>)] {
        [
            ("--apps", \.appFolders), ("--units", \.unitFolders), ("--configuration", \.configurationFolders),
            ("--commands", \.commandFolders), ("--shortcuts", \.shortcutFolders), ("--app", \.executables),
        ]
    }

    /// The command-line options that make another program use the same folders.
    package var arguments: [String] {
        Self.lists.flatMap { list in self[keyPath: list.paths].flatMap { [list.option, $0] } }
    }

    /// Returns the installation with relative paths resolved against a folder, for a program with a different working
    /// directory.
    package func absolute(below folder: String) -> Installation {
        var installation = self
        for list in Self.lists {
            installation[keyPath: list.paths] = self[keyPath: list.paths].map {
                $0.hasPrefix(utf8: "/") ? $0 : "\(folder)/\($0)"
            }
        }
        return installation
    }
}
