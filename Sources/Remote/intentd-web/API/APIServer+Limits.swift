extension APIServer {
    /// What one caller may use at a time.
    struct Limits {
        var streamCount: Int
        var requestCount: Int
        /// The time for which a run with the rule `cancel` continues without a client that receives its events.
        var returnPatience: Duration = .seconds(30)
        /// True if a stored file is removed when intentd has it, unless a run may change it.
        var removesUsedFiles = false

        static let ownUser = Limits(streamCount: 1500, requestCount: 200)
        static let service = Limits(streamCount: 64, requestCount: 32)
        static let session = Limits(
            streamCount: 1500,
            requestCount: 200,
            returnPatience: WebLimits.sessionPatience,
            removesUsedFiles: true
        )
    }
}
