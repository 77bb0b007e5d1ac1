import Glibc

/// Long text, a screen at a time where somebody sits before it.
enum Pager {
    /// Prints the text, through `$PAGER` (by default `less`) when standard output is a terminal that it does not fit,
    /// and nobody said `--no-pager`.
    static func output(_ text: String, for invocation: Invocation) throws(CommandFailure) {
        guard !invocation.has("no-pager"), Console.outputIsTerminal, Console.inputIsTerminal, exceedsScreen(text),
            let pager = program
        else {
            return try Console.output(text)
        }
        // -F ends when it fits after all, -R lets colours pass, -S does not fold, -X leaves the screen as it was.
        setenv("LESS", "FRSX", 0)
        guard let pipe = popen(pager, "w") else { return try Console.output(text) }
        // Who leaves the pager early has read enough.
        signal(SIGPIPE, SIG_IGN)
        _ = (text + "\n").withCString { fputs($0, pipe) }
        pclose(pipe)
    }

    private static var program: String? {
        let chosen = getenv("PAGER").map { String(cString: $0) }
        if let chosen { return chosen.isEmpty || chosen == "cat" ? nil : chosen }
        // A terminal that cannot move its cursor is served better by plain text.
        if getenv("TERM").map({ String(cString: $0) }) == "dumb" { return nil }
        return ["/usr/bin/less", "/bin/less"].first { access($0, X_OK) == 0 }
    }

    private static func exceedsScreen(_ text: String) -> Bool {
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return false }
        return text.utf8.count { $0 == UInt8(ascii: "\n") } + 2 > Int(size.ws_row)
    }
}
