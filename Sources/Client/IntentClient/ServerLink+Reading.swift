internal import IntentLinux
internal import Synchronization

/// Receives messages on the reader thread, and passes them to the waiting tasks.
extension ServerLink {
    func readMessages() {
        var frames = IncomingFrames()
        while true {
            do throws(IntentClientError) {
                let bytes = try receive()
                guard let bytes else {
                    throw IntentClientError(
                        .connectionLost,
                        frames.isEmpty
                            ? "intentd closed the connection"
                            : "intentd closed the connection in the middle of a message",
                        hint: "check 'systemctl status intentd', then try again"
                    )
                }
                frames.append(bytes.0, bytes.1)
                while let frame = try frames.next() { try receive(frame.payload, frame.files) }
            } catch {
                guard error.code == .connectionLost else { return end(because: error) }
                switch reconnect() {
                case .regained: frames = IncomingFrames()
                case .lost(let reason): return end(because: reason ?? error)
                }
            }
        }
    }

    /// Receives bytes and descriptors. Returns nil at the end of the stream.
    private func receive() throws(IntentClientError) -> ([UInt8], [SharedFileDescriptor])? {
        do throws(SystemError) {
            let received = try UnixSocket.receive(
                from: socket.rawValue,
                upTo: 64 << 10,
                descriptorLimit: Frame.descriptorLimit
            )
            switch received {
            case .message(let bytes, let descriptors): return (bytes, descriptors)
            case .wouldBlock: return ([], [])
            case .end: return nil
            case .truncated: break
            }
        } catch {
            throw IntentClientError(.connectionLost, "the connection to intentd failed: \(error)")
        }
        throw .violation("expected at most \(Frame.descriptorLimit) files in a frame, got more")
    }

    private func receive(_ payload: [UInt8], _ files: [SharedFileDescriptor]) throws(IntentClientError) {
        let message: ClientMessage
        do throws(WireError) {
            message = try WireCoding.decode(ClientMessage.self, from: payload)
        } catch {
            switch error {
            case .malformed(let reason):
                throw .violation(reason)
            case .unknownMessage:
                // Only a newer daemon sends an unknown message. Ignore an unknown event. If the message is an answer,
                // fail its request.
                guard let id = NumberedRequest.id(in: payload) else { return }
                answer(id, .failure(IntentClientError.violation("\(error)")))
                return
            }
        }
        switch message {
        case .answer(let id?, let answer): receive(answer, to: id, files)
        case .answer(nil, .refused(let report)): throw IntentClientError(report)
        case .answer(nil, _): throw .violation("an answer has no request number")
        case .event(let event): try receive(event, files)
        }
    }

    private func receive(_ message: ClientAnswer, to id: UInt64, _ files: [SharedFileDescriptor]) {
        switch message {
        case .refused(let report):
            answer(id, .failure(IntentClientError(report)))
        case .accepted(let run):
            // Register the feed on this thread, because the next message may already be the run's first event.
            let feed = table.withLock { table in
                let feed = table.feeds[run] ?? RunFeed(run: run)
                table.feeds[run] = feed
                return feed
            }
            answer(id, .success(Reply(answer: message, files: files, feed: feed)))
        case .watching(let watched):
            // Each watch has a separate feed, because a feed supports only one reader.
            if resumed(id) { return }
            let feed = RunFeed(run: watched.run)
            table.withLock { $0.watches[watched.run, default: []].append(feed) }
            answer(id, .success(Reply(answer: message, files: files, feed: feed)))
        case .hello, .apps, .app, .ended, .filesReceived, .files, .filesDiscarded, .asking, .answerAccepted, .revoked,
            .ticket,
            .runs, .status, .history, .story, .logs, .pruned, .imported, .metrics, .reloaded, .upgrading,
            .startFailureNoted, .shortcutAdded, .shortcuts, .shortcutRemoved:
            answer(id, .success(Reply(answer: message, files: files)))
        }
    }

    private func receive(_ event: NumberedEvent, _ files: [SharedFileDescriptor]) throws(IntentClientError) {
        let feeds = table.withLock { table in
            [table.feeds[event.run]].compactMap(\.self) + table.watches[event.run, default: []]
        }
        guard !feeds.isEmpty else { return }
        switch event.event {
        case .state, .progress, .question, .answered, .output:
            for feed in feeds { feed.deliver(event.event, serial: event.serial) }
        case .finished(let end):
            if end.keptFileCount ?? 0 > 0 { return collect(end, of: event, []) }
            guard RunResult(end, received: files) != nil else {
                throw .violation("the value of run \(end.run) refers to a file that was not sent")
            }
            finish(event, end, files)
        }
    }

    /// Requests further files of a run's result until all files have been received.
    func collect(_ end: RunEnd, of event: NumberedEvent, _ files: [SharedFileDescriptor]) {
        guard files.count < min(end.keptFileCount ?? 0, Frame.fileLimit) else {
            var whole = end
            whole.fileCount = files.count
            finish(event, whole, files)
            return
        }
        ask(.fetch(run: event.run.text, from: files.count), .collection(event, end, files))
    }

    func finish(_ event: NumberedEvent, _ end: RunEnd, _ files: [SharedFileDescriptor]) {
        var end = end
        var result = RunResult(end, received: files)
        if result == nil {
            // Report the outcome even if its files are missing.
            end.fileCount = 0
            result = RunResult(end, received: [])
        }
        let feeds = table.withLock { table in
            defer {
                table.feeds[event.run] = nil
                table.watches[event.run] = nil
                table.cancelling.remove(event.run)
            }
            return [table.feeds[event.run]].compactMap(\.self) + table.watches[event.run, default: []]
        }
        guard let result else { return }
        for feed in feeds { feed.finish(.success(result)) }
    }

    private func end(because failure: IntentClientError) {
        close()
        let (open, feeds) = table.withLock { table in
            table.failure = failure
            defer {
                table.open = [:]
                table.feeds = [:]
                table.watches = [:]
            }
            return (table.open, Array(table.feeds.values) + table.watches.values.joined())
        }
        for request in open.values {
            switch request.expectation {
            case .reply(let continuation): continuation.resume(throwing: failure)
            case .ignored, .resumption, .collection: continue
            }
        }
        for feed in feeds { feed.finish(.failure(failure.affecting(run: feed.run))) }
    }
}
