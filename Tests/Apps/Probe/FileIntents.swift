import AppIntents

struct Measure: AppIntent {
    static var title: LocalizedStringResource = "Read a file twice"

    @Parameter(title: "File", supportedContentTypes: [.plainText]) var file: IntentFile

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let viaDescriptor = try file.withFileDescriptor { descriptor in
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readToEnd()?.count ?? 0
        }
        let type = file.type?.identifier ?? "-"
        return .result(value: "\(file.filename) \(type) \(file.data.count) \(file.data.count) \(viaDescriptor)")
    }
}

struct EchoFile: AppIntent {
    static var title: LocalizedStringResource = "Return the same file"

    @Parameter(title: "File") var file: IntentFile

    func perform() async throws -> some IntentResult & ReturnsValue<IntentFile> {
        .result(value: file)
    }
}

struct MakeFile: AppIntent {
    static var title: LocalizedStringResource = "Make a file"

    @Parameter(title: "Where", description: "memory, here, below, or an absolute path") var place: String
    @Parameter(title: "Text", default: "made") var text: String

    func perform() async throws -> some IntentResult & ReturnsValue<IntentFile> {
        let data = Data(text.utf8)
        switch place {
        case "memory":
            return .result(value: IntentFile(data: data, filename: "made.txt", type: .plainText))
        case "missing":
            return .result(value: IntentFile(fileURL: URL(fileURLWithPath: "missing.txt")))
        case "below":
            try FileManager.default.createDirectory(atPath: "below", withIntermediateDirectories: true)
            try data.write(to: URL(fileURLWithPath: "below/made.txt"))
            return .result(value: IntentFile(fileURL: URL(fileURLWithPath: "below/made.txt")))
        default:
            let url = URL(fileURLWithPath: place == "here" ? "made.txt" : place)
            try data.write(to: url)
            return .result(value: IntentFile(fileURL: url))
        }
    }
}

struct ReadFiles: AppIntent {
    static let title: LocalizedStringResource = "Return the names and contents of files"

    @Parameter(title: "Files", supportedContentTypes: [.plainText]) var files: [IntentFile]

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let parts = files.map { "\($0.filename)=\(String(decoding: $0.data, as: UTF8.self))" }
        return .result(value: parts.joined(separator: " "))
    }
}

struct MakeFiles: AppIntent {
    static let title: LocalizedStringResource = "Make many files"

    @Parameter(title: "Count") var count: Int
    @Parameter(title: "Name", default: "part.txt") var name: String
    @Parameter(title: "In memory", default: false) var inMemory: Bool
    @Parameter(title: "Bytes", description: "the size of each file; 0: its number as text", default: 0)
    var byteCount: Int

    func perform() async throws -> some IntentResult & ReturnsValue<[IntentFile]> {
        let files = try (0..<count).map { number in
            let data = byteCount > 0 ? Data(repeating: 7, count: byteCount) : Data("\(number)".utf8)
            if inMemory { return IntentFile(data: data, filename: name) }
            let url = URL(fileURLWithPath: "made-\(number)")
            try data.write(to: url)
            return IntentFile(fileURL: url, filename: name)
        }
        return .result(value: files)
    }
}

struct MakeSparse: AppIntent {
    static let title: LocalizedStringResource = "Make a sparse file"

    @Parameter(title: "Gigabytes") var gigabytes: Int

    func perform() async throws -> some IntentResult & ReturnsValue<IntentFile> {
        let url = URL(fileURLWithPath: "sparse.img")
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let handle = try FileHandle(forWritingTo: url)
        try handle.seek(toOffset: UInt64(gigabytes) << 30 - 4)
        try handle.write(contentsOf: Data("last".utf8))
        try handle.close()
        return .result(value: IntentFile(fileURL: url))
    }
}

struct WeighFile: AppIntent {
    static let title: LocalizedStringResource = "Return a file's length and its last four bytes"

    @Parameter(title: "File") var file: IntentFile

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let text = try file.withFileDescriptor { descriptor in
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            let length = try handle.seekToEnd()
            try handle.seek(toOffset: length - min(4, length))
            let last = try handle.readToEnd() ?? Data()
            return "\(length) \(String(decoding: last, as: UTF8.self))"
        }
        return .result(value: text)
    }
}

struct ReadFileLater: AppIntent {
    static let title: LocalizedStringResource = "Return the contents of a file after another file appears"

    @Parameter(title: "File") var file: IntentFile

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        try await appearance(of: "go")
        return .result(value: String(decoding: file.data, as: UTF8.self))
    }
}

struct AppendText: AppIntent {
    static let title: LocalizedStringResource = "Append text to a file"

    @Parameter(title: "File") var file: IntentFile
    @Parameter(title: "Text", default: "appended") var text: String
    @Parameter(title: "Way", description: "descriptor, path or replacement", default: "descriptor") var way: String

    func perform() async throws -> some IntentResult {
        if way != "descriptor", let url = file.fileURL {
            let before = try String(contentsOf: url, encoding: .utf8)
            try (before + text).write(to: url, atomically: way == "replacement", encoding: .utf8)
            return .result()
        }
        try file.withFileDescriptor { descriptor in
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(text.utf8))
        }
        return .result()
    }
}

struct AskForFile: AppIntent {
    static let title: LocalizedStringResource = "Ask for a file"

    @Parameter(title: "File", supportedContentTypes: [.plainText], requestValueDialog: "Which file?")
    var file: IntentFile?

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        guard let file else { throw $file.needsValueError() }
        return .result(value: "\(file.filename)=\(String(decoding: file.data, as: UTF8.self))")
    }
}
