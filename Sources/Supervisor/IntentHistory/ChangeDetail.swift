import IntentLauncherMessages

/// The JSON in the `detail` column of a row with the kind `state`.
struct StateDetail: Codable {
    var reason: CancellationReason?
    var slot: SlotID?
}

/// The JSON in the `detail` column of a row with the kind `cancel`.
struct CancelDetail: Codable {
    var user: UInt32
    var process: Int32
    var software: String
}
