import Foundation
import IntentCommandLine
import IntentLinux
import TestSupport
import Testing
import intentctl

@Suite struct LocaleTests {
    private static let names = [
        "brkitr/cjdict.dict", "brkitr/thaidict.dict", "brkitr/word.brk", "cnvalias.icu", "de.res", "de_AT.res",
        "en.res", "fr.res", "ibm-943.cnv", "nb.res", "no.res", "res_index.res", "root.res", "th.res",
        "translit/root.res",
        "unames.icu", "zone/de.res", "zone/fr.res", "zone/tzdbNames.res",
    ]

    /// A package of ICU's format in which each item has its own name as content.
    private static func package(_ names: [String], prefix: String = "icudt76l/") -> [UInt8] {
        func bytes(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        let start: [UInt8] = [32, 0, 0xDA, 0x27, 20, 0, 0, 0, 0, 0, 2, 0]
        let header = start + Array("CmnD".utf8) + [UInt8](repeating: 0, count: 16)
        let texts = names.map { Array((prefix + $0).utf8) + [0] }
        let namesStart = 4 + 8 * names.count
        let itemsStart = namesStart + texts.map(\.count).reduce(0, +)
        var table = bytes(names.count)
        var items: [UInt8] = []
        var offset = namesStart
        for (name, text) in zip(names, texts) {
            table += bytes(offset) + bytes(itemsStart + items.count)
            offset += text.count
            items += Array(name.utf8)
        }
        return header + table + texts.flatMap { $0 } + items
    }

    private static func selection(_ text: String) throws -> LocaleSelection {
        try LocaleSelection(text, known: ["de", "en", "fr", "nb", "no", "th", "zh"])
    }

    @Test func `a trimmed package has the items of the chosen languages and of no language, unchanged`() throws {
        let full = try LocalePackage(Self.package(Self.names)[...])
        #expect(full.name == "icudt76")
        #expect(full.items.map(\.name) == Self.names)
        #expect(full.languages == ["de", "en", "fr", "nb", "no", "th"])
        let trimmed = full.keeping(try Self.selection("de"))
        let kept = [
            "brkitr/word.brk", "cnvalias.icu", "de.res", "de_AT.res", "en.res", "res_index.res", "root.res",
            "zone/de.res", "zone/tzdbNames.res",
        ]
        let read = try LocalePackage(trimmed[...])
        #expect(read.items.map(\.name) == kept)
        #expect(read.name == "icudt76")
        // Every item begins at a multiple of 16, as ICU requires.
        for name in kept {
            let place = try #require(trimmed.firstRange(of: Array(name.utf8) + [0xAA])?.lowerBound)
            #expect(place % 16 == 0, "\(name)")
        }
        #expect(read.keeping(try Self.selection("de")) == trimmed)
    }

    @Test(
        arguments: [
            ("th", ["brkitr/thaidict.dict", "th.res"]), ("zh", ["brkitr/cjdict.dict"]), ("nb", ["nb.res", "no.res"]),
        ]
    )
    func `a language keeps the dictionary and the languages that it needs`(_ code: String, _ expected: [String]) throws
    {
        let full = try LocalePackage(Self.package(Self.names)[...])
        let english = try LocalePackage(full.keeping(try Self.selection("en"))[...]).items.map(\.name)
        let kept = try LocalePackage(full.keeping(try Self.selection(code))[...]).items.map(\.name)
        #expect(kept.filter { !english.contains($0) } == expected)
    }

    @Test(arguments: ["", "xx", "de,,en", "de-AT", "de_AT", "DE", "../de"])
    func `a language that ICU does not have is refused`(_ text: String) {
        #expect(throws: CommandFailure.self) { try Self.selection(text) }
    }

    @Test func `a damaged package is refused, wherever it ends and whatever its table contains`() throws {
        let whole = Self.package(Self.names)
        for count in 0..<whole.count - 20 {
            #expect(throws: LocalePackage.Problem.self) { try LocalePackage(whole[..<count]) }
        }
        // Change each byte of the header and of the table in turn. The package is refused or read, without a crash.
        for index in 0..<(36 + 8 * Self.names.count) {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var bytes = whole
                bytes[index] = value
                if let package = try? LocalePackage(bytes[...]) { _ = package.keeping(try Self.selection("de")) }
            }
        }
        #expect(throws: LocalePackage.Problem.isDamaged("it has 0 items")) { try LocalePackage(Self.package([])[...]) }
    }

    @Test(arguments: [[], Array("!<arch>\n".utf8), Array("!<arch>\nx".utf8), [UInt8](repeating: 0x60, count: 4096)])
    func `a file that is not a library has no data`(_ bytes: [UInt8]) throws {
        #expect(try StaticLibrary(bytes).findLocales() == nil)
    }

    private static let checker = "/usr/sbin/icupkg"

    @Test(.enabled(if: access(checker, X_OK) == 0, "icupkg is not installed: Tests/install-packages"))
    func `the data of a language contains everything that it refers to, according to icupkg`() throws {
        let target = try ChildProcess.output(
            of: "/usr/bin/env",
            arguments: ["swiftc", "-print-target-info", "-static-stdlib"]
        )
        let document = try #require(JSONValue(parsing: Array(target.text.utf8)), "\(target.text)")
        guard case .string(let folder)? = document.members["paths"]?.members["runtimeResourcePath"] else {
            Issue.record("swiftc names no folder: \(target.text)")
            return
        }
        let library = try File.bytes(at: "\(folder)/linux/lib_FoundationICU.a", limit: 512 << 20)
        let full = try #require(try StaticLibrary(library).findLocales())
        #expect(full.languages.isSuperset(of: ["ar", "de", "en", "ja", "no", "zh"]))
        let place = TemporaryDirectory()
        // icupkg finds the package's version in the file's name.
        let file = place("\(full.name)l.dat")
        // Languages that use the data of other languages, and several languages together.
        let choices = [
            "ars", "in", "iw", "mo", "nb", "nn", "sh", "tl", "wuu", "yue", "zh", "de,fr,es,it,pt,nl,ja,th,hi",
        ]
        for languages in choices {
            let selection = try LocaleSelection(languages, known: full.languages)
            let trimmed = full.keeping(selection)
            #expect(trimmed.count < full.byteCount / 2)
            try Data(trimmed).write(to: URL(filePath: file))
            let list = try Self.run(#""$0" -l "$1" 2>/dev/null"#, file)
            #expect(list == full.items.map(\.name).filter(selection.keeps))
            // It also prints each reference to an item that is missing.
            let missing = try Self.run(#""$0" -l "$1" 2>&1 >/dev/null"#, file).filter {
                // A missing dictionary is valid: ICU then finds no words in text of that language.
                !($0.contains("brkitr/root.res depends on missing item brkitr/") && $0.hasSuffix("dict.dict"))
            }
            #expect(missing == [], "\(languages)")
        }
    }

    /// Runs a shell command with icupkg and a package as $0 and $1. Returns the printed lines.
    private static func run(_ command: String, _ file: String) throws -> [String] {
        let output = try ChildProcess.output(of: "/bin/sh", arguments: ["-c", command, checker, file])
        return File.lines(of: output.text).map(String.init)
    }
}
