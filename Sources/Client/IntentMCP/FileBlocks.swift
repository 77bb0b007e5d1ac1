import FoundationEssentials
package import IntentCommandLine
import IntentLinux
import IntentProtocol

/// The files of a result, as text and images: the two kinds of content that every client passes on to its model.
struct FileBlocks {
    private(set) var blocks: [JSONValue] = []
    /// A line about each file, with its URI.
    private(set) var sentences: [String] = []
    /// Each file as data.
    private(set) var described: [JSONValue] = []

    init(_ files: [ToolResultFile], of run: RunID) {
        for file in files {
            add(file, RunResource(run: run, part: .file(file.reference.index, name: file.reference.name)).uri)
        }
    }

    private mutating func add(_ file: ToolResultFile, _ uri: String) {
        let image = file.contents.flatMap { SnippetPicture.mediaType(of: $0) }
        let text = image == nil ? file.contents.flatMap { String(validForeign: $0) } : nil
        let isChanged = text.map { !SafeText.data($0).utf8.elementsEqual($0.utf8) } ?? false
        var sentence =
            "file \(SafeText.quoted(file.reference.name)) (\(SafeText.line(file.type)), \(file.byteCount) bytes): \(uri)"
        if isChanged { sentence += "; invisible characters of its text are escaped here" }
        if image == nil, text == nil { sentence += "; intent_read_file reads it" }
        sentences.append(sentence)
        blocks.append(ToolResult.text(sentence))
        if let text { blocks.append(ToolResult.text(text)) }
        if let image, let contents = file.contents {
            blocks.append([
                "type": "image", "data": .string(Data(contents).base64EncodedString()), "mimeType": .string(image),
            ])
        }
        described.append(
            .members([
                "name": .string(file.reference.name), "uri": .string(uri), "mimeType": .string(file.type),
                "size": .int(file.byteCount), "text": text.map { .string($0) },
            ])
        )
    }
}

/// A part of a file that the tool `intent_read_file` reads.
package struct FileRange: Hashable, Sendable {
    package var offset: Int
    package var length: Int

    /// The maximum length of a part, in bytes.
    package static let lengthLimit = 100_000

    package init(offset: Int, length: Int) { (self.offset, self.length) = (offset, length) }

    static func read(_ arguments: [String: JSONValue]) throws(ToolFailure) -> FileRange {
        FileRange(
            offset: try FindArguments.wholeNumber("offset", in: arguments, 0...Int.max) ?? 0,
            length: try FindArguments.wholeNumber("length", in: arguments, 1...lengthLimit) ?? lengthLimit
        )
    }

    /// Returns the result of a call that has read a part of a file: text, an image or base 64.
    ///
    /// - Parameters:
    ///   - bytes: The bytes from the offset on, at most as many as the length; all bytes of an image.
    ///   - total: The size of the file.
    package func result(_ bytes: [UInt8], of total: Int, _ type: String) -> JSONValue {
        if offset == 0, bytes.count == total, let image = SnippetPicture.mediaType(of: bytes) {
            let data = JSONValue.string(Data(bytes).base64EncodedString())
            return [
                "content": [["type": "image", "data": data, "mimeType": .string(image)]],
                "structuredContent": ["state": "done", "message": "the image is a content block"], "isError": false,
            ]
        }
        // A part of a text can end within a scalar, which has at most 4 bytes.
        let isWhole = offset + bytes.count >= total || bytes.isEmpty
        let lengths = isWhole ? [] : (max(bytes.count - 3, 1)...bytes.count).reversed()
        let cut = lengths.first { String(validForeign: Array(bytes[..<$0])) != nil } ?? bytes.count
        let text = String(validForeign: Array(bytes[..<cut]))
        let end = offset + (text == nil ? bytes.count : cut)
        let value: JSONValue = .members([
            "mimeType": .string(type), "size": .int(Int64(total)), "offset": .int(Int64(offset)),
            "text": text.map { .string($0) }, "base64": text == nil ? .string(Data(bytes).base64EncodedString()) : nil,
            "nextOffset": end < total ? .int(Int64(end)) : nil,
        ])
        return .object(
            ToolResult.value(value, message: end < total ? "\(total - end) bytes follow" : "the end of the file")
        )
    }
}
