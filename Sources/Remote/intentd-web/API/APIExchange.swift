import IntentAPI
import IntentLinux
import IntentProtocol

/// A request to the API and its response.
///
/// Use an instance only on the loop's thread.
final class APIExchange {
    let request: APIRequest
    let caller: APICaller
    private let server: APIServer
    private(set) var body: [UInt8] = []
    /// The stored file to which the body is appended; nil for other requests.
    private var target: String?
    private(set) var answer: HTTPAnswer?
    /// Called once, when ``answer`` is available.
    var whenAnswered: () -> Void = {}
    /// Called when the client has received the response or has left.
    var whenEnded: () -> Void = {}

    init(_ request: APIRequest, by caller: APICaller, at server: APIServer) {
        self.request = request
        self.caller = caller
        self.server = server
    }

    /// True if the body is a file, for which the time is not limited.
    var storesFile: Bool { target != nil }

    /// The maximum size of the body, in bytes. A file has no limit of its own.
    private var bodyLimit: Int { request.route.action == .mcp ? WebLimits.messageByteCount : WebLimits.bodyByteCount }

    /// Examines the request before its body arrives.
    func prepare() {
        do throws(ErrorReport) {
            switch request.route.action {
            case .storeFile: target = try server.files.create(for: caller.name)
            case .extendFile: target = request.path["file"]
            default: return
            }
            guard let target else { return }
            let offset = request.route.action == .storeFile ? 0 : try request.uploadOffset()
            do throws(ErrorReport) {
                try server.files.beginAppending(target, at: offset, for: caller.name)
            } catch {
                self.target = nil
                throw error
            }
        } catch {
            respond(error)
        }
    }

    func receive(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard answer == nil else { return }
        if let target {
            do throws(ErrorReport) {
                try server.files.append(bytes, to: target)
            } catch {
                respond(error)
            }
        } else if body.count + bytes.count > bodyLimit {
            respond(ErrorReport(.tooLarge, "the body has more than \(bodyLimit) bytes"))
        } else {
            body += bytes
        }
    }

    /// The request has arrived as a whole.
    func begin() {
        guard answer == nil else { return }
        if let target {
            server.files.endAppending(target)
            return respond { () throws(ErrorReport) in try storedAnswer(target) }
        }
        server.perform(self)
    }

    /// The client has closed the connection, so no client receives the response.
    func hangUp() {
        guard let answer else { return respond(ErrorReport(.badRequest, "the client has closed the connection")) }
        if case .stream(let stream) = answer.body { stream.end() }
    }

    /// The client has received the response, or has left.
    func end() {
        if let target { server.files.endAppending(target) }
        whenEnded()
        (whenAnswered, whenEnded) = ({}, {})
    }

    private func storedAnswer(_ file: String) throws(ErrorReport) -> HTTPAnswer {
        let size = try server.files.size(of: file, for: caller.name)
        let headers = [("Upload-Offset", String(size))]
        guard request.route.action == .storeFile else { return .empty(headers) }
        let location = ("Location", "/\(APIRoute.version)/files/\(file)")
        return .json(StoredFile(file: file, byteCount: size), status: 201, headers + [location])
    }

    func respond(_ answer: HTTPAnswer) {
        guard self.answer == nil else { return }
        self.answer = answer
        whenAnswered()
    }

    func respond(_ error: ErrorReport) { respond(.problem(APIProblem(error))) }

    func respond(_ body: () throws(ErrorReport) -> HTTPAnswer) {
        do throws(ErrorReport) {
            respond(try body())
        } catch {
            respond(error)
        }
    }
}

/// The answer to a request to store a file.
package struct StoredFile: Encodable {
    /// The name under which requests refer to the file.
    package var file: String
    package var byteCount: Int64
}
