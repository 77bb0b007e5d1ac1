import Glibc
import IntentLinux

/// Shows long output one screen at a time.
enum Pager {
    /// Prints the document with `--output json`, and the text otherwise. If the text does not fit on the terminal and
    /// `--no-pager` is not given, passes it to `$PAGER` or, if that is not set, to `less`.
    static func output(
        json document: @autoclosure () -> JSONValue,
        text: @autoclosure () -> String,
        for invocation: Invocation
    ) throws(CommandFailure) {
        if invocation.wantsJSON { return try Console.output(document()) }
        let text = text()
        guard !invocation.has("no-pager"), Console.outputIsTerminal, Console.inputIsTerminal, exceedsScreen(text),
            let pager = program
        else {
            return try Console.output(text)
        }
        // -F exits if the output fits, -R preserves colours, -S does not wrap lines, and -X does not clear the screen.
        setenv("LESS", "FRSX", 0)
        guard let pipe = popen(pager, "w") else { return try Console.output(text) }
        // Ignore SIGPIPE, because the user may exit the pager before the end of the text.
        signal(SIGPIPE, SIG_IGN)
        _ = (SafeText.printed(text) + "\n").withCString { fputs($0, pipe) }
        pclose(pipe)
    }

    private static var program: String? {
        let chosen = getenv("PAGER").map { String(foreign: $0) }
        if let chosen { return chosen.isEmpty || chosen == "cat" ? nil : chosen }
        // A terminal without cursor movement needs plain text.
        if getenv("TERM").map({ String(foreign: $0) }) == "dumb" { return nil }
        return ["/usr/bin/less", "/bin/less"].first { access($0, X_OK) == 0 }
    }

    private static func exceedsScreen(_ text: String) -> Bool {
        var size = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return false }
        return text.utf8.count { $0 == UInt8(ascii: "\n") } + 2 > Int(size.ws_row)
    }
}
