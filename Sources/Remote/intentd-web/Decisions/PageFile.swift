import IntentProtocol

/// The media types of the page's files, and the headers of every response.
package enum PageFile {
    /// Returns the media type of a file; nil for a file that is not part of the page.
    package static func type(of name: String) -> String? {
        switch name.split(scalar: ".").dropFirst().last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: nil
        }
    }

    /// The headers of every response. They forbid content from other sites, inline scripts and styles, and embedding
    /// the page in other sites' frames.
    package static let headers = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
                + "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cache-Control", "no-store"),
    ]

    /// Returns the document that redirects from the printed address to the page. The key follows `#`, because browsers
    /// do not send this part of an address to servers.
    ///
    /// If the user follows a link on another site, the browser sends no `SameSite=Strict` cookie. The redirect makes
    /// the request for the page come from this site.
    package static func entrance(key: String) -> String {
        "<!doctype html><meta charset=\"utf-8\"><link rel=\"icon\" href=\"/icon.svg\"><meta http-equiv=\"refresh\" content=\"0; url=/#key=\(key)\">"
            + "<title>intentd</title>"
    }
}
