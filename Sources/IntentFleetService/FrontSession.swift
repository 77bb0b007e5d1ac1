import IntentLinux
import IntentProtocol

/// A local user's connection.
///
/// Use an instance only on the loop's thread.
final class FrontSession {
    let id: UInt64
    /// The uid from SO_PEERCRED.
    let user: UInt32
    /// The user's name in the fleet.
    let owner: String
    let stream: FrameStream
    /// The instant on CLOCK_MONOTONIC, in nanoseconds, at which the client is disconnected unless it has sent `hello`.
    let helloDeadline: Int64
    var isGreeted = false
    /// The number of requests that have not been answered.
    var openCount = 0
    /// The runs to cancel when the client disconnects.
    var attached: Set<Int64> = []
    /// The number of runs that the client subscribes to.
    var watchCount = 0

    static let openLimit = 64
    static let watchLimit = 1000

    init(id: UInt64, user: UInt32, owner: String, stream: FrameStream, helloDeadline: Int64) {
        self.id = id
        self.user = user
        self.owner = owner
        self.stream = stream
        self.helloDeadline = helloDeadline
    }

    func answer(_ id: UInt64, _ answer: ClientAnswer, files: [SharedFileDescriptor] = []) {
        openCount -= 1
        stream.send(ClientMessage.answer(id: id, answer), files: files)
    }

    func refuse(_ id: UInt64, _ error: ErrorReport) { answer(id, .refused(error)) }
}
