import Foundation
import IntentSharedTypes

/// The source of a parameter's options, which are listed on demand.
struct OptionsSource: Sendable {
    let provider: any DynamicOptionsProvider

    init(_ provider: some DynamicOptionsProvider) {
        self.provider = provider
    }

    /// Returns the options, which may depend on the current values of ``OptionsPreparation/intent``.
    func options(matching text: String?) async throws -> OptionList {
        try await OptionsPreparation.prepare(provider)
        return try await Self.list(provider, matching: text)
    }

    /// Returns the provider's default; nil if the provider has no default or needs a dependency that the app has not
    /// registered.
    static func defaultResult(of provider: any DynamicOptionsProvider) async -> (any _IntentValue)? {
        guard (try? await OptionsPreparation.prepare(provider)) != nil else { return nil }
        return await provider.defaultResult() as (any _IntentValue)?
    }

    private static func list<Provider: DynamicOptionsProvider>(
        _ provider: Provider,
        matching text: String?
    ) async throws -> OptionList {
        if let text, let query = provider as? any EntityQuery, let found = try await query._search(text) {
            return found
        }
        return try OptionList(try await provider.results(), matching: text)
    }
}

/// Prepares providers and queries for the intent that uses them.
enum OptionsPreparation {
    /// The intent for which this task calls providers and queries. `@IntentParameterDependency` reads the intent from
    /// this task-local value, regardless of where the provider or query was created.
    @TaskLocal static var intent: (any AppIntent)?

    /// Resolves the dependencies of a provider or a query.
    static func prepare(_ owner: some _SupportsAppDependencies) async throws {
        for child in Mirror(reflecting: owner).children {
            if let dependency = child.value as? any AnyAppDependency {
                try await dependency.resolve(for: String(describing: type(of: owner)))
            }
        }
    }

    /// Returns the parameters, sorted so that each parameter follows the parameters on which its provider depends. All
    /// other parameters, and parameters that depend on each other, keep the given order.
    static func inDependencyOrder(
        _ parameters: [(name: String, parameter: any AnyIntentParameter)],
        of intent: any AppIntent
    ) -> [(name: String, parameter: any AnyIntentParameter)] {
        var rest = parameters.map { entry in
            let provider = entry.parameter.optionsProvider
            let dependencies = provider.map { Mirror(reflecting: $0).children.map(\.value) } ?? []
            let needed = dependencies.flatMap {
                ($0 as? any AnyIntentParameterDependency)?.listedParameters(of: intent) ?? []
            }
            return (entry: entry, needed: Set(needed.map(ObjectIdentifier.init)))
        }
        guard rest.contains(where: { !$0.needed.isEmpty }) else { return parameters }
        var ordered: [(name: String, parameter: any AnyIntentParameter)] = []
        while !rest.isEmpty {
            let unset = Set(rest.map { ObjectIdentifier($0.entry.parameter) })
            let next = rest.firstIndex { candidate in
                candidate.needed.subtracting([ObjectIdentifier(candidate.entry.parameter)]).isDisjoint(with: unset)
            }
            ordered.append(rest.remove(at: next ?? 0).entry)
        }
        return ordered
    }
}

/// Options in sections, encoded for sending.
struct OptionList: Sendable {
    struct Section: Sendable {
        var title: String?
        var options: [Option]
    }

    struct Option: Sendable {
        var value: IntentValue
        var title: String
        var subtitle: String?
    }

    var sections: [Section]

    var options: [Option] { sections.flatMap(\.options) }
}

extension OptionList {
    /// - Parameter text: A string that an option's title or value must contain; nil for all options.
    init<Results: ResultsCollection>(_ results: Results, matching text: String? = nil) throws {
        if let type = Results.Result.ValueType.self as? any AppEntity.Type,
            let refusal = RunCaller.current.refusal(by: type.authenticationPolicy)
        {
            throw RunError("the list of values \(refusal)", code: RunCaller.refusalCode)
        }
        let coding = Results.Result._intentValueCoding
        var files = OutgoingFiles(directory: nil)
        sections = []
        for section in results._sections {
            var options: [Option] = []
            for item in section.items {
                let option = Option(
                    value: try coding.encode(item.value, &files).reference,
                    title: item.title.text,
                    subtitle: item.subtitle?.text
                )
                if let text, !option.contains(text) { continue }
                options.append(option)
            }
            if !options.isEmpty { sections.append(Section(title: section.title?.text, options: options)) }
        }
    }

    /// The options as a run returns them: a list with one object for each option.
    var wireValue: IntentValue {
        .array(
            sections.flatMap { section in
                section.options.map { option in
                    var members: [String: IntentValue] = ["value": option.value, "title": .string(option.title)]
                    members["subtitle"] = option.subtitle.map { .string($0) }
                    members["section"] = section.title.map { .string($0) }
                    return .object(members)
                }
            }
        )
    }

    /// Returns the first `count` options in their sections.
    func prefix(_ count: Int) -> OptionList {
        var rest = max(0, count)
        var sections: [Section] = []
        for var section in self.sections where rest > 0 {
            section.options = Array(section.options.prefix(rest))
            rest -= section.options.count
            sections.append(section)
        }
        return OptionList(sections: sections)
    }
}

extension OptionList.Option {
    func contains(_ text: String) -> Bool {
        let needle = SearchText(text)
        if SearchText(title).contains(needle) { return true }
        if case .string(let value) = value { return SearchText(value).contains(needle) }
        return false
    }
}
