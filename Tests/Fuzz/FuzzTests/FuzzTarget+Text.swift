import IntentCommandLine
import IntentConfiguration
import IntentLauncherMessages
import IntentLinux
import IntentProtocol
import IntentSharedTypes
import IntentText

@testable import IntentCommands
@testable import IntentMCP

// Texts: times, sizes, names, values that people type, and texts of others that are shown.
extension FuzzTarget {
    static let texts = [
        FuzzTarget("typed-values", .text, 1 << 16) { bytes in
            guard let text = bytes.text else { return }
            for type in valueTypes {
                let parameter = ParameterDeclaration(name: "p", title: "P", type: type)
                guard case .value(let value)? = try? ParameterInput(text: text, for: parameter) else { continue }
                // An option of a list has one element.
                do {
                    _ = try type.element.accept(value)
                } catch {
                    throw Finding("a typed value is not of its type", "\(type)", "\(value)", "\(error)")
                }
            }
        },
        FuzzTarget("times", .text, 1 << 12) { bytes in
            guard let text = bytes.text else { return }
            if let span = TimeSpan.parse(text) { _ = TimeSpan.format(span) }
            if let span = TimeSpan.parseFinite(text) {
                let whole = Duration.milliseconds(span.wholeMilliseconds)
                try require(TimeSpan.parseFinite("\(span.wholeMilliseconds)ms"), equals: whole, "a time span")
            }
            if let date = WireText.date(text) {
                guard let written = WireText.of(date), let again = WireText.date(written) else {
                    throw Finding("a date refuses its own text", text)
                }
                try require(WireText.of(again), equals: written, "a date")
            }
            if let parts = WireText.dateComponents(text), let written = WireText.of(parts) {
                try require(WireText.dateComponents(written).flatMap { WireText.of($0) }, equals: written, "components")
            }
            if let count = ByteSize.parse(text)?.byteCount {
                try require(ByteSize.parse("\(count)")?.byteCount, equals: count, "a size")
            }
        },
        FuzzTarget("names", .text, 1 << 12) { bytes in
            guard let text = bytes.text else { return }
            if let run = RunID(text) { try require(run.text, equals: text, "a run's identifier") }
            if let request = RequestID(text) { try require(request.text, equals: text, "a request's identifier") }
            if let grant = HostGrant(text) { try require(HostGrant(grant.text), equals: grant, "a grant") }
            _ = (AppName(text), HostIDs(text), UndoKey(text), CommandSection(text), DataURI(text))
            _ = (TraceContext.isValid(text), NearestName.of(text, among: ["alpha", text]), ParameterName.kebab(text))
            if let words = ListWords.split(text) {
                let quoted = words.map(ListWords.quote).joined(separator: " ")
                try require(ListWords.split(quoted), equals: words, "the words of a list")
            }
        },
        FuzzTarget("templates", .text, 1 << 16) { bytes in
            guard let text = bytes.text else { return }
            _ = try? TemplateText.words(of: text)
            _ = try? TemplateText.sentence(text)
            guard !text.utf8.contains(UInt8(ascii: "%")), !text.utf8.contains(0) else { return }
            let words = try? TemplateText.words(of: TemplateText.quote(text))
            try require(words?.map { $0.fixedText ?? "(variable)" }, equals: [text], "a quoted word")
        },
        FuzzTarget("shown-text", .text, 1 << 18) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            _ = (SafeText.line(text), SafeText.printed(text), SafeText.journal(text), ShellWord.quote(text))
            _ = (WireCoding.excerpt(text), ToolTable.line(text))
            for columns in [1, 5, 40] {
                let shown = DisplayWidth.fit(text, in: columns)
                guard DisplayWidth.of(shown) <= columns else { throw Finding("a text is too wide", text, shown) }
            }
        },
    ]
}
