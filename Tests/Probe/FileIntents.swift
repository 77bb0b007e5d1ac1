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
    static var title: LocalizedStringResource = "Give back the same file"

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
