/// The command-line options, which Tests/Benchmarks/run passes.
struct BenchmarkOptions {
    /// Performs fewer trials, so that all figures are measured in two minutes.
    var isQuick = false
    var jsonPath: String?
    /// The Python interpreter with the peers installed; nil if they are not available.
    var python: String?
    /// The Python interpreter with fastmcp installed; nil if it is not available.
    var fastmcp: String?
    /// The program of mcp-server-git; nil if it is not available.
    var gitServer: String?
    var peerFolder = ""
    /// The socket of an intentd to flood instead of measuring. Set when this program runs as another user.
    var floodedSocket: String?
    /// The names of the figures to measure; empty for all.
    var names: [String] = []

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        func value(of option: String) throws -> String {
            guard let value = rest.popFirst() else { throw BenchmarkError("option '\(option)' needs a value") }
            return value
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--quick": isQuick = true
            case "--json": jsonPath = try value(of: argument)
            case "--python": python = try value(of: argument)
            case "--fastmcp": fastmcp = try value(of: argument)
            case "--git-server": gitServer = try value(of: argument)
            case "--flood": floodedSocket = try value(of: argument)
            case "--peers": peerFolder = try value(of: argument)
            case _ where argument.hasPrefix("-"): throw BenchmarkError("unknown option '\(argument)'")
            default: names.append(argument)
            }
        }
        for name in names where FigureGroup(rawValue: name) == nil {
            let known = FigureGroup.allCases.map(\.rawValue).joined(separator: ", ")
            throw BenchmarkError("unknown figure '\(name)'; expected one of \(known)")
        }
    }

    var groups: [FigureGroup] {
        names.isEmpty ? FigureGroup.allCases : FigureGroup.allCases.filter { names.contains($0.rawValue) }
    }

    /// Returns the first number, or the second with `--quick`.
    func count(_ full: Int, quick: Int) -> Int { isQuick ? quick : full }
}

/// A group of figures that can be selected on the command line.
enum FigureGroup: String, CaseIterable {
    case submit, rate, cancel, limit, progress, idle, growth, start, history, files, text,
        fairness, busy, users, mcp, command, shortcut, server, egress, http, host, fleet
}
