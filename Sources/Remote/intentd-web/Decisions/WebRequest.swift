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
