import Dispatch
import Glibc
import IntentLinux
import Synchronization

/// Asks questions on the terminal, one at a time. ``entries`` contains the typed lines.
///
/// Reads the terminal only while a question is open, so that other input remains for the shell.
final class QuestionPrompt: Sendable {
    /// A typed line, or the end of the input.
    enum Entry: Sendable {
        case line(OpenQuestion, String)
        /// The user pressed Ctrl-D, to leave the question to other clients.
        case end(OpenQuestion)
    }

    private struct State {
        var question: OpenQuestion?
        /// The write end of a pipe. Closing it wakes the thread that is waiting for a line.
        var writingEnd: Int32?
    }

    let entries: AsyncStream<Entry>
    private let continuation: AsyncStream<Entry>.Continuation
    private let state = Mutex(State())
    /// The last line that was typed, and whether it repeats the previous line.
    private let lastLine = Mutex<(text: String, isRepeated: Bool)?>(nil)
    private let queue = DispatchQueue(label: "intentctl.prompt")
    private static let lineLimit = 64 << 10

    init() {
        (entries, continuation) = AsyncStream.makeStream(of: Entry.self)
    }

    /// True if standard input and standard error are terminals, and this process is in the foreground process group of
    /// standard input's terminal.
    static var isPossible: Bool {
        Console.inputIsTerminal && Console.errorIsTerminal && tcgetpgrp(0) == getpgrp()
    }

    func ask(_ question: OpenQuestion) {
        close()
        discardInput()
        // If intentd repeats the question because it refused the answer, keep the last line, to detect a repeated
        // answer.
        if question.question.problem == nil { lastLine.withLock { $0 = nil } }
        if let snippet = question.question.snippet { SnippetDisplay.show(snippet, of: nil) }
        Console.note(
            (QuestionText.lines(question.question) + [QuestionText.deadline(question)]).joined(separator: "\n")
        )
        openUnlessRepeated(question)
    }

    /// Repeats the question after an invalid answer.
    func repeatAsking(_ question: OpenQuestion, because reason: String) {
        discardInput()
        Console.note(SafeText.line(reason))
        openUnlessRepeated(question)
    }

    /// Opens the question, or leaves it to other clients if the user has repeated an invalid line. A program that
    /// controls the terminal could repeat the line forever.
    private func openUnlessRepeated(_ question: OpenQuestion) {
        if lastLine.withLock({ $0?.isRepeated }) == true {
            lastLine.withLock { $0 = nil }
            continuation.yield(.end(question))
        } else {
            open(question)
        }
    }

    /// Stops waiting for an answer. Returns true if a question was open.
    @discardableResult
    func close() -> Bool {
        let (wasOpen, writingEnd) = state.withLock { state in
            defer { state = State() }
            return (state.question != nil, state.writingEnd)
        }
        if let writingEnd { Glibc.close(writingEnd) }
        Echo.restore()
        return wasOpen
    }

    func finish() {
        close()
        continuation.finish()
    }

    /// Discards input that the user typed before the question appeared.
    private func discardInput() { tcflush(0, TCIFLUSH) }

    private func open(_ question: OpenQuestion) {
        Echo.ask(QuestionText.prompt(question.question), hidesInput: question.question.isSecret == true)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            return Console.note("\ncannot ask on this terminal: \(String(foreign: strerror(errno)))")
        }
        let (readingEnd, writingEnd) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        state.withLock { $0 = State(question: question, writingEnd: writingEnd) }
        queue.async { self.wait(question, until: readingEnd) }
    }

    /// Waits for a line of input, or until the write end of the pipe is closed.
    private func wait(_ question: OpenQuestion, until closed: Int32) {
        defer { Glibc.close(closed) }
        var typed: [UInt8] = []
        while true {
            var sources = [
                pollfd(fd: 0, events: Int16(POLLIN), revents: 0), pollfd(fd: closed, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&sources, 2, -1) < 0 {
                guard errno == EINTR else { return }
                continue
            }
            if sources[1].revents != 0 { return }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(0, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN || errno == EIO && Echo.awaitTerminal() { continue }
            guard count > 0 else {
                Console.draw("\n")
                return typedIn(.end(question), question)
            }
            typed += buffer.prefix(count)
            if typed.count > Self.lineLimit { typed = [] }
            guard let end = typed.firstIndex(of: UInt8(ascii: "\n")) else { continue }
            // Print the line break that the terminal does not echo for hidden input.
            if question.question.isSecret == true { Console.draw("\n") }
            return typedIn(.line(question, String(foreign: typed[..<end])), question)
        }
    }

    private func typedIn(_ entry: Entry, _ question: OpenQuestion) {
        // Ignore the line if another client has answered the question in the meantime.
        guard state.withLock({ $0.question?.question.number == question.question.number }) else { return }
        close()
        if case .line(_, let text) = entry {
            lastLine.withLock { $0 = (text, isRepeated: $0?.text == text) }
        }
        continuation.yield(entry)
    }
}
