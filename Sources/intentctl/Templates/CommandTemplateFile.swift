import IntentCommands

/// The contents of an intentd.command(5) file that runs one command line.
package struct CommandTemplateFile: Sendable {
    package let text: String

    /// - Parameters:
    ///   - program: The absolute path of the program.
    ///   - arguments: The program's arguments, which may contain placeholders such as `%{name}`.
    ///   - exists: Returns true if a path exists. The file grants the existing absolute paths among the arguments,
    ///     except those in system folders.
    package init(program: String, arguments: [String], exists: (String) -> Bool) {
        let words = [program] + arguments
        var text = """
            # See intentd.command(5). Check changes with: intentctl verify FILE
            [Intent Run]
            Title=\(program.split(separator: "/").last ?? "Run")
            Exec=\(words.map(TemplateText.quote).joined(separator: " "))

            """
        for name in Self.parameters(in: arguments) {
            text += """

                [Intent Run.Parameter \(name)]
                Type=string
                Title=\(name)

                """
        }
        let system = ["/usr/", "/bin/", "/sbin/", "/lib"]
        let isSystem = { (path: String) in system.contains { path.hasPrefix($0) } }
        let grants = arguments.filter {
            $0.hasPrefix("/") && $0 != "/" && !isSystem($0) && !$0.contains(" ") && exists($0)
        }
        if !grants.isEmpty || !isSystem(program) {
            text += "\n[Sandbox]\n"
            if !isSystem(program) { text += "Programs=system \(program)\n" }
            if !grants.isEmpty { text += "ReadPaths=\(grants.joined(separator: " "))\n" }
        }
        self.text = text
    }

    /// Returns the names of the parameters in placeholders, without duplicates, in order.
    private static func parameters(in arguments: [String]) -> [String] {
        var names: [String] = []
        for argument in arguments {
            // Ignore an invalid word, because the file's parser reports it.
            for word in (try? TemplateText.words(of: TemplateText.quote(argument))) ?? [] {
                for name in word.placeholders.compactMap(\.parameter) where !names.contains(name) { names.append(name) }
            }
        }
        return names
    }
}
