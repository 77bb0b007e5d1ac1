import IntentConfiguration
import IntentLauncherMessages
import IntentLifecycle

/// The recorded catalogues of a private daemon's apps.
struct CatalogRecords {
    /// The catalogues that were read, by the versions of the apps that described them.
    private(set) var recorded: [InstalledApp.Fingerprint: IntentCatalog] = [:]
    /// The records of the other apps.
    private var missing: [(app: InstalledApp, record: CatalogRecord)] = []

    /// Reads the record of an app.
    ///
    /// - Parameter folder: The absolute path of the folder with the user's records.
    mutating func read(_ app: InstalledApp, _ settings: AppSettings, in folder: String) {
        guard let record = CatalogRecord(of: settings, in: folder) else { return }
        if let catalog = record.read() { recorded[app.fingerprint] = catalog } else { missing.append((app, record)) }
    }

    /// Records the catalogues that apps have described to this daemon.
    ///
    /// - Parameter known: Returns the catalogue of an app; nil if the app has not described its intents.
    func write(_ known: (InstalledApp) -> IntentCatalog?) {
        for (app, record) in missing {
            // Continue without a record if it cannot be written. The next daemon then asks the app again.
            if let catalog = known(app) { try? record.write(catalog) }
        }
    }
}
