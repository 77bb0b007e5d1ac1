import IntentWire

/// What a worker tells beside its outcome, made fit to be told and kept.
extension Fleet {
    /// The details as they may be kept: other intents' values without those that are secret.
    func onRecord(_ details: RunDetails, of run: Run) -> RunDetails {
        var details = details
        details.opens = details.opens.map { withoutSecrets($0, of: run.app) }
        details.donations = details.donations?.map { withoutSecrets($0, of: run.app) }
        return details
    }

    private func withoutSecrets(_ reference: IntentReference, of app: InstalledApp) -> IntentReference {
        let declared = apps[app.name]?.catalog(of: app)?.intents.first { $0.name == reference.intent }
        // Of an intent that nobody knows now, nobody can say which values are secret.
        guard let declared else { return IntentReference(intent: reference.intent, values: [:]) }
        let secrets = app.secretNames(of: declared)
        let values = reference.values.filter { !secrets.contains($0.key) }
        return IntentReference(intent: reference.intent, values: values)
    }
}
