import Foundation
import TestSupport
import Testing

/// Tests the units, and the script that installs them.
@Suite(.ownThread) struct UnitsTests {
    @Test func `every socket that a unit opens is a Unix socket with an owner, a group and a mode`() throws {
        let sockets = try Project.texts(below: "units").filter { $0.path.hasSuffix(".socket") }
        #expect(sockets.count >= 3)
        for (path, text) in sockets {
            let lines = text.split(whereSeparator: \.isNewline)
            let places = lines.filter { $0.hasPrefix("Listen") }
            #expect(!places.isEmpty)
            // The sockets of a user's own manager are in a folder that only the user can access.
            #expect(places.allSatisfy { $0.contains("=/run/") || $0.contains("=%t/") }, "\(path) opens \(places)")
            #expect(lines.contains { $0.hasPrefix("SocketMode=06") && $0.hasSuffix("0") }, "\(path) has no mode")
        }
    }

    @Test func `packages have the version of the programs`() throws {
        let changelog = try #require(Project.texts(below: "units/debian/changelog").first).text
        let version = try #require(changelog.firstMatch(of: /^intentd \((.*?)\)/)).1
        let hello = try #require(Project.texts(below: "Sources/Messages/IntentSharedTypes/Hello.swift").first).text
        #expect(hello.contains("softwareVersion = \"\(version.replacing("~", with: "-"))\""), "\(version)")
    }

    @Test func `an installation with any umask creates no file that other users can write`() throws {
        let place = try Place()
        #expect(try place.run("install", "--from", place.built, umask: "000") == 0)
        let files = try FileManager.default.subpathsOfDirectory(atPath: place.stage)
        #expect(files.contains("usr/lib/intentd/installed-files"))
        for file in files {
            let mode = try #require(
                FileManager.default.attributesOfItem(atPath: "\(place.stage)/\(file)")[.posixPermissions] as? Int
            )
            #expect(mode & 0o022 == 0, "\(file) has \(String(mode, radix: 8))")
        }
        #expect(try place.run("uninstall") == 0)
        #expect(!FileManager.default.fileExists(atPath: "\(place.stage)/usr/lib/intentd"))
    }

    @Test(arguments: [
        "/etc/passwd", "/usr/bin/sh", "/usr/lib/intentd/../../bin/intentctl", "/usr/lib/intentd/apps/..", "relative",
        "/usr/lib/intentd/package/../intentd.conf",
        "/usr/bin/intentctl/x", "/usr/lib/systemd/system/sshd.service", "/usr/lib/intentd/a b", "/usr/lib/intentd/",
    ])
    func `a list with a path that is not intentd's removes nothing`(path: String) throws {
        let place = try Place()
        #expect(try place.run("install", "--from", place.built) == 0)
        let before = try place.files()
        let list = try FileHandle(forWritingTo: URL(filePath: place.manifest))
        try list.seekToEnd()
        try list.write(contentsOf: Data((path + "\n").utf8))
        try list.close()
        #expect(try place.run("uninstall") != 0)
        #expect(try place.run("install", "--from", place.built) != 0)
        #expect(try place.files() == before)
    }

    @Test func `nothing is removed if the list is writable by others, owned by another user, or a link`() throws {
        let place = try Place()
        #expect(try place.run("install", "--from", place.built) == 0)
        let before = try place.files()
        chmod(place.manifest, 0o666)
        #expect(try place.run("uninstall") != 0)
        chmod(place.manifest, 0o644)
        if getuid() == 0 {
            chown(place.manifest, 42_424, 42_424)
            #expect(try place.run("uninstall") != 0)
            chown(place.manifest, 0, 0)
        }
        let other = "\(place.stage)/list"
        try FileManager.default.moveItem(atPath: place.manifest, toPath: other)
        try FileManager.default.createSymbolicLink(atPath: place.manifest, withDestinationPath: other)
        #expect(try place.run("uninstall") != 0)
        try FileManager.default.removeItem(atPath: place.manifest)
        try FileManager.default.moveItem(atPath: other, toPath: place.manifest)
        #expect(try place.files() == before)
        #expect(try place.run("uninstall") == 0)
    }

    @Test(arguments: Planted.allCases)
    func `nothing is written or removed through a folder that another user can change`(planted: Planted) throws {
        try #require(planted != .owner || getuid() == 0, "only root can create a folder of another user")
        let place = try Place()
        #expect(try place.run("install", "--from", place.built) == 0)
        let units = "\(place.stage)/usr/lib/systemd/system"
        let victim = "\(place.folder)/victim"
        try Data("as before".utf8).write(to: URL(filePath: victim))
        try FileManager.default.createSymbolicLink(
            atPath: "\(units)/intentd.service.new",
            withDestinationPath: victim
        )
        switch planted {
        case .owner: chown(units, 42_424, 0)
        case .everybody: chmod(units, 0o777)
        case .group:
            chown(units, uid_t.max, 42_424)
            chmod(units, 0o775)
        case .link, .linkByWayOfOthers:
            // The folder of units is a link to a folder outside, or to a folder inside by way of one that others can change.
            let isOutside = planted == .link
            let other = isOutside ? "\(place.folder)/other" : "\(place.stage)/other"
            try FileManager.default.moveItem(atPath: units, toPath: other)
            let way = "\(place.stage)/way"
            try FileManager.default.createDirectory(atPath: way, withIntermediateDirectories: false)
            chmod(way, 0o777)
            try FileManager.default.createSymbolicLink(atPath: "\(way)/on", withDestinationPath: "../other")
            try FileManager.default.createSymbolicLink(
                atPath: units,
                withDestinationPath: isOutside ? other : "../../../way/on"
            )
        }
        let before = try place.files()
        #expect(try place.run("install", "--from", place.built) != 0)
        #expect(try place.run("uninstall") != 0)
        #expect(try place.files() == before)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "as before")
    }

    enum Planted: CaseIterable {
        case owner
        case everybody
        case group
        case link
        case linkByWayOfOthers
    }

    @Test func `an installation replaces links at the paths of its files, and writes to no file behind them`() throws {
        let place = try Place()
        let victim = "\(place.folder)/victim"
        try Data("as before".utf8).write(to: URL(filePath: victim))
        let units = "\(place.stage)/usr/lib/systemd/system"
        for folder in [units, "\(place.stage)/usr/lib/intentd"] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            chmod(folder, 0o755)
        }
        for path in ["\(units)/intentd.service", "\(units)/intentd.service.new", "\(place.manifest).new"] {
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: victim)
        }
        try FileManager.default.linkItem(atPath: victim, toPath: "\(units)/intentd.socket.new")
        #expect(try place.run("install", "--from", place.built) == 0)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "as before")
        let type = try FileManager.default.attributesOfItem(atPath: "\(units)/intentd.service")[.type]
        #expect(type as? FileAttributeType == .typeRegular)
    }

    @Test(.enabled(if: Mandoc.isInstalled, "mandoc is not installed"))
    func `mandoc finds no mistake in the pages of units/man`() throws {
        let pages = try Project.texts(below: "units/man").filter { $0.path.contains(/\.[1-8]$/) }
        #expect(pages.count == 10)
        for (path, text) in pages { #expect(try Mandoc.faults(in: text) == "", "\(path)") }
    }

    @Test(arguments: [
        ("intentd.8", "Sources/Supervisor/IntentSupervisor/SupervisorArguments.swift", []),
        // This option belongs to intentd-starter, which the page also describes.
        ("intentd-launcher.8", "Sources/Launcher/IntentLauncher/LauncherArguments.swift", ["id-range"]),
    ])
    func `the page of a program describes exactly the options of its usage`(
        page: String,
        source: String,
        others: [String]
    ) throws {
        let text = try #require(Project.texts(below: "units/man/\(page)").first?.text)
        let code = try #require(Project.texts(below: source).first?.text)
        let start = try #require(code.firstRange(of: "usage: ")).upperBound
        let end = try #require(code[start...].firstRange(of: "\"\"\"")).lowerBound
        let options = Set(code[start..<end].matches(of: /--([a-z-]+[a-z])/).map { String($0.1) })
        let described = text.matches(of: /(?m)^\.It (Fl Fl .*)$/).flatMap { item in
            item.1.matches(of: /Fl Fl ([a-z-]+)/).map { String($0.1) }
        }
        #expect(options.count > 5)
        // The usage does not list --help.
        #expect(Set(described).subtracting(["help"]) == options.union(others))
    }

    @Test(.enabled(if: Mandoc.isInstalled && Mandoc.hasMarkdown, "mandoc or cmark-gfm is not installed"))
    func `units/documents writes every guide and manual page, and each link in them has a target`() throws {
        let place = try Place()
        let page = ".Dd May 1, 2026\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Nd a page\n"
        for name in ["intentd", "intentctl"] {
            try Script.write("case $1 in help | --manual) printf '%s' '\(page)' ;; esac", at: "\(place.built)/\(name)")
        }
        let folder = "\(place.folder)/html"
        #expect(try place.run(["units/documents", "--from", place.built, folder]) == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".html") }
        for name in ["index", "operators", "protocol", "threats", "intentd.8", "intentd.conf.5", "intentctl.1"] {
            #expect(files.contains("\(name).html"))
        }
        let texts = try Dictionary(
            uniqueKeysWithValues: files.map { ($0, try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) }
        )
        let index = try #require(texts["index.html"])
        var count = 0
        for (file, text) in texts {
            #expect(file == "index.html" || index.contains("href=\"\(file)\""), "the index lacks \(file)")
            for match in text.matches(of: /<a[^>]* href="([^"#:]*)(?:#([^"]*))?"/) {
                count += 1
                let target = match.1.isEmpty ? text : texts[String(match.1)]
                #expect(target != nil, "\(file) links to \(match.1)")
                guard let place = match.2?.removingPercentEncoding, let target else { continue }
                #expect(target.contains("id=\"\(place)\""), "\(file) links to \(match.1)#\(place)")
            }
        }
        #expect(count > 100)
        #expect(texts["intentd.8.html"]?.contains("href=\"intentctl.1.html\"") == true)
    }

    /// A folder for installations, and programs in it that do nothing.
    private final class Place {
        let folder: String
        var built: String { "\(folder)/built" }
        var stage: String { "\(folder)/stage" }
        var manifest: String { "\(stage)/usr/lib/intentd/installed-files" }

        init() throws {
            var template = Array("/tmp/intentd-units.XXXXXX".utf8CString)
            folder = String(cString: try #require(mkdtemp(&template)))
            for name in [built, stage] {
                try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: true)
            }
            for name in [
                "intentd", "intentd-launcher", "intentd-starter", "intentd-egress", "intentd-command", "intent-ask",
                "intentctl", "Soup",
            ] {
                try Script.write("", at: "\(built)/\(name)")
            }
        }

        deinit {
            // Each test has its own folder.
            try? FileManager.default.removeItem(atPath: folder)
        }

        func files() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: stage).sorted() }

        func run(_ script: String, _ arguments: String..., umask: String = "022") throws -> Int32 {
            try run(["units/\(script)", "--destdir", stage] + arguments, umask: umask)
        }

        /// Runs a program of the project.
        func run(_ words: [String], umask: String = "022") throws -> Int32 {
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.currentDirectoryURL = URL(filePath: Project.root)
            process.arguments = ["-c", "umask \(umask); exec \"$@\"", "sh"] + words
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
        }
    }
}
