import Testing

/// A false report of a worker, and the expected end of the run.
struct Falsehood: Sendable, CustomTestStringConvertible {
    var kind: String
    var detail = ""
    /// The exit code of intentctl.
    var code: Int32 = 70
    var words = "killed by intentd"

    var testDescription: String { "\(kind) \(detail)" }

    /// Messages that clients, operators, intentd and the launcher may send, and workers may not.
    private static let otherRoles = [
        "list", "describe", "status", "ps", "cancel", "follow", "history", "story", "prune", "metrics", "reload",
        "upgrade", "files", "fetch", "discardFiles", "subscribe", "undo", "launch", "signal", "open", "release",
        "measure", "keepNotes", "launched", "launchFailed", "exited", "kept", "cancelled", "values", "accepted",
        "outcome",
    ]

    /// Records that are not one valid frame: the length is missing, too large, too small or zero, or two frames follow.
    private static let brokenFrames = [
        "00", "000000", "00000000", "ffffffff", "7fffffff00", "00000001", "000000017b7d7d",
        "000000027b7d000000027b7d",
        "00000002c328", "000000020000", "00100001", "0000000122", "00000003efbbbf", "000000045b5d5d5d",
    ]

    static let all: [Falsehood] =
        [
            "no JSON", "{}", "[]", #"{"type":"confess"}"#, #"{"type":"catalog","catalog":{"intents":[]}}"#,
            #"{"type":"started"}"#, #"{"type":"hello","protocolVersion":9,"software":"another"}"#,
            #"{"type":"answer","question":1,"value":"yes"}"#, #"{"type":"acknowledge"}"#,
            #"{"type":"question","question":{"number":1,"text":"?","type":"int","parameter":"none"}}"#,
            #"{"type":"question","question":{"number":1,"text":"?","type":"int","kind":"confirmation"}}"#,
            #"{"type":"question","question":{"number":1,"text":"?","type":{"enum":[]},"kind":"choice"}}"#,
            #"{"type":"question","question":{"number":9999,"text":"?","type":"int"}}"#,
            #"{"type":"question","question":{"number":1,"text":"?","type":"int","kind":"trick"}}"#,
            #"{"type":"refuse","question":1}"#,
            #"{"type":"perform","run":"0000000000","intent":"Echo","values":{},"files":0}"#,
            #"{"type":"background","phase":"entered"}"#, #"{"type":"finished","files":[]}"#,
            #"{"type":"finished","files":[],"ending":{"kind":"returned","value":{"file":{"index":7,"name":"x"}}}}"#,
            #"{"type":"finished","files":[{"path":"a"}],"ending":{"kind":"returned","value":{"file":{"index":0,"name":"../x"}}}}"#,
        ].map { Falsehood(kind: "payload", detail: $0) }
        + otherRoles.map { Falsehood(kind: "payload", detail: #"{"id":1,"type":"\#($0)","run":"0000000000"}"#) }
        + brokenFrames.map { Falsehood(kind: "raw", detail: $0) }
        + ["folder", "device", "pipe", "file", "unsealed", "self", "sealed folder"]
        .map { Falsehood(kind: "descriptors", detail: $0) }
        + ["sealed", "device"].map { Falsehood(kind: "unannounced", detail: $0) }
        + ["missing", "many", "deep", "questions", "long question"].map { Falsehood(kind: $0) }
        + [
            // The report ends the worker's own run, whatever run it names.
            Falsehood(
                kind: "payload",
                detail:
                    #"{"type":"finished","run":"0000000000","ending":{"kind":"threw","message":"a lie"},"files":[]}"#,
                code: 1,
                words: "a lie"
            ),
            Falsehood(kind: "twice", code: 1, words: "a lie"),
            Falsehood(
                kind: "payload",
                detail:
                    #"{"type":"progress","progress":{"completedUnitCount":9223372036854775807,"totalUnitCount":-9,"fraction":1e308}}"#,
                code: 124,
                words: "timeout"
            ),
            // A second hello message has no effect.
            Falsehood(
                kind: "payload",
                detail: #"{"type":"hello","protocolVersion":1,"software":"another"}"#,
                code: 124,
                words: "timeout"
            ),
            Falsehood(kind: "floods", code: 124, words: "timeout"),
        ]
}
