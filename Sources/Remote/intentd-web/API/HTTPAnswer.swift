import IntentLinux
import IntentProtocol

/// A response of the API.
struct HTTPAnswer {
    enum Body {
        case bytes([UInt8])
        case stream(TextStream)
        /// A part of a file.
        case file(SharedFileDescriptor, offset: UInt64, count: UInt64)
    }

    var status: UInt32
    var headers: [(String, String)] = []
    var body: Body

    static func json(_ message: some Encodable, status: UInt32 = 200, _ headers: [(String, String)] = []) -> HTTPAnswer
    {
        HTTPAnswer(
            status: status,
            headers: [("Content-Type", "application/json")] + headers,
            body: .bytes(WireCoding.encode(message))
        )
    }

    /// The time of modification of a stored file that a run received for writing and has not changed: 1970.
    static let unmodified = "Thu, 01 Jan 1970 00:00:00 GMT"

    static func empty(_ headers: [(String, String)] = []) -> HTTPAnswer {
        HTTPAnswer(status: 204, headers: headers, body: .bytes([]))
    }

    static func problem(_ problem: APIProblem, _ headers: [(String, String)] = []) -> HTTPAnswer {
        HTTPAnswer(
            status: problem.status,
            headers: [("Content-Type", APIProblem.contentType)] + problem.headers + headers,
            body: .bytes(problem.body)
        )
    }

    /// A file, or the part of it that the request selects.
    static func file(
        _ file: SharedFileDescriptor,
        type: String?,
        for request: APIRequest
    ) throws(ErrorReport) -> HTTPAnswer {
        let size: UInt64
        do throws(SystemError) {
            size = UInt64(max(0, try File.status(of: file.rawValue).byteCount))
        } catch {
            throw ErrorReport(.unknownFile, "cannot read the file: \(error)")
        }
        let range = try ByteRange(request.headers["range"], of: size)
        var headers = [
            ("Content-Type", ContentType.safe(type)), ("Accept-Ranges", "bytes"),
            // The browser must not show a file of an app as a part of this site.
            ("Content-Disposition", "attachment"),
        ]
        if range.isPart {
            headers.append(("Content-Range", "bytes \(range.offset)-\(range.offset + range.count - 1)/\(size)"))
        }
        return HTTPAnswer(
            status: range.isPart ? 206 : 200,
            headers: headers,
            body: .file(file, offset: range.offset, count: range.count)
        )
    }
}

/// The media type of a file, which an app has chosen.
enum ContentType {
    static func safe(_ type: String?) -> String {
        let parts = (type ?? "").split(scalar: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy(isToken) else { return "application/octet-stream" }
        return parts.joined(separator: "/")
    }

    private static func isToken(_ part: Substring) -> Bool {
        (1...127).contains(part.utf8.count)
            && part.utf8.allSatisfy { $0.isASCIILetterOrDigit || "!#$&-^_.+".utf8.contains($0) }
    }
}
