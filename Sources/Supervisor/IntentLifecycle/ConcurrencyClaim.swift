package import IntentLauncherMessages

/// A run's claim under one `Concurrency=` rule, or under `Exclusive=state`. All runs with a claim on the same key count
/// against the rule's limit.
package struct ConcurrencyClaim: Hashable, Sendable {
    /// The key of a claim. Runs with equal keys share one limit.
    package struct Key: Hashable, Sendable {
        package var app: AppName
        /// The intent that has the limit in its own section; nil for a limit of the app.
        package var intent: String?
        package var group: Group

        package enum Group: Hashable, Sendable {
            case all
            /// A parameter and its value; `null` for a run without a value.
            case value(String, IntentValue)
            /// A user's state folder; nil for the folder that all users share.
            case state(Caller?)
            /// A user's sandbox of an app with `AllowHosts=ask`.
            case sandbox(Caller)
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
    /// The reason why a run with this claim waits or is refused.
    package var description: String {
        let owner = key.intent.map { "\(key.app)/\($0)" } ?? key.app.text
        let runs =
            switch key.group {
            case .all: "of \(owner)"
            case .value(let parameter, .null): "of \(owner) without a value for \(parameter)"
            case .value(let parameter, let value): "of \(owner) with \(parameter)=\(value.brief)"
            case .state: "of \(owner) with the same state folder"
            case .sandbox: "of \(owner) of the user"
            }
        return "other runs \(runs) have not ended (\(limit))"
    }
}

extension IntentValue {
    /// The value as it appears in messages. A long string is truncated, because every recipient of a message receives a
    /// copy.
    fileprivate var brief: String {
        switch self {
        case .string(let text):
            let start = text.unicodeScalars.prefix(60)
            return start.endIndex == text.endIndex ? "'\(text)'" : "'\(String(start))…'"
        case .null, .bool, .int, .double: return String(foreign: WireCoding.encode(self))
        case .array: return "[…]"
        case .object, .file: return "{…}"
        }
    }
}

extension InstalledApp {
    /// Returns the claims of a run; nil if they depend on a default value that the app has not described yet.
    ///
    /// - Parameter isDeclared: False if only the intent's name is known.
    package func claims(
        of intent: IntentDeclaration,
        with values: [String: IntentValue],
        of user: Caller,
        isDeclared: Bool = true
    ) -> [ConcurrencyClaim]? {
        let own = own(\.concurrency, intent)
        var claims: [ConcurrencyClaim] = []
        if grants(to: intent).asksForHosts {
            let section = self.own(\.sandbox, intent)?.section
            let key = ConcurrencyClaim.Key(app: self.name, intent: section, group: .sandbox(user))
            claims.append(ConcurrencyClaim(key, under: ConcurrencyLimit(.sandbox)))
        }
        if own == nil, concurrency.limits.isEmpty, concurrency.exclusivity == nil { return claims }
        for (limits, section) in [(concurrency.limits, String?.none), (own?.limits ?? [], intent.name)] {
            for limit in limits {
                switch limit.scope {
                case .all: claims.append(ConcurrencyClaim(.init(app: name, intent: section, group: .all), under: limit))
                case .state, .sandbox: preconditionFailure("only 'all' and 'by=' are among the limits")
                case .parameter(let parameter):
                    var value = values[parameter]
                    if value == nil {
                        if !isDeclared { return nil }
                        guard let declared = intent.parameters.first(where: { $0.name == parameter }) else { continue }
                        value = declared.defaultValue
                    }
                    let group = ConcurrencyClaim.Key.Group.value(parameter, value ?? .null)
                    claims.append(ConcurrencyClaim(.init(app: name, intent: section, group: group), under: limit))
                }
            }
        }
        if case .state(let overflow)? = own?.exclusivity ?? concurrency.exclusivity {
            let key = ConcurrencyClaim.Key(app: name, group: .state(hasSharedState ? nil : user))
            claims.append(ConcurrencyClaim(key, under: ConcurrencyLimit(.state, overflow: overflow)))
        }
        return claims
    }

    /// Returns the `Priority=` of an intent's runs. The intent's own setting overrides the app's.
    func priority(of intent: IntentDeclaration) -> Int {
        own(\.concurrency, intent)?.priority ?? concurrency.priority ?? 0
    }
}
