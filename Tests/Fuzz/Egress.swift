import Foundation
import IntentLauncherMessages

@testable import IntentEgress

/// The promises of intentd-egress about what apps send. A broken promise is a trap, which libFuzzer reports with its input.
enum Promise {
    private static let grants = ["api.example:443", "*.w.example:80", "db.internal:5432,private"]
        .compactMap(HostGrant.init)
    private static let rewriter: HeadRewriter = {
        guard let grant = InsertedCredential.grant(["github", "host=api.example"]), let credential = grant.credential
        else { preconditionFailure("the value of Credential= is valid") }
        return HeadRewriter(host: "api.example", credential: credential)
    }()
    private static let secret = Array("SECRET".utf8)

    /// An answer belongs to its query, has at most one record, and only for a granted name.
    static func dns(_ query: [UInt8]) {
        var table = NameTable(grants)
        var refused: String?
        guard let answer = DNSAnswer.to(query[...], from: &table, refused: { name, _ in refused = name }) else {
            return
        }
        precondition(answer.count >= 12 && answer.count <= query.count + DNSAnswer.extraRoom)
        precondition(answer.prefix(2) == query.prefix(2) && answer[2] & 0x80 != 0)
        let count = Int(answer[6]) << 8 | Int(answer[7])
        precondition(count <= 1)
        if count == 1 { precondition(refused == nil && answer[3] & 0xF == 0) }
        if let refused { precondition(!grants.contains { $0.covers(refused) }) }
        var again = NameTable(grants)
        precondition(DNSAnswer.to(query[...], from: &again, refused: { _, _ in }) == answer)
    }

    /// A connection never matches two names.
    static func first(_ bytes: [UInt8]) {
        for port: UInt16 in [80, 443] {
            let matches = ["api.example", "other.example"].filter {
                FirstBytes.check(bytes, on: port, for: $0) == .matches
            }
            precondition(matches.count <= 1)
        }
    }

    /// The secret is once in a head, in its header, and the new head is read as the app's one.
    static func head(_ bytes: [UInt8]) {
        guard case .accepted(let request) = rewriter.rewrite(bytes, with: secret) else { return }
        guard case .head(let old) = RequestHead.read(bytes), case .head(let new) = RequestHead.read(request.head) else {
            preconditionFailure("the new head cannot be read")
        }
        precondition(new.byteCount == request.head.count && request.byteCount == old.byteCount)
        precondition(new.method == old.method && new.target == old.target && new.version == old.version)
        precondition(new.values("authorization").map { Array($0) } == [Array("Bearer SECRET".utf8)])
        precondition(new.values("host").map { Array($0) } == [Array("api.example".utf8)])
        precondition(new.values("connection").map { Array($0) } == [Array("close".utf8)])
        for name in ["content-length", "transfer-encoding", "expect"] {
            precondition(new.values(name).map { Array($0) } == old.values(name).map { Array($0) })
        }
        precondition(!request.summary.utf8.contains(UInt8(ascii: "?")))
        // The secret of the new head would be replaced, so a second rewriting changes nothing.
        guard case .accepted(let second) = rewriter.rewrite(request.head, with: secret) else {
            preconditionFailure("the new head is refused")
        }
        precondition(second.head == request.head)
        body(request.body, Array(bytes[request.byteCount...]))
    }

    /// The end of a body does not depend on how its bytes arrive, and no byte follows the end.
    private static func body(_ whole: RequestBody, _ bytes: [UInt8]) {
        var (whole, parts) = (whole, whole)
        let taken = Array(whole.take(bytes[...]))
        var sum: [UInt8] = []
        for byte in bytes { sum += parts.take([byte]) }
        precondition(taken == sum && whole.isEnded == parts.isEnded && whole.isMalformed == parts.isMalformed)
        if whole.isEnded {
            let rest = whole.take([65])
            precondition(rest.isEmpty)
        }
    }

    static func body(_ bytes: [UInt8]) {
        head(Array("POST / HTTP/1.1\r\nHost: api.example\r\nTransfer-Encoding: chunked\r\n\r\n".utf8) + bytes)
    }

    static let seeds: [String: [[UInt8]]] = [
        "dns": [
            [0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3] + "api".utf8 + [7] + "example".utf8 + [0, 0, 1, 0, 1],
            [0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 97, 1] + "w".utf8 + [7] + "example".utf8
                + [0, 0, 28, 0, 1, 0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0],
        ],
        "first": [
            Array("GET / HTTP/1.1\r\nHost: api.example\r\n\r\n".utf8),
            [22, 3, 1, 0, 66, 1, 0, 0, 62, 3, 3] + [UInt8](repeating: 7, count: 32)
                + [0, 0, 2, 19, 1, 1, 0, 0, 19, 0, 0, 0, 15, 0, 13, 0, 0, 11] + "api.example".utf8,
        ],
        "head": [
            Array(
                "GET /a?b HTTP/1.1\r\nHost: api.example\r\nAuthorization: x\r\nConnection: keep-alive, TE\r\n\r\n".utf8
            ),
            Array(
                "PUT / HTTP/1.1\r\nHost: api.example:80\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabcd".utf8
            ),
            Array(
                "POST / HTTP/1.1\r\nHost: api.example\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\nx".utf8
            ),
        ],
        "body": [Array("3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\nGET ".utf8)],
    ]

    static let targets: [String: @Sendable ([UInt8]) -> Void] = [
        "dns": { dns($0) }, "first": { first($0) }, "head": { head($0) }, "body": { body($0) },
    ]
    static let target = ProcessInfo.processInfo.environment["FUZZ_TARGET"].flatMap { targets[$0] }
}

/// Writes the first inputs of a target: `--seed TARGET FOLDER`.
@_cdecl("LLVMFuzzerInitialize") public func initialize(
    _ count: UnsafeMutablePointer<Int32>,
    _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>
) -> Int32 {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, arguments[1] == "--seed", let seeds = Promise.seeds[arguments[2]] else { return 0 }
    for (index, seed) in seeds.enumerated() {
        FileManager.default.createFile(atPath: "\(arguments[3])/seed-\(index)", contents: Data(seed))
    }
    exit(0)
}

@_cdecl("LLVMFuzzerTestOneInput") public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let target = Promise.target else { preconditionFailure("FUZZ_TARGET names no target") }
    target(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
