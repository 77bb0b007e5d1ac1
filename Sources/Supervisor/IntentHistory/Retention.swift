/// The rule that determines how long records are kept (`[History]`).
package struct Retention: Equatable, Sendable {
    /// The time after which an ended run is removed (`Keep=`); nil to keep runs forever.
    package var keep: Duration? = .seconds(30 * 86_400)
    /// The time after which the output of an ended run is removed (`KeepOutput=`); nil to remove it with the run.
    package var keepOutput: Duration? = .seconds(7 * 86_400)
    /// The time after which the result files of a run are removed (`KeepFiles=`), at least a minute. Nil to remove them
    /// with the run.
    package var keepFiles: Duration? = .seconds(7 * 86_400)
    /// The maximum number of ended runs (`MaxRuns=`); nil for no limit. If it is exceeded, the oldest runs of the
    /// account with the most runs are removed.
    package var runCountMax: Int64?
    /// The maximum size of the database and the result files in bytes (`MaxSize=`); nil for no limit. If it is
    /// exceeded, the oldest files and the oldest ended runs of the account that keeps the most are removed.
    package var byteCountMax: Int64? = 1 << 30

    package init() {}
}
