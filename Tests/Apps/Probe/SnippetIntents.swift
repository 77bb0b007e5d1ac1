import AppIntents
import Foundation
import IntentSharedTypes

/// The number of bowls of an order, in the state folder.
private enum Order {
    private static func file() throws -> URL {
        guard let directory = IntentState.directory else { throw IntentStateError.noDirectory }
        return URL(fileURLWithPath: directory).appending(path: "bowls")
    }

    static func bowls() throws -> Int { (try? String(contentsOf: file(), encoding: .utf8)).flatMap { Int($0) } ?? 1 }

    static func set(_ bowls: Int) throws { try "\(bowls)".write(to: file(), atomically: true, encoding: .utf8) }

    /// Shows the order with a button for one more bowl and a toggle between one and two bowls.
    static func snippet() throws -> Snippet {
        let bowls = try bowls()
        var title = SnippetStyle()
        title.font = .title
        func control(_ label: String, _ bowls: Int, isOn: Bool? = nil) -> SnippetElement {
            let action = IntentReference(intent: "SetBowls", values: ["bowls": .int(Int64(bowls))])
            return SnippetElement(.control(SnippetControl(action: action, isOn: isOn)), [SnippetElement(.text(label))])
        }
        let elements = [
            SnippetElement(.text("Bowls: \(bowls)"), style: title), SnippetElement(.progress(Double(bowls) / 10)),
            control("One more", bowls + 1), control("For two", bowls == 2 ? 1 : 2, isOn: bowls == 2),
        ]
        return Snippet(
            root: SnippetElement(.stack(.vertical), elements),
            source: IntentReference(intent: "ShowBowls", values: [:])
        )
    }
}

/// Shows the order.
struct ShowBowls: AppIntent {
    static let title: LocalizedStringResource = "Show the bowls"

    func perform() async throws -> some IntentResult & ProvidesDialog {
        let snippet = try Order.snippet()
        return .result(dialog: "Here is your order.").showing { _ in snippet }
    }
}

/// Changes the order. A control of the snippet performs this intent.
struct SetBowls: AppIntent {
    static let title: LocalizedStringResource = "Set the bowls"

    @Parameter(title: "Bowls") var bowls: Int

    init() {}

    init(bowls: Int) { self.bowls = bowls }

    func perform() async throws -> some IntentResult & ProvidesDialog {
        try Order.set(bowls)
        return .result(dialog: "The order has \(bowls) bowls.")
    }
}

/// Shows a hostile snippet: a picture, texts that control a terminal or imitate a control, and intents that other apps
/// have.
struct ShowHostile: AppIntent {
    static let title: LocalizedStringResource = "Show a hostile snippet"

    /// `deep`: a tree beyond the limit of depth. `large`: a snippet beyond the limit of bytes. `texts`: hostile texts.
    @Parameter(title: "Kind") var kind: String

    func perform() async throws -> some IntentResult {
        var element = SnippetElement(.text("\u{1B}[2J[1] \u{202E}Pay"))
        switch kind {
        case "deep": for _ in 0...Snippet.depthLimit { element = SnippetElement(.stack(.vertical), [element]) }
        case "large": element = SnippetElement(.text(String(repeating: "x", count: Snippet.byteLimit)))
        case "picture": element = SnippetElement(.image(FileReference(index: 7, name: "x.png")))
        default:
            let action = IntentReference(intent: "IntentOfAnotherApp", values: [:])
            let control = SnippetElement(.control(SnippetControl(action: action)), [SnippetElement(.text("Press"))])
            element = SnippetElement(.stack(.vertical), [element, control])
        }
        let snippet = Snippet(root: element)
        return .result().showing { _ in snippet }
    }
}

/// Returns a file and shows two pictures, which follow the file in the result.
struct ShowPictures: AppIntent {
    static let title: LocalizedStringResource = "Show pictures"

    /// `text`: bytes that are no pictures. `png`: pictures with one pixel.
    @Parameter(title: "Kind", default: "text") var kind: String

    /// A PNG file with one green pixel.
    private static let pixel =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

    func perform() async throws -> some IntentResult & ReturnsValue<IntentFile> {
        let pictures = ["a", "b"].map { name in
            let data = kind == "png" ? Data(base64Encoded: Self.pixel) ?? Data() : Data(name.utf8)
            return IntentFile(data: data, filename: "\(name).png", type: .png)
        }
        return .result(value: IntentFile(data: Data("text".utf8), filename: "value.txt"))
            .showing(pictures: pictures) { references in
                Snippet(root: SnippetElement(.stack(.vertical), references.map { SnippetElement(.image($0)) }))
            }
    }
}
