import IntentCommands
import IntentLinux

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
            Title=\(SafeText.line(program.split(scalar: "/").last.map { String($0) } ?? "Run"))
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
        let isSystem = { (path: String) in system.contains { path.hasPrefix(utf8: $0) } }
        // The file cannot grant a path that contains white space, which separates the paths.
        let isWord = { (path: String) in !path.unicodeScalars.contains(where: \.properties.isWhitespace) }
        let grants = arguments.filter {
            $0.hasPrefix(utf8: "/") && $0 != "/" && !isSystem($0) && isWord($0) && exists($0)
        }
        let sandbox =
            (isSystem(program) || !isWord(program) ? [] : ["Programs=system \(program)"])
            + (grants.isEmpty ? [] : ["ReadPaths=\(grants.map(ListWords.quote).joined(separator: " "))"])
        if !sandbox.isEmpty { text += "\n[Sandbox]\n" + sandbox.map { $0 + "\n" }.joined() }
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
