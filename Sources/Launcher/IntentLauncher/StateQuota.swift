import IntentConfiguration

/// A state folder and the maximum size of its contents (`StateMax=`).
struct StateQuota: Hashable, Codable {
    var path: String
    var byteCountMax: Int64

    /// Creates the quota of an app's state folder; nil if the app has no state folder or no limit.
    init?(_ path: String?, of app: AppSettings) {
        guard let path, let byteCountMax = app.unit.sandbox.stateMax else { return nil }
        self.path = path
        self.byteCountMax = byteCountMax
    }
}
