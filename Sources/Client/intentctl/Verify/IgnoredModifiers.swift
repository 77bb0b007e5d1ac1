package import FoundationEssentials
import Glibc

/// The modifiers and views that a program uses, but snippets ignore.
///
/// The compiler writes a literal into the program wherever it uses such a modifier: `intentd-ignored:layout:frame;`.
/// The literals remain in stripped programs and in programs that are linked statically. A program is not trusted: it
/// can contain literals that no compiler wrote.
package enum IgnoredModifiers {
    /// The kind of a modifier, which determines what clients do instead.
    enum Kind: String {
        case accessibility
        case action
        case download
        case effect
        case event
        case layout
        case picture
        case role
        case style
        case text
        case widget

        /// Returns a message that says what snippets ignore.
        func message(about name: String) -> String {
            switch self {
            case .action: "snippets ignore the closure of '\(name)'"
            case .download: "snippets do not load the picture of '\(name)'"
            case .widget: "'\(name)' does nothing"
            case .accessibility, .effect, .event, .layout, .picture, .role, .style, .text: "snippets ignore '\(name)'"
            }
        }

        var consequence: String {
            switch self {
            case .accessibility: "screen readers speak the texts of the snippet and its accessibilityLabel"
            case .action: "the button is shown, but does nothing: use Button(intent:)"
            case .download: "its placeholder is shown: return the picture's data with Image(data:)"
            case .effect: "the view is shown without it"
            case .event: "its closure is never called, because a worker evaluates the view once"
            case .layout: "the client chooses sizes and positions"
            case .picture: "the client decides how it shows the picture or symbol"
            case .role: "a snippet cannot show it"
            case .style: "each client shows controls, lists and groups in its own style"
            case .text: "the text is shown without it"
            case .widget: "Linux has no widgets and no controls"
            }
        }
    }

    private static let mark = Array("intentd-ignored:".utf8)
    /// The maximum length of a name, in bytes.
    private static let nameByteLimit = 64
    /// The maximum number of names to report. The product SwiftUI declares about half as many.
    private static let countLimit = 256

    /// Returns a warning for each modifier or view that the programs use, but snippets ignore, sorted by name.
    ///
    /// - Parameter programs: The contents of the executable, and of the libraries that belong to the app.
    package static func warnings(in programs: [Data]) -> [AppVerdict.Problem] {
        var kinds: [String: Kind] = [:]
        for program in programs {
            program.withUnsafeBytes { bytes in
                var start = 0
                while kinds.count < countLimit, let position = bytes.firstIndex(of: mark, from: start) {
                    start = position + mark.count
                    let end = min(start + nameByteLimit, bytes.count)
                    guard let (kind, name) = parse(bytes[start..<end]) else { continue }
                    kinds[name] = kind
                }
            }
        }
        return kinds.sorted { $0.key < $1.key }.map { name, kind in
            AppVerdict.Problem(kind.message(about: name), hint: kind.consequence)
        }
    }

    /// Reads `layout:frame;`. Names consist of ASCII letters and digits.
    private static func parse(_ bytes: Slice<UnsafeRawBufferPointer>) -> (Kind, String)? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let parts = bytes[..<end].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, let name = word(parts[1]), let kind = word(parts[0]).flatMap(Kind.init) else {
            return nil
        }
        return (kind, name)
    }

    private static func word(_ bytes: Slice<UnsafeRawBufferPointer>) -> String? {
        guard !bytes.isEmpty, bytes.allSatisfy(\.isASCIILetterOrDigit) else { return nil }
        return String(foreign: bytes)
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the position of the first occurrence of a pattern, which must not be empty.
    func firstIndex(of pattern: [UInt8], from start: Int) -> Int? {
        guard let base = baseAddress else { return nil }
        let last = count - pattern.count
        var offset = start
        while offset <= last, let found = memchr(base + offset, Int32(pattern[0]), last - offset + 1) {
            offset = UnsafeRawPointer(found) - base
            if memcmp(found, pattern, pattern.count) == 0 { return offset }
            offset += 1
        }
        return nil
    }
}
