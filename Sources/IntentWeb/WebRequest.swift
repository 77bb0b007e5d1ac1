/// The parts of an HTTP request on which the server's decision depends.
package struct WebRequest: Sendable {
    package var method: String
    /// The path, without the query.
    package var path: String
    /// The value of `token` in the query.
    package var token: String?
    package var host: String?
    package var origin: String?
    /// `Sec-Fetch-Site`: how the page that made the request relates to this server, as the browser reports it.
    package var fetchSite: String?
    package var cookie: String?
    /// `X-Intentd-Key`.
    package var key: String?

    package init(
        _ method: String,
        _ path: String,
        token: String? = nil,
        host: String? = nil,
        origin: String? = nil,
        fetchSite: String? = nil,
        cookie: String? = nil,
        key: String? = nil
    ) {
        self.method = method
        self.path = path
        self.token = token
        self.host = host
        self.origin = origin
        self.fetchSite = fetchSite
        self.cookie = cookie
        self.key = key
    }
}
