import TestSupport
import Testing
import intentctl

/// Tests the manual pages that packages install.
@Suite(.ownThread) struct ManualPageTests {
    static let pages =
        [("intentctl", ManualPage.overview)]
        + CommandSpec.all.map { ("intentctl-\($0.name)", ManualPage.of($0)) }

    @Test(.enabled(if: Mandoc.isInstalled, "mandoc is not installed"), arguments: pages)
    func `mandoc finds no mistake in a page, and shows its name`(_ name: String, _ page: String) throws {
        #expect(try Mandoc.faults(in: page) == "")
        #expect(try Mandoc.text(of: page).contains(name.uppercased() + "(1)"))
    }

    @Test func `a page has every option of its command, and its text`() throws {
        for spec in CommandSpec.all {
            let page = ManualPage.of(spec)
            for option in spec.options { #expect(page.contains("\\-\\-\(option.name.replacing("-", with: "\\-"))")) }
            let words = Set(page.split(whereSeparator: \.isWhitespace))
            for word in spec.notes.joined(separator: " ").split(whereSeparator: \.isWhitespace)
            where !word.contains("\\") {
                #expect(words.contains(word) || words.contains("\\&\(word)"), "\(spec.name): \(word)")
            }
        }
        for spec in CommandSpec.all {
            #expect(ManualPage.overview.contains("Xr intentctl-\(spec.name) 1"))
        }
    }
}
