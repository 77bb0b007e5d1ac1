import IntentCommands

/// A file of intentd.command(5) for one command line, as text.
package struct CommandTemplateFile: Sendable {
    package let text: String

    /// - Parameters:
    ///   - program: An absolute path.
    ///   - arguments: Words that may contain placeholders.
    ///   - exists: Tells whether a path exists, so that it is granted.
    package init(program: String, arguments: [String], exists: (String) -> Bool) {
        let words = [program] + arguments
        var text = """
            # See intentd.command(5), and check changes by: intentctl verify FILE
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

    /// The parameters of the placeholders, each once, in order.
    private static func parameters(in arguments: [String]) -> [String] {
        var names: [String] = []
        for argument in arguments {
            // A word with a mistake is reported when the file is read.
            for word in (try? TemplateText.words(of: TemplateText.quote(argument))) ?? [] {
                for name in word.placeholders.compactMap(\.parameter) where !names.contains(name) { names.append(name) }
            }
        }
        return names
    }
}
