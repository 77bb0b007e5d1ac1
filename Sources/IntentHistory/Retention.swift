/// How much of the past is kept: `[History]`.
package struct Retention: Equatable, Sendable {
    /// `Keep=`: runs that ended longer ago go; nil: never.
    package var keep: Duration? = .seconds(30 * 86_400)
    /// `KeepOutput=`: what they printed goes earlier.
    package var keepOutput: Duration? = .seconds(7 * 86_400)
    /// `KeepFiles=`: so do the files of their results, but never within a minute; nil: they go with the run.
    package var keepFiles: Duration? = .seconds(7 * 86_400)
    /// `MaxRuns=`: the oldest ended runs beyond so many go; nil: no limit.
    package var runCountMax: Int64?
    /// `MaxSize=`: the oldest ended runs go when the file is larger than so many bytes; nil: never.
    package var byteCountMax: Int64? = 1 << 30

    package init() {}
}
