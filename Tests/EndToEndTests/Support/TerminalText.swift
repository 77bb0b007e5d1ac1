/// Finds control characters in text that goes to a terminal.
enum TerminalText {
    /// Characters that a terminal interprets, except those that intentctl uses to end or redraw a line.
    static func commands(in text: String) -> [UInt32] {
        text.unicodeScalars.map(\.value).filter { value in
            switch value {
            case 0x09, 0x0A, 0x0D: false
            case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }
}
