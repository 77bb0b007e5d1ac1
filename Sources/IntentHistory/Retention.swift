/// How long records are kept: `[History]`.
package struct Retention: Equatable, Sendable {
    /// `Keep=`: the time after which an ended run is removed; nil: never.
    package var keep: Duration? = .seconds(30 * 86_400)
    /// `KeepOutput=`: the time after which its output is removed; nil: never.
    package var keepOutput: Duration? = .seconds(7 * 86_400)
    /// `KeepFiles=`: the time after which the files of its result are removed, at least a minute; nil: with the run.
    package var keepFiles: Duration? = .seconds(7 * 86_400)
    /// `MaxRuns=`: the maximum number of runs, above which the oldest ended runs are removed; nil: no limit.
    package var runCountMax: Int64?
    /// `MaxSize=`: the oldest ended runs are removed when the file has more bytes than this; nil: never.
    package var byteCountMax: Int64? = 1 << 30

    package init() {}
}
