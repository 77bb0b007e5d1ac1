import IntentLauncherMessages

/// A cache of encoded answers with catalogues. It saves time because apps rarely change, and encoding takes most of the
/// time needed for an answer.
struct CatalogAnswers {
    /// An encoded message in which the request number can be replaced.
    private struct Encoding {
        var answer: ClientAnswer
        var payload: [UInt8]
        /// The byte range of the request number.
        var number: Range<Int>
    }

    /// The maximum number of cached answers with one catalogue. Users need the catalogues of only a few apps at a time.
    private static let appLimit = 16

    private var list: Encoding?
    private var apps: [String: Encoding] = [:]

    /// Returns the frame of an answer with one catalogue or all catalogues. Returns nil for any other answer, and for
    /// an answer that is too large for a frame.
    mutating func frame(of answer: ClientAnswer, id: UInt64) -> ArraySlice<UInt8>? {
        let encoding: Encoding?
        if case .apps = answer {
            if list?.answer != answer {
                list = Self.encode(answer, as: Self.fitting(answer))
            }
            encoding = list
        } else if case .app(let app) = answer {
            if apps[app.name]?.answer != answer {
                if apps.count == Self.appLimit { apps = [:] }
                apps[app.name] = Self.encode(answer)
            }
            encoding = apps[app.name]
        } else {
            return nil
        }
        guard let encoding else { return nil }
        var payload = encoding.payload
        payload.replaceSubrange(encoding.number, with: Array(String(id).utf8))
        // Return nil for an answer that exceeds the limit. ``ClientMessage/frame`` then replaces it with an error.
        return (try? Frame.encode(payload, limit: Frame.clientPayloadLimit))?[...]
    }

    /// Returns the list without its largest catalogues, if it is too large for a frame. Clients request them one by one.
    private static func fitting(_ answer: ClientAnswer) -> ClientAnswer {
        guard case .apps(var apps) = answer else { return answer }
        let sizes = apps.map { WireCoding.encode($0).count }
        // The message around the list needs fewer bytes than one app.
        var rest = sizes.reduce(0, +) + sizes.count - Frame.clientPayloadLimit + (4 << 10)
        for index in apps.indices.sorted(by: { sizes[$0] > sizes[$1] }) where rest > 0 && apps[index].catalog != nil {
            apps[index].catalog = nil
            rest -= sizes[index] - WireCoding.encode(apps[index]).count
        }
        return .apps(apps)
    }

    private static func encode(_ answer: ClientAnswer, as sent: ClientAnswer? = nil) -> Encoding? {
        let mark = UInt64.max
        let payload = WireCoding.encode(ClientMessage.answer(id: mark, sent ?? answer))
        // Keys are sorted, and only the catalogue precedes `id`. The last match is therefore the message's own key.
        let text = Array(#""id":\#(mark),"type":"#.utf8)
        let key = #""id":"#.utf8.count
        var begin = payload.count - text.count
        while begin >= 0, !payload[begin...].starts(with: text) { begin -= 1 }
        guard begin >= 0 else { return nil }
        let number = begin + key..<begin + key + String(mark).utf8.count
        return Encoding(answer: answer, payload: payload, number: number)
    }
}
