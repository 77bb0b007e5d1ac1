import IntentProtocol

/// A route of the API: what a method on a path does. ``all`` is the only table of routes.
package struct APIRoute: Equatable, Sendable {
    package enum Action: Equatable, Sendable {
        /// Sends intentd the request of this type (Protocol.md). Its members are the parameters of the path, those of
        /// the query, and the body. The answer without its number is the response.
        case request(String)
        /// Performs an intent.
        case perform
        /// Undoes a run.
        case undo
        /// Streams the events of a run.
        case events
        /// Ends a run with the rule `cancel`, because its client has left.
        case leave
        /// Returns a file of a run's result.
        case resultFile
        /// Receives the contents of a file, or more of them.
        case storeFile, extendFile
        case readFile
        case removeFile
        case describeAPI
        /// The Model Context Protocol over Streamable HTTP.
        case mcp
        /// Performs the intent of a signed request.
        case hook
        /// Shows or answers the question of an answer link.
        case answerLink
        /// Returns the metadata for clients that need an access token (RFC 9728).
        case resourceMetadata
    }

    /// A parameter of the query.
    package struct Parameter: Equatable, Sendable {
        package enum Kind: String, Sendable { case string, integer, boolean }
        package var name: String
        package var kind: Kind
    }

    package var method: String
    /// The path. A part in braces is a parameter.
    package var path: String
    package var action: Action
    /// The sentence that describes the route in the OpenAPI document.
    package var summary: String
    package var query: [Parameter]

    private init(_ method: String, _ path: String, _ action: Action, _ summary: String, _ query: String = "") {
        self.method = method
        self.path = path
        self.action = action
        self.summary = summary
        self.query = query.split(scalar: " ").map { word in
            let parts = word.split(scalar: ":").map(String.init)
            return Parameter(name: parts[0], kind: parts.count > 1 ? Parameter.Kind(rawValue: parts[1])! : .string)
        }
    }

    /// The first part of every path of the JSON API.
    package static let version = "v1"

    /// The path of the metadata for clients that need an access token (RFC 9728).
    package static let metadataPath = "/.well-known/oauth-protected-resource"

    /// True for a path that is not one of the page.
    package static func isAPI(_ firstPart: String?) -> Bool {
        ["v1", "mcp", "hooks", "answer", ".well-known"].contains(firstPart)
    }

    /// True for a route of the JSON API, which the OpenAPI document describes.
    package var isDescribed: Bool { ![.mcp, .hook, .answerLink, .resourceMetadata].contains(action) }

    package static let all = [
        APIRoute("GET", "/v1/openapi.json", .describeAPI, "Describes this API, and the intents that you may perform."),
        APIRoute("GET", "/v1/status", .request("status"), "Returns counters, the isolation and problems of intentd."),
        APIRoute("GET", "/v1/apps", .request("list"), "Lists the apps with their catalogues."),
        APIRoute("GET", "/v1/apps/{app}", .request("describe"), "Describes an app."),
        APIRoute("POST", "/v1/apps/{app}/intents/{intent}/runs", .perform, "Performs an intent."),
        APIRoute("GET", "/v1/runs", .request("runs"), "Lists runs that have not ended."),
        APIRoute("POST", "/v1/runs", .perform, "Performs the text of a shortcut (plan)."),
        APIRoute("GET", "/v1/runs/{run}", .request("story"), "Returns everything that is recorded about a run."),
        APIRoute("GET", "/v1/runs/{run}/events", .events, "Streams the events of a run.", "after:integer"),
        APIRoute(
            "POST",
            "/v1/runs/{run}/leave",
            .leave,
            "Ends a run that began with onDisconnect: cancel, because its client leaves."
        ),
        APIRoute("GET", "/v1/runs/{run}/logs", .request("logs"), "Returns the output of a run.", "after:integer"),
        APIRoute("POST", "/v1/runs/{run}/cancel", .request("cancel"), "Cancels a run and waits for its end."),
        APIRoute("POST", "/v1/runs/{run}/undo", .undo, "Undoes a run."),
        APIRoute("GET", "/v1/runs/{run}/question", .request("question"), "Returns the open question of a run."),
        APIRoute("POST", "/v1/runs/{run}/answer", .request("answer"), "Answers the open question of a run."),
        APIRoute("POST", "/v1/runs/{run}/revoke", .request("revoke"), "Ends the standing approval of a run."),
        APIRoute(
            "GET",
            "/v1/runs/{run}/files",
            .request("fetch"),
            "Lists the files of a run's result, beginning with an index.",
            "from:integer"
        ),
        APIRoute("GET", "/v1/runs/{run}/files/{index}", .resultFile, "Returns a file of a run's result, or a part."),
        APIRoute("DELETE", "/v1/runs/{run}/files", .request("discardFiles"), "Discards the files of a run's result."),
        APIRoute(
            "GET",
            "/v1/history",
            .request("history"),
            "Lists recorded runs, the newest first.",
            "sinceMilliseconds:integer untilMilliseconds:integer app intent state user:integer account everybody:boolean"
                + " isAnswered:boolean isFailure:boolean shortcut count:integer before:integer"
        ),
        APIRoute("GET", "/v1/shortcuts", .request("shortcuts"), "Lists the shortcuts that you have stored."),
        APIRoute("POST", "/v1/shortcuts", .request("addShortcut"), "Stores a shortcut."),
        APIRoute("DELETE", "/v1/shortcuts/{name}", .request("removeShortcut"), "Removes a shortcut."),
        APIRoute("POST", "/v1/files", .storeFile, "Stores a file for a later run. The body is its contents."),
        APIRoute("PATCH", "/v1/files/{file}", .extendFile, "Appends to a stored file, at Upload-Offset."),
        APIRoute("GET", "/v1/files/{file}", .readFile, "Returns a stored file, or a part. HEAD returns its size."),
        APIRoute("DELETE", "/v1/files/{file}", .removeFile, "Removes a stored file."),
        APIRoute("GET", "/v1/metrics", .request("metrics"), "Returns metrics as OpenMetrics text. For operators only."),
        APIRoute("POST", "/v1/reload", .request("reload"), "Reads the operator's files again. For operators only."),
        APIRoute(
            "POST",
            "/v1/upgrade",
            .request("upgrade"),
            "Replaces intentd by its new program. For operators only."
        ),
        APIRoute("POST", "/v1/prune", .request("prune"), "Removes runs from history. For operators only."),
        APIRoute("POST", "/v1/import", .request("import"), "Adds runs of another history. For operators only."),
        APIRoute("POST", "/v1/start-failures", .request("startFailed"), "Reports a schedule that did not start."),
        APIRoute("POST", "/v1/tickets", .request("ticket"), "Issues a ticket for an open question."),
        APIRoute("POST", "/v1/tickets/redeem", .request("redeem"), "Redeems a ticket for an open question."),
        APIRoute("POST", "/mcp", .mcp, "Receives a message of the Model Context Protocol."),
        APIRoute("GET", "/mcp", .mcp, "Streams messages of a session of the Model Context Protocol."),
        APIRoute("POST", "/hooks/{hook}", .hook, "Performs the intent of a hook."),
        APIRoute("GET", "/answer/{user}/{ticket}", .answerLink, "Shows the question of a link."),
        APIRoute("POST", "/answer/{user}/{ticket}", .answerLink, "Answers the question of a link."),
        APIRoute("GET", metadataPath, .resourceMetadata, "Names the issuers of tokens."),
        APIRoute(
            "GET",
            metadataPath + "/{part}",
            .resourceMetadata,
            "Names the issuers of tokens for a part of the service."
        ),
        APIRoute("DELETE", "/mcp", .mcp, "Ends a session of the Model Context Protocol."),
    ]

    package enum Match: Equatable, Sendable {
        /// The route, and the parameters of the path.
        case route(APIRoute, [String: String])
        /// The methods of the path.
        case otherMethods([String])
        case unknownPath
    }

    /// Finds the route of a request. HEAD is as GET.
    package static func match(_ method: String, _ path: String) -> Match {
        let parts = path.split(scalar: "/", omittingEmptySubsequences: false).map(String.init)
        var methods: [String] = []
        for route in all {
            guard let values = route.parameters(in: parts) else { continue }
            if route.method == (method == "HEAD" ? "GET" : method) { return .route(route, values) }
            methods.append(route.method)
        }
        return methods.isEmpty ? .unknownPath : .otherMethods(methods)
    }

    /// The names of the parameters in the path.
    package var pathParameters: [String] {
        path.split(scalar: "/").map(String.init).compactMap(Self.parameterName)
    }

    /// Returns the values of the path's parameters; nil for another path.
    private func parameters(in parts: [String]) -> [String: String]? {
        let pattern = path.split(scalar: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == pattern.count else { return nil }
        var values: [String: String] = [:]
        for (part, pattern) in zip(parts, pattern) {
            if let name = Self.parameterName(pattern) {
                guard !part.isEmpty else { return nil }
                values[name] = part
            } else if part != pattern {
                return nil
            }
        }
        return values
    }

    private static func parameterName(_ part: String) -> String? {
        part.hasPrefix(utf8: "{") ? String(part.dropFirst(scalars: 1).dropLast(scalars: 1)) : nil
    }
}
