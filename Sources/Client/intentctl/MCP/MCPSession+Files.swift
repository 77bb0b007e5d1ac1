import FoundationEssentials
import Glibc
import IntentContentTypes
import IntentLinux
import IntentMCP

// Files of results, and files that are arguments.
extension MCPSession {
    /// Returns a file of a result, if an agent requested the run.
    func file(_ index: Int, of run: RunID) async throws -> RunFile {
        try await checkAgent(of: run)
        let files = try await connection.files(of: run)
        guard files.indices.contains(index) else { throw ErrorReport(.unknownRun, "run \(run) has no file \(index)") }
        return files[index]
    }

    /// Refuses a run that neither this process nor another agent of the user requested: an agent reads only what its own
    /// runs returned.
    private func checkAgent(of run: RunID) async throws {
        if runs[run] != nil || endedRuns.contains(run) { return }
        let story = try await connection.story(of: run)
        guard story.summary.entryPoint == .mcp else {
            throw ErrorReport(.notPermitted, "no agent requested run \(run)", hint: "read only files of your own runs")
        }
    }

    /// Reads a part of a file for the tool `intent_read_file`.
    func read(_ range: FileRange, of resource: RunResource, for id: RPCID) async {
        await handle(orRefused: { .refused(id, $0) }) {
            guard case .file(let index, _) = resource.part else {
                throw ErrorReport(.badParameter, "'uri': expected the URI of a file, not of a value")
            }
            let file = try await self.file(index, of: resource.run)
            let (total, type) = (Int(file.byteCount), file.mediaType)
            if range.offset == 0, total <= ToolResultFile.imageByteLimit, type.hasPrefix(utf8: "image/") {
                return .result(id, range.result(try file.contents(upTo: Int64(total)), of: total, type))
            }
            guard range.offset <= total else {
                throw ErrorReport(.badParameter, "'offset': expected at most \(total), the size of the file")
            }
            return .result(id, range.result(try file.part(range), of: total, type))
        }
    }

    /// Opens the inputs that are no paths: `data:` URIs and files of results.
    func openedFiles(_ inputs: [ParameterInput]) async throws -> [String: RunFile] {
        var opened: [String: RunFile] = [:]
        for case .path(let text) in inputs where opened[text] == nil {
            if let data = DataURI(text) {
                let suffix = UTType(mimeType: data.type)?.preferredFilenameExtension.map { ".\($0)" } ?? ""
                let name = data.name.map { SafeFileName.of($0) } ?? "data\(suffix)"
                opened[text] = try RunFile(data: Data(data.contents), name: name, contentType: data.type)
            } else if let resource = RunResource(uri: text), case .file(let index, _) = resource.part {
                opened[text] = try await file(index, of: resource.run)
            }
        }
        return opened
    }
}

extension EndedRun {
    init(_ result: RunResult) {
        let references = result.value?.files ?? []
        var rest = Int64(SnippetPicture.byteLimit)
        let pictures = (result.end.account.details?.snippet?.images ?? []).compactMap { reference in
            let picture = result.file(reference)?.forResult(reference) { _ in rest }
            rest -= Int64(picture?.contents?.count ?? 0)
            return picture
        }
        var (texts, images) = (ToolResultFile.textByteLimit, ToolResultFile.imageByteLimit)
        let files = references.compactMap { reference in
            let file = result.file(reference)?.forResult(reference) { $0.hasPrefix(utf8: "image/") ? images : texts }
            guard let file, let count = file.contents?.count else { return file }
            if SnippetPicture.mediaType(of: file.contents ?? []) != nil {
                images -= Int64(count)
            } else {
                texts -= Int64(count)
            }
            return file
        }
        self.init(result.end, reason: EndSentence.of(result.end, clocks: nil), files: files, pictures: pictures)
    }
}

extension RunFile {
    /// The size of the file, in bytes; 0 if it cannot be determined.
    fileprivate var byteCount: Int64 {
        withDescriptor { descriptor in
            var status = stat()
            return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
        }
    }

    /// The media type, from the app, the extension of the name, or the first bytes of the content.
    var mediaType: String {
        if let contentType, contentType.contains(utf8: "/") { return contentType }
        let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
        let named = dot.flatMap {
            UTType(filenameExtension: String(Substring(name.utf8[name.utf8.index(after: $0)...])))
        }
        if let type = (contentType.flatMap { UTType($0) } ?? named)?.preferredMIMEType { return type }
        // Ignore a failure to read, because the type is only a description.
        let start = (try? part(FileRange(offset: 0, length: 4096))) ?? []
        if let image = SnippetPicture.mediaType(of: start) { return image }
        // The first bytes can end within a scalar.
        let isText = (max(start.count - 3, 0)...start.count).contains {
            String(validForeign: Array(start[..<$0])) != nil
        }
        return isText && !start.contains(0) ? "text/plain" : "application/octet-stream"
    }

    /// Returns the file for a tool's result, with its contents if they are a text or an image and within the limit.
    ///
    /// - Parameter limit: Returns the maximum size for a media type.
    fileprivate func forResult(_ reference: FileReference, upTo limit: (String) -> Int64) -> ToolResultFile {
        let (size, type) = (byteCount, mediaType)
        // Ignore a read error. Without its contents, a file is shown by its name.
        var contents = size <= limit(type) ? try? self.contents(upTo: size) : nil
        if let bytes = contents, SnippetPicture.mediaType(of: bytes) == nil {
            // Contents that are no image must be a text, and within the limit of texts.
            if bytes.count > limit("text/plain") || String(validForeign: bytes) == nil { contents = nil }
        }
        return ToolResultFile(reference, byteCount: size, type: type, contents: contents)
    }

    /// Reads a part of the file.
    fileprivate func part(_ range: FileRange) throws -> [UInt8] {
        try withDescriptor { try File.read($0, upTo: range.length, at: range.offset) }
    }

    /// Reads the contents of the file.
    ///
    /// - Throws: ``ErrorReport`` for a file that is larger than the limit or unreadable.
    func contents(upTo limit: Int64) throws -> [UInt8] {
        try withDescriptor { descriptor throws(ErrorReport) in
            var bytes: [UInt8] = []
            do throws(SystemError) {
                while bytes.count <= limit {
                    let part = try File.read(descriptor, upTo: 64 << 10, at: bytes.count)
                    if part.isEmpty { return bytes }
                    bytes += part
                }
            } catch {
                throw ErrorReport(.historyUnavailable, "cannot read '\(name)': \(error)")
            }
            throw ErrorReport(
                .tooLarge,
                "'\(name)' has more than \(limit) bytes",
                hint: "fetch it with 'intentctl fetch'"
            )
        }
    }
}
