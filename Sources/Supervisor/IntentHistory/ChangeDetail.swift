import IntentWire

/// The JSON in the `detail` column of a row with the kind `state`.
struct StateDetail: Codable {
    var reason: CancellationReason?
    var slot: SlotID?

    /// The encoded detail. Encoding it with `Codable` would take longer than writing the row, and every run has at
    /// least one row of this kind.
    var json: String {
        let json = WireCoding.encode(self) { (detail, writer) throws(NotCanonical) in
            writer.raw("{")
            if let reason = detail.reason {
                writer.raw(#""reason":"#)
                writer.put(reason.name)
                if detail.slot != nil { writer.raw(",") }
            }
            if let slot = detail.slot {
                writer.raw(#""slot":"#)
                writer.put(slot.number)
            }
            writer.raw("}")
        }
        return String(foreign: json)
    }
}

/// The JSON in the `detail` column of a row with the kind `cancel`.
struct CancelDetail: Codable {
    var user: UInt32
    var process: Int32
    var software: String
}
