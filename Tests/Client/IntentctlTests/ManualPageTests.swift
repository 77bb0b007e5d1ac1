import TestSupport
import Testing
import intentctl

/// Tests the manual pages that packages install.
@Suite(.ownThread) struct ManualPageTests {
    static let pages =
        [("intentctl", ManualPage.overview)]
        + CommandSpec.Name.allCases.map { ("intentctl-\($0.rawValue)", ManualPage.of(.named($0))) }

    @Test(.enabled(if: Mandoc.isInstalled, "mandoc is not installed"), arguments: pages)
    func `mandoc finds no mistake in a page, and shows its name`(_ name: String, _ page: String) throws {
        #expect(try Mandoc.faults(in: page) == "")
        #expect(try Mandoc.text(of: page).contains(name.uppercased() + "(1)"))
    }

    @Test func `a page has every option of its command, and its text`() throws {
        for name in CommandSpec.Name.allCases {
            let spec = CommandSpec.named(name)
            let page = ManualPage.of(spec)
            for option in spec.options { #expect(page.contains("\\-\\-\(option.name.replacing("-", with: "\\-"))")) }
            let words = Set(page.split(whereSeparator: \.isWhitespace))
            for word in spec.notes.joined(separator: " ").split(whereSeparator: \.isWhitespace)
            where !word.contains("\\") {
                #expect(words.contains(word) || words.contains("\\&\(word)"), "\(name): \(word)")
            }
        }
        for name in CommandSpec.Name.allCases {
            #expect(ManualPage.overview.contains("Xr intentctl-\(name.rawValue) 1"))
        }
    }
}
