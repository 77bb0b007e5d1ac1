import Glibc

/// Implements `intentctl metrics`, which prints metrics of runs or answers one HTTP request for them.
struct MetricsCommand {
    let invocation: Invocation

    func perform() async throws -> ExitCode {
        guard invocation.has("http") else {
            let metrics = try await metrics()
            let text = invocation["format"] == "prometheus" ? PrometheusText.of(metrics) : metrics
            try invocation.output(
                json: .object(["text": .string(text)]),
                text: text.hasSuffix(utf8: "\n") ? String(text.dropLast(scalars: 1)) : text
            )
            return .done
        }
        // Exit with 0 even after an error, because a scraper reads the HTTP status.
        let request = HTTPRequest.read()
        let answer: String
        switch request {
        case .get("/metrics", let wantsOpenMetrics), .get("/", let wantsOpenMetrics):
            do {
                let metrics = try await metrics()
                answer =
                    wantsOpenMetrics
                    ? Self.answer("200 OK", "application/openmetrics-text; version=1.0.0; charset=utf-8", metrics)
                    : Self.answer("200 OK", "text/plain; version=0.0.4; charset=utf-8", PrometheusText.of(metrics))
            } catch {
                answer = Self.answer("503 Service Unavailable", "text/plain; charset=utf-8", "\(error)\n")
            }
        case .get: answer = Self.answer("404 Not Found", "text/plain; charset=utf-8", "not found; try /metrics\n")
        case .other: answer = Self.answer("405 Method Not Allowed", "text/plain; charset=utf-8", "expected GET\n")
        case .broken: answer = Self.answer("400 Bad Request", "text/plain; charset=utf-8", "not an HTTP request\n")
        }
        try Console.raw(answer)
        return .done
    }

    /// The metrics of intentd, and the next start of each schedule, which only systemd knows.
    private func metrics() async throws -> String {
        let text = try await invocation.connect().metrics()
        let end = "# EOF\n"
        guard text.hasSuffix(utf8: end) else { return text }
        let starts = SystemdControl(isUsers: invocation.has("user")).nextStarts()
        let samples = starts.map { name, time in
            "intentd_schedule_next_start_timestamp_seconds{schedule=\"\(name)\"} \(time.millisecondsSince1970 / 1000)\n"
        }
        return """
            \(text.dropLast(scalars: end.scalarCount))# TYPE intentd_schedule_next_start_timestamp_seconds gauge
            # UNIT intentd_schedule_next_start_timestamp_seconds seconds
            # HELP intentd_schedule_next_start_timestamp_seconds Time of a schedule's next start, since 1970.
            \(samples.joined(separator: ""))\(end)
            """
    }

    private static func answer(_ status: String, _ type: String, _ body: String) -> String {
        "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
            + body
    }
}

/// The request line of an HTTP/1 request, and whether the client accepts OpenMetrics.
enum HTTPRequest {
    case get(String, wantsOpenMetrics: Bool)
    case other
    case broken

    private static let byteLimit = 16 << 10
    /// The maximum time to wait for a client that sends nothing.
    private static let patienceMilliseconds: Int32 = 5000

    static func read() -> HTTPRequest {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count < byteLimit, !isWhole(bytes) {
            var ready = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, patienceMilliseconds) > 0 else { break }
            let count = Glibc.read(0, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        let line = String(foreign: bytes.prefix { $0 != 13 && $0 != 10 })
        let words = line.split(scalar: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix(utf8: "HTTP/1.") else { return .broken }
        guard words[0] == "GET" else { return .other }
        let head = String(foreign: bytes).lowercased()
        return .get(
            String(words[1].unicodeScalars.prefix { $0 != "?" }),
            wantsOpenMetrics: head.contains(utf8: "application/openmetrics-text")
        )
    }

    private static func isWhole(_ bytes: [UInt8]) -> Bool {
        bytes.suffix(4).elementsEqual([13, 10, 13, 10]) || bytes.suffix(2).elementsEqual([10, 10])
    }
}
