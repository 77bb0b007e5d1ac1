import Foundation
import IntentLinux
import Testing
import intentctl

@Suite struct VerifyTests {
    @Test func `libraries in the program's folder are found, and a missing one is reported`() throws {
        var program = try ElfImage(at: "/proc/self/exe")
        program.needed = ["libsoup.so", "libc.so.6", "libnowhere.so"]
        program.runPath = "$ORIGIN/../lib"
        program.rPath = nil
        var soup = program
        soup.needed = ["libsalt.so", "libc.so.6"]
        soup.runPath = nil
        var plain = soup
        plain.needed = []
        let files = ["/app/bin/../lib/libsoup.so": soup, "/usr/lib/libc.so.6": plain]
        let entries = SharedLibraries(libraryPath: nil) { files[$0] }.resolve(program, at: "/app/bin/Soup")
        #expect(
            entries == [
                .init(name: "libsoup.so", path: "/app/bin/../lib/libsoup.so"),
                .init(name: "libc.so.6", path: "/usr/lib/libc.so.6"),
                .init(name: "libnowhere.so"),
                .init(name: "libsalt.so", neededBy: "libsoup.so"),
            ]
        )
    }

    @Test func `DT_RUNPATH applies to a file's own libraries, and DT_RPATH to their libraries too`() throws {
        var program = try ElfImage(at: "/proc/self/exe")
        program.needed = ["liba.so"]
        var library = program
        library.needed = ["libb.so"]
        library.runPath = nil
        library.rPath = nil
        let last = library
        let files = ["/p/liba.so": library, "/p/libb.so": last]
        program.runPath = "/p"
        program.rPath = nil
        let modern = SharedLibraries(libraryPath: nil) { files[$0] }.resolve(program, at: "/x/P")
        #expect(modern.map(\.path) == ["/p/liba.so", nil])
        program.runPath = nil
        program.rPath = "/p"
        let old = SharedLibraries(libraryPath: nil) { files[$0] }.resolve(program, at: "/x/P")
        #expect(old.prefix(2).map(\.path) == ["/p/liba.so", "/p/libb.so"])
        program.rPath = nil
        let environment = SharedLibraries(libraryPath: "/q:/p") { files[$0] }.resolve(program, at: "/x/P")
        #expect(environment.prefix(2).map(\.path) == ["/p/liba.so", "/p/libb.so"])
    }

    @Test func `the package that a static build with URLSession or XML needs is named`() {
        let libraries = ["libFoundationNetworking.so", "libFoundationXML.so", "libc.so.6"].map {
            SharedLibraries.Entry(name: $0, path: "/opt/\($0)")
        }
        #expect(
            StaticFoundation.warnings(for: libraries) { $0 == "/usr/lib/libxml2.so" } == [
                .init(
                    "a build with --static-swift-stdlib would not link: 'libcurl.so' is missing",
                    hint: "install its package: apt install libcurl4-openssl-dev"
                )
            ]
        )
        #expect(StaticFoundation.warnings(for: libraries) { _ in false }.count == 2)
        #expect(StaticFoundation.warnings(for: [.init(name: "libc.so.6")]) { _ in false } == [])
    }

    @Test func `the package of a library that a static program does not find is named`() {
        #expect(StaticFoundation.installation(of: ["libcurl-gnutls.so.4"]) == "apt install libcurl3-gnutls")
        #expect(StaticFoundation.installation(of: ["libcurl.so.4", "libxml2.so.2"]) == "apt install libcurl4 libxml2")
        #expect(StaticFoundation.installation(of: ["libxml2.so.2", "libsoup.so"]) == nil)
    }

    @Test func `the package for authors installs what static builds need`() throws {
        let control = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../units/debian/control").standardizedFileURL
        let text = try String(contentsOf: control, encoding: .utf8)
        let package = try #require(
            text.components(separatedBy: "\n\n").first { $0.hasPrefix("Package: intentd-dev\n") }
        )
        for development in StaticFoundation.developmentPackages { #expect(package.contains(" \(development)")) }
    }

    @Test func `an ignored modifier is a warning, once for all programs of an app`() {
        let program = Data("x\0intentd-ignored:layout:frame;\0intentd-ignored:event:task;".utf8)
        let button = "intentd-ignored:action:Button;"
        let library = Data(
            "intentd-ignored:widget:reloadAllTimelines;\0intentd-ignored:layout:frame;\0intentd-ignored:effect:blur;\0\(button)"
                .utf8
        )
        #expect(
            IgnoredModifiers.warnings(in: [program, library]) == [
                .init(
                    "snippets ignore the closure of 'Button'",
                    hint: "the button is shown, but does nothing: use Button(intent:)"
                ),
                .init("snippets ignore 'blur'", hint: "the view is shown without it"),
                .init("snippets ignore 'frame'", hint: "the client chooses sizes and positions"),
                .init("'reloadAllTimelines' does nothing", hint: "Linux has no widgets and no controls"),
                .init(
                    "snippets ignore 'task'",
                    hint: "its closure is never called, because a worker evaluates the view once"
                ),
            ]
        )
    }

    @Test(arguments: [
        "", "intentd-ignored:", "intentd-ignored:layout:frame", "intentd-ignored:layout:;", "intentd-ignored::frame;",
        "intentd-ignored:layout:a:b;", "intentd-ignored:other:frame;", "intentd-ignored:layout:\u{1B}[2J;",
        "intentd-ignored:layout:fr\nme;", "intentd-ignored:layout:främé;",
    ])
    func `what no compiler wrote is no modifier`(_ text: String) {
        #expect(IgnoredModifiers.warnings(in: [Data(text.utf8)]).isEmpty)
        let long = "intentd-ignored:layout:\(String(repeating: "a", count: 100));"
        #expect(IgnoredModifiers.warnings(in: [Data((text + long).utf8)]).isEmpty)
    }

    @Test func `every modifier that a snippet ignores has a mark that verify knows`() throws {
        let views = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Sources/Apple/IntentViews"
        )
        let files = try #require(FileManager.default.enumerator(at: views, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            for mark in source.matches(of: /#_ignored\("([^"]*)"\)/) {
                let program = Data("intentd-ignored:\(mark.1);".utf8)
                #expect(IgnoredModifiers.warnings(in: [program]).count == 1, "\(mark.1)")
                count += 1
            }
            // A modifier without an effect returns the view itself.
            let declaration =
                /Ignored on Linux[^\n]*\n(?:\s*(?:\/\/\/|@)[^\n]*\n)*[^\n{]*public func (?<rest>[^{]*)\{\s*self\s*\}/
            for ignored in source.matches(of: declaration) {
                #expect(ignored.rest.contains("#_ignored("), "\(file.lastPathComponent): \(ignored.rest)")
            }
        }
        #expect(count > 100)
    }

    @Test func `a program with many names has at most 256 warnings`() {
        let text = (1...2000).map { "intentd-ignored:layout:m\($0);" }.joined()
        #expect(IgnoredModifiers.warnings(in: [Data(text.utf8)]).count == 256)
    }

    @Test func `a verdict with a problem is a failure with the next step`() {
        var verdict = AppVerdict(path: "/x/Soup")
        #expect(verdict.exitCode == .done)
        #expect(verdict.text.hasSuffix("ready to be installed"))
        verdict.problems = [.init("it is a script", hint: "name what 'swift build' made")]
        #expect(verdict.exitCode == .configuration)
        #expect(verdict.text.contains("it is a script"))
        #expect(verdict.document.text().contains(#""isReady":false"#))
    }
}

@Suite struct PackageTemplateTests {
    @Test func `a template has a manifest, a program, an intent and a test`() throws {
        let files = PackageTemplate(name: "Soup", package: "/a \"b\"/intentd").files
        #expect(
            files.map(\.path) == [
                "Package.swift", "Sources/Soup/SoupApp.swift", "Sources/Soup/Greet.swift",
                "Tests/SoupTests/GreetTests.swift", ".gitignore",
            ]
        )
        #expect(files[0].text.hasPrefix("// swift-tools-version: 6.2\n"))
        #expect(files[0].text.contains(#".package(name: "intentd", path: "/a \"b\"/intentd")"#))
        #expect(files[0].text.contains(#".product(name: "AppIntentsTesting", package: "intentd")"#))
        #expect(files[3].text.contains("try await withIntentRun {"))
        #expect(files.allSatisfy { $0.text.hasSuffix("\n") && !$0.text.hasSuffix("\n\n") })
    }

    @Test(arguments: ["", "..", "a/b", "1st", "-x", "Só", "a b", "AppIntents", "class", "a-b"])
    func `an invalid module name is refused`(_ name: String) {
        #expect(PackageTemplate.problem(with: name) != nil)
    }

    @Test(arguments: ["Soup", "soup2", "My_Soup"])
    func `a valid module name is accepted`(_ name: String) {
        #expect(PackageTemplate.problem(with: name) == nil)
    }
}
