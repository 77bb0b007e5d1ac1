package import IntentProtocol

/// A host's offer to the fleet: the intents that the host's operator permits, with their descriptions.
package struct OfferPlan: Sendable, Equatable {
    package var offers: [String: NodeSettings.Offer] = [:]
    /// The apps, with only their offered intents.
    package var apps: [AppDescription] = []

    package init() {}

    /// - Parameters:
    ///   - installed: The apps that intentd lists for the fleet service.
    ///   - host: The name of this host.
    package init(_ installed: [AppDescription], host: String, labels: [String]) {
        for app in installed {
            guard let catalog = app.catalog else { continue }
            var own = catalog
            own.intents = catalog.intents.filter { intent in
                guard let rule = intent.details?.fleet, let policy = RunPolicy(rawValue: rule.policy.rawValue),
                    rule.permits(host: host, labels: labels)
                else { return false }
                offers["\(app.name)/\(intent.name)"] = NodeSettings.Offer(policy, tries: rule.tries)
                return true
            }
            guard !own.intents.isEmpty else { continue }
            own.shortcuts = nil
            var description = app
            description.catalog = own
            // The path has no meaning on another host.
            description.executable = app.name
            apps.append(description)
        }
    }

    /// The statement that publishes the intents to the users of other hosts.
    package var publication: SQLStatement {
        struct Row: Encodable {
            var name: String
            var description: AppDescription
        }
        let rows = apps.map { Row(name: $0.name, description: $0) }
        return SQLStatement("select fleet.publish($1::json)", [WireCoding.text(rows)])
    }
}
