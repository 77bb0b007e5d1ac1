import CIntentCurl
import IntentProtocol
import Synchronization

/// The reason why a request to another server failed.
struct FetchProblem: Error, CustomStringConvertible {
    let description: String
}

/// A request to another server, with libcurl.
enum HTTPRequest {
    struct Response {
        var status: Int
        var body: [UInt8]
    }

    /// The maximum time of a request, in seconds.
    private static let seconds = 10

    /// True once libcurl is loaded, with the first request.
    private static let isPrepared = Mutex(false)

    private static func prepare() throws(FetchProblem) {
        let reason = isPrepared.withLock { isPrepared -> String? in
            if isPrepared { return nil }
            let reason = ccurl_prepare().map { String(foreign: $0) }
            isPrepared = reason == nil
            return reason
        }
        if let reason { throw FetchProblem(description: "cannot load libcurl: \(reason)") }
    }

    private final class Buffer {
        var bytes: [UInt8] = []
        let limit: Int

        init(limit: Int) { self.limit = limit }
    }

    /// Sends a request, and waits for its response. The caller's thread waits for up to ten seconds.
    ///
    /// - Parameters:
    ///   - protocols: The protocols that the address may have.
    ///   - authorities: A file with the certificates of authorities; nil for the certificates of the system.
    ///   - body: JSON to send with POST; nil for GET.
    ///   - limit: The maximum size of the response's body, in bytes.
    static func send(
        to address: String,
        protocols: String,
        authorities: String? = nil,
        body: [UInt8]? = nil,
        limit: Int
    ) throws(FetchProblem) -> Response {
        try prepare()
        let buffer = Buffer(limit: limit)
        var status = 0
        var reason = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        // SAFETY: the buffer is alive until the request has ended, after which libcurl does not call the closure.
        let context = Unmanaged.passUnretained(buffer).toOpaque()
        let code = withExtendedLifetime(buffer) {
            ccurl_request(
                address,
                protocols,
                authorities,
                body,
                body?.count ?? 0,
                seconds,
                { part, size, count, context in
                    guard let part, let context else { return 0 }
                    let buffer = Unmanaged<Buffer>.fromOpaque(context).takeUnretainedValue()
                    let bytes = UnsafeRawBufferPointer(start: part, count: size * count)
                    guard buffer.bytes.count + bytes.count <= buffer.limit else { return 0 }
                    buffer.bytes += bytes
                    return bytes.count
                },
                context,
                &status,
                &reason
            )
        }
        guard code == 0 else {
            let text = reason.withUnsafeBytes { String(foreign: $0.prefix { $0 != 0 }) }
            throw FetchProblem(description: text.isEmpty ? "error \(code) of libcurl" : text)
        }
        return Response(status: status, body: buffer.bytes)
    }
}
