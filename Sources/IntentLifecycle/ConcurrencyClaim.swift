package import IntentWire

/// What a run occupies under one `Concurrency=` or `Exclusive=state`: a share of the limit, together with the runs that
/// have the same key.
package struct ConcurrencyClaim: Hashable, Sendable {
    /// Runs with equal keys count together.
    package struct Key: Hashable, Sendable {
        package var app: AppName
        /// The intent that has the limit in its section; nil for a limit of the app.
        package var intent: String?
        package var group: Group

        package enum Group: Hashable, Sendable {
            case all
            /// A parameter with its value; `null` for a run without one.
            case value(String, IntentValue)
            /// The state folder of a user; nil for the folder of all users.
            case state(Caller?)
        }

        package init(app: AppName, intent: String? = nil, group: Group) {
            self.app = app
            self.intent = intent
            self.group = group
        }
    }

    package var key: Key
    package var limit: ConcurrencyLimit

    package init(_ key: Key, under limit: ConcurrencyLimit) {
        self.key = key
        self.limit = limit
    }
}

extension ConcurrencyClaim: CustomStringConvertible {
    /// What a run waits for, or is refused for.
    package var description: String {
        let place = key.intent.map { "\(key.app)/\($0)" } ?? key.app.text
        let runs =
            switch key.group {
            case .all: "of \(place)"
            case .value(let parameter, .null): "of \(place) without a value for \(parameter)"
            case .value(let parameter, let value): "of \(place) with \(parameter)=\(value.brief)"
            case .state: "of \(place) with the same state folder"
            }
        return "other runs \(runs) have not ended (\(limit))"
    }
}

extension IntentValue {
    /// The value in a message, cut: each reader of the message would receive a copy of a long one.
    fileprivate var brief: String {
        switch self {
        case .string(let text):
            let start = text.unicodeScalars.prefix(60)
            return start.endIndex == text.endIndex ? "'\(text)'" : "'\(String(start))…'"
        case .null, .bool, .int, .double: return String(decoding: WireCoding.encode(self), as: UTF8.self)
        case .array: return "[…]"
        case .object, .file: return "{…}"
        }
    }
}

extension InstalledApp {
    /// What a run occupies; nil until the app has described its intents, if that decides.
    ///
    /// - Parameter isDeclared: False if only the intent's name is known.
    package func claims(
        of intent: IntentDeclaration,
        with values: [String: IntentValue],
        of user: Caller,
        isDeclared: Bool = true
    ) -> [ConcurrencyClaim]? {
        let own = own(intentConcurrency, intent)
        if own == nil, concurrency.limits.isEmpty, concurrency.exclusivity == nil { return [] }
        var claims: [ConcurrencyClaim] = []
        for (limits, place) in [(concurrency.limits, String?.none), (own?.limits ?? [], intent.name)] {
            for limit in limits {
                switch limit.scope {
                case .all: claims.append(ConcurrencyClaim(.init(app: name, intent: place, group: .all), under: limit))
                case .state: preconditionFailure("exclusivity has a property of its own")
                case .parameter(let parameter):
                    var value = values[parameter]
                    if value == nil {
                        if !isDeclared { return nil }
                        guard let declared = intent.parameters.first(where: { $0.name == parameter }) else { continue }
                        value = declared.defaultValue
                    }
                    let group = ConcurrencyClaim.Key.Group.value(parameter, value ?? .null)
                    claims.append(ConcurrencyClaim(.init(app: name, intent: place, group: group), under: limit))
                }
            }
        }
        if case .state(let overflow)? = own?.exclusivity ?? concurrency.exclusivity {
            let key = ConcurrencyClaim.Key(app: name, group: .state(hasSharedState ? nil : user))
            claims.append(ConcurrencyClaim(key, under: ConcurrencyLimit(.state, overflow: overflow)))
        }
        return claims
    }

    /// `Priority=` of an intent's runs. The intent's own replaces the app's.
    func priority(of intent: IntentDeclaration) -> Int {
        own(intentConcurrency, intent)?.priority ?? concurrency.priority ?? 0
    }
}
