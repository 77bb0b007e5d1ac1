/// How the benchmarks are started; Tests/Benchmarks/run does it.
struct BenchmarkOptions {
    /// Fewer trials: two minutes for all.
    var isQuick = false
    var jsonPath: String?
    /// A Python with the peers in it; nil where they cannot be had.
    var python: String?
    var peerFolder = ""
    /// The app that is measured; nil: the one that was built beside this program.
    var app: String?
    /// The same with 200 intents.
    var largeApp: String?
    /// The socket of an intentd to flood, as another user, instead of measuring.
    var floodedSocket: String?
    /// Figures that were asked for; empty: all.
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
            case "--app": app = try value(of: argument)
            case "--large-app": largeApp = try value(of: argument)
            case "--flood": floodedSocket = try value(of: argument)
            case "--peers": peerFolder = try value(of: argument)
            case _ where argument.hasPrefix("-"): throw BenchmarkError("option '\(argument)' is not known")
            default: names.append(argument)
            }
        }
        for name in names where FigureGroup(rawValue: name) == nil {
            let known = FigureGroup.allCases.map(\.rawValue).joined(separator: ", ")
            throw BenchmarkError("there is no figure '\(name)'; there are \(known)")
        }
    }

    var groups: [FigureGroup] {
        names.isEmpty ? FigureGroup.allCases : FigureGroup.allCases.filter { names.contains($0.rawValue) }
    }

    /// The first number, or with `--quick` the second.
    func count(_ full: Int, quick: Int) -> Int { isQuick ? quick : full }
}

/// What can be measured by itself.
enum FigureGroup: String, CaseIterable {
    case submit, rate, cancel, limit, progress, idle, growth, start, history, files, fairness, users
}
