/// A file of the page: its type, and the headers of every answer.
package enum PageFile {
    /// The media type of a file; nil for a file that is not a part of the page.
    package static func type(of name: String) -> String? {
        switch name.split(separator: ".").dropFirst().last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: nil
        }
    }

    /// The headers of every answer. No script, style or image of another site is loaded, none is written in the page itself,
    /// and no other site can show the page in a frame.
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

    /// The page that leads from the printed address to the page, with the key behind `#`, which browsers do not send.
    ///
    /// The browser loads the next page for this one, and not for a page of another site with a link to the address. So it
    /// sends the cookie.
    package static func entrance(key: String) -> String {
        "<!doctype html><meta charset=\"utf-8\"><link rel=\"icon\" href=\"/icon.svg\"><meta http-equiv=\"refresh\" content=\"0; url=/#key=\(key)\">"
            + "<title>intentd</title>"
    }
}
