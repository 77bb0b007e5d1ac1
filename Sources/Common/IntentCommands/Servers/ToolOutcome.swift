import FoundationEssentials
import IntentCommandLine
import IntentLauncherMessages
package import IntentProtocol

/// The result of a call (CallToolResult), before its files are written.
package struct ToolOutcome: Equatable, Sendable {
    /// A block of content.
    enum Part: Equatable, Sendable {
        case text(String)
        case file(ToolFile)
        /// A resource of the server that is not part of the result.
        case link(uri: String, name: String)
    }

    /// A link, and the index of its part.
    struct Link: Equatable, Sendable {
        var index: Int
        var uri: String
    }

    package private(set) var isError: Bool
    private var parts: [Part]
    /// The value of a tool with an output schema; nil for other tools.
    private var structured: JSONValue?
    /// The reason why the structured result is not valid.
    private var problem: String?

    /// The maximum size of a text in a value, and of a value, in bytes of JSON. Beyond it, the result has a file instead.
    private static let textByteLimit = 32 << 10
    private static let valueByteLimit = 64 << 10
    private static let errorLimit = 4000
    private static let partLimit = FileReference.countLimit

    init(_ result: [String: JSONValue], of tool: ServerTool) throws(ArgumentError) {
        isError = result["isError"]?.flag == true
        let blocks = result["content"]?.list ?? []
        guard blocks.count <= Self.partLimit else {
            throw ArgumentError("the result has more than \(Self.partLimit) blocks of content")
        }
        parts = blocks.map { Self.part($0.members) }
        guard let schema = tool.outputSchema, !isError else { return }
        guard let content = result["structuredContent"] else {
            problem = "it has no structured content, although the tool has an output schema"
            return
        }
        problem = schema.problem(with: content)
        structured = tool.resultProperty.map { content.members[$0] ?? .null } ?? content
    }

    private static func part(_ block: [String: JSONValue]) -> Part {
        switch block["type"]?.text {
        case "text": return .text(block["text"]?.text ?? "")
        case "image", "audio":
            guard let file = ToolFile(base64: block["data"], name: nil, type: block["mimeType"]?.text) else {
                return .text("(the server sent an image or audio that cannot be decoded)")
            }
            return .file(file)
        case "resource": return part(ofResource: block["resource"]?.members ?? [:])
        case "resource_link":
            let uri = block["uri"]?.text ?? ""
            return .link(uri: uri, name: block["name"]?.text ?? uri)
        case let type:
            return .text("(the server sent content of the unknown type '\(WireCoding.excerpt(type ?? ""))')")
        }
    }

    private static func part(ofResource resource: [String: JSONValue]) -> Part {
        let uri = resource["uri"]?.text ?? ""
        let type = resource["mimeType"]?.text
        if let text = resource["text"]?.text {
            return .file(ToolFile(contents: Array(text.utf8), name: uri, type: type ?? "text/plain"))
        }
        guard let file = ToolFile(base64: resource["blob"], name: uri, type: type) else { return .text(uri) }
        return .file(file)
    }

    /// The links to resources of the server.
    var links: [Link] {
        parts.enumerated().compactMap { index, part in
            if case .link(let uri, _) = part { Link(index: index, uri: uri) } else { nil }
        }
    }

    /// Replaces a link with the contents of its resource (ReadResourceResult).
    mutating func replaceLink(at index: Int, with contents: [JSONValue]) {
        guard contents.count == 1, case .link(_, let name) = parts[index],
            case .file(var file) = Self.part(ofResource: contents[0].members)
        else { return }
        file.rename(name)
        parts[index] = .file(file)
    }

    /// Returns the value of the run, and the files that it refers to.
    ///
    /// - Throws: ``ToolFault`` if the tool has failed, or if the result does not match the output schema.
    package func value() throws(ToolFault) -> (value: IntentValue, files: [ToolFile]) {
        guard !isError else {
            let texts = parts.compactMap { if case .text(let text) = $0 { text } else { nil } }
            let text = texts.joined(separator: "\n")
            let reason = String(text.prefix(scalars: Self.errorLimit))
            throw ToolFault(code: .failed, message: reason.isEmpty ? "the tool failed without a reason" : reason)
        }
        if let problem {
            throw ToolFault(code: .server, message: "the result does not match the tool's output schema: \(problem)")
        }
        var files = FileList()
        guard let structured else {
            return (.array(parts.map { $0.element(&files, textByteLimit: Self.textByteLimit) }), files.files)
        }
        var value = IntentValue(structured)
        if WireCoding.encode(value).count > Self.valueByteLimit {
            let json = ToolFile(
                contents: WireCoding.encode(structured),
                name: "result.json",
                type: "application/json"
            )
            guard case .object = value else {
                throw ToolFault(code: .server, message: "the value is larger than \(Self.valueByteLimit >> 10) KiB")
            }
            value = .object([:])
            files.add(json)
        }
        for case .file(let file) in parts { files.add(file) }
        guard !files.files.isEmpty else { return (value, []) }
        guard case .object(var members) = value, members["files"] == nil else { return (value, []) }
        members["files"] = .array(files.references.map { .file($0) })
        return (.object(members), files.files)
    }
}

extension ToolOutcome.Part {
    fileprivate func element(_ files: inout FileList, textByteLimit: Int) -> IntentValue {
        switch self {
        case .text(let text) where text.utf8.count > textByteLimit:
            .file(files.add(ToolFile(contents: Array(text.utf8), name: "text.txt", type: "text/plain")))
        case .text(let text): .string(text)
        case .file(let file): .file(files.add(file))
        case .link(let uri, let name): .string(uri == name ? uri : "\(name): \(uri)")
        }
    }
}

/// The files of a result, each with a name of its own.
private struct FileList {
    var files: [ToolFile] = []
    var references: [FileReference] = []

    @discardableResult mutating func add(_ file: ToolFile) -> FileReference {
        var file = file
        if files.contains(where: { $0.name == file.name }) { file.name = "\(files.count + 1)-\(file.name)" }
        let reference = FileReference(index: files.count, name: file.name, contentType: file.contentType)
        files.append(file)
        references.append(reference)
        return reference
    }
}

/// A file of a result.
package struct ToolFile: Equatable, Sendable {
    /// A plain file name.
    package fileprivate(set) var name: String
    package private(set) var contentType: String?
    package private(set) var contents: [UInt8]

    private static let nameByteLimit = 100
    private static let typeByteLimit = 100
    private static let extensions = [
        "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp", "image/svg+xml": "svg",
        "audio/wav": "wav", "audio/mpeg": "mp3", "audio/ogg": "ogg", "text/plain": "txt", "text/html": "html",
        "text/markdown": "md", "text/csv": "csv", "application/json": "json", "application/pdf": "pdf",
    ]

    /// - Parameter name: A name or an address, of which the last part becomes the name.
    init(contents: [UInt8], name: String?, type: String?) {
        self.contents = contents
        contentType = type.flatMap { text in
            let isPlain = text.utf8.allSatisfy { $0 > UInt8(ascii: " ") && $0 < 0x7F }
            return isPlain && !text.utf8.isEmpty && text.utf8.count <= Self.typeByteLimit ? text : nil
        }
        self.name = "result"
        rename(name ?? "")
    }

    /// Returns nil for anything but a string in base 64 (RFC 4648, section 4).
    init?(base64: JSONValue?, name: String?, type: String?) {
        guard let text = base64?.text, let data = Data(base64Encoded: text) else { return nil }
        self.init(contents: Array(data), name: name, type: type)
    }

    mutating func rename(_ text: String) {
        let last = text.split(scalar: "/").last.map { String($0) } ?? ""
        let type = contentType?.split(scalar: ";").first.map { String($0) }
        let suffix = type.flatMap { Self.extensions[$0] }.map { ".\($0)" } ?? ""
        let isUsable =
            FileName.isPlain(last) && last.utf8.count <= Self.nameByteLimit
            && SafeText.line(last).utf8.count == last.utf8.count
        guard isUsable else { return name = "result\(suffix)" }
        name = last.contains(utf8: ".") ? last : last + suffix
    }
}
