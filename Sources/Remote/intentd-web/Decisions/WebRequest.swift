/// The parts of an HTTP request that determine whether it is permitted.
package struct WebRequest: Sendable {
    package var method: String
    /// The path without the query.
    package var path: String
    /// The value of the query item `token`.
    package var token: String?
    package var host: String?
    package var origin: String?
    /// The value of `Sec-Fetch-Site`, in which the browser reports whether the request comes from this site.
    package var fetchSite: String?
    package var cookie: String?
    /// The value of `X-Intentd-Key`.
    package var key: String?
    /// The value of `Authorization`.
    package var authorization: String?

    /// True if the length of the body is stated twice, or in a way that not every server reads alike: what one server
    /// takes for the body, another one could take for the next request.
    package static func hasAmbiguousLength(_ fields: [(name: String, value: String)]) -> Bool {
        // A name with a space before the colon is the field for some servers and another field for others.
        if fields.contains(where: { $0.name.utf8.contains { $0 <= UInt8(ascii: " ") } }) { return true }
        let lengths = fields.filter { $0.name.lowercased() == "content-length" }
        let encodings = fields.filter { $0.name.lowercased() == "transfer-encoding" }
        if encodings.isEmpty { return lengths.count > 1 || !lengths.allSatisfy { isNumber($0.value) } }
        return !lengths.isEmpty || encodings.count > 1 || encodings[0].value.lowercased() != "chunked"
    }

    private static func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    package init(
        _ method: String,
        _ path: String,
        token: String? = nil,
        host: String? = nil,
        origin: String? = nil,
        fetchSite: String? = nil,
        cookie: String? = nil,
        key: String? = nil,
        authorization: String? = nil
    ) {
        self.method = method
        self.path = path
        self.token = token
        self.host = host
        self.origin = origin
        self.fetchSite = fetchSite
        self.cookie = cookie
        self.key = key
        self.authorization = authorization
    }
}
