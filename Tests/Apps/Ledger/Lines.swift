import AppIntents

// An actor protects its memory from the tasks of one process. Each run is a process of its own.
actor Lines {
    static let shared = Lines()

    func add(_ text: String) throws {
        var lines = try TextFile("actor.json").read()
        lines.append(text)
        try TextFile("actor.json").write(lines)
    }

    var count: Int { get throws { try TextFile("actor.json").read().count } }
}

struct LockedLines {
    func add(_ text: String) async throws {
        try await IntentState.withLock {
            var lines = try TextFile("locked.json").read()
            lines.append(text)
            try TextFile("locked.json").write(lines)
        }
    }

    func removeLast(_ count: Int) async throws {
        try await IntentState.withLock {
            let lines = try TextFile("locked.json").read()
            try TextFile("locked.json").write(Array(lines.dropLast(count)))
        }
    }

    var count: Int {
        get async throws {
            try await IntentState.withLock { try TextFile("locked.json").read().count }
        }
    }
}

/// A file in the state folder, replaced as a whole, so that a run that is killed leaves the old file or the new one.
struct TextFile {
    private let url: URL

    init(_ name: String) throws {
        guard let folder = IntentState.directory else { throw IntentStateError.noDirectory }
        url = URL(filePath: folder).appending(path: name)
    }

    func read() throws -> [String] {
        guard FileManager.default.fileExists(atPath: url.path) else { return [] }
        return try JSONDecoder().decode([String].self, from: Data(contentsOf: url))
    }

    func write(_ lines: [String]) throws {
        try JSONEncoder().encode(lines).write(to: url, options: .atomic)
    }
}
