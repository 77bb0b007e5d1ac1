import IntentLauncherMessages
import Testing

/// Tests that every message is in the tables of golden bytes.
@Suite struct MessageTableTests {
    @Test func `every request, answer, event and outcome is in these tables`() {
        let all = ClientRequestTests.requests + HistoryMessageTests.requests
        let requests = Set(all.map { Self.kind(of: $0.message.request) })
        let requestKinds: Set = [
            "hello", "list", "describe", "perform", "cancel", "watch", "runs", "status", "history", "story", "logs",
            "prune", "metrics", "question", "answer", "reload", "upgrade", "files", "fetch", "discardFiles",
            "ticket", "redeem", "import", "startFailed", "revoke", "addShortcut", "shortcuts", "removeShortcut",
        ]
        #expect(requests == requestKinds)
        let messages = ClientAnswerTests.answers + HistoryMessageTests.answers + RunEventTests.events
        let messageKinds: Set = [
            "hello", "apps", "app", "accepted", "ended", "watching", "runs", "status", "refused", "history", "story",
            "logs", "pruned", "metrics", "reloaded", "upgrading", "state", "progress", "output", "finished", "asking",
            "answerAccepted", "question", "answered", "filesReceived", "files", "filesDiscarded",
            "ticket", "imported", "startFailureNoted", "revoked", "shortcutAdded", "shortcuts", "shortcutRemoved",
        ]
        #expect(Set(messages.map { Self.kind(of: $0.message) }) == messageKinds)
        #expect(
            Set(Sample.outcomes.map { Sample.kind(of: $0.outcome) })
                == [
                    "done", "failed", "unanswered", "cancelled", "crashed", "exceeded", "violated", "notStarted",
                    "busy",
                    "lost", "hostLost", "unknown",
                ]
        )
    }

    // The switches list every case, so a new case breaks the build until it is in the tables.

    private static func kind(of request: ClientRequest) -> String {
        switch request {
        case .hello: "hello"
        case .list: "list"
        case .describe: "describe"
        case .perform: "perform"
        case .cancel: "cancel"
        case .watch: "watch"
        case .question: "question"
        case .answer: "answer"
        case .files: "files"
        case .fetch: "fetch"
        case .discardFiles: "discardFiles"
        case .ticket: "ticket"
        case .redeem: "redeem"
        case .runs: "runs"
        case .status: "status"
        case .history: "history"
        case .story: "story"
        case .logs: "logs"
        case .prune: "prune"
        case .importRuns: "import"
        case .metrics: "metrics"
        case .startFailed: "startFailed"
        case .revoke: "revoke"
        case .addShortcut: "addShortcut"
        case .shortcuts: "shortcuts"
        case .removeShortcut: "removeShortcut"
        case .reload: "reload"
        case .upgrade: "upgrade"
        }
    }

    private static func kind(of message: ClientMessage) -> String {
        switch message {
        case .answer(_, .hello): "hello"
        case .answer(_, .apps): "apps"
        case .answer(_, .app): "app"
        case .answer(_, .accepted): "accepted"
        case .answer(_, .ended): "ended"
        case .answer(_, .watching): "watching"
        case .answer(_, .asking): "asking"
        case .answer(_, .answerAccepted): "answerAccepted"
        case .answer(_, .filesReceived): "filesReceived"
        case .answer(_, .ticket): "ticket"
        case .answer(_, .files): "files"
        case .answer(_, .filesDiscarded): "filesDiscarded"
        case .answer(_, .runs): "runs"
        case .answer(_, .status): "status"
        case .answer(_, .history): "history"
        case .answer(_, .story): "story"
        case .answer(_, .logs): "logs"
        case .answer(_, .pruned): "pruned"
        case .answer(_, .imported): "imported"
        case .answer(_, .metrics): "metrics"
        case .answer(_, .revoked): "revoked"
        case .answer(_, .shortcutAdded): "shortcutAdded"
        case .answer(_, .shortcuts): "shortcuts"
        case .answer(_, .shortcutRemoved): "shortcutRemoved"
        case .answer(_, .reloaded): "reloaded"
        case .answer(_, .upgrading): "upgrading"
        case .answer(_, .startFailureNoted): "startFailureNoted"
        case .answer(_, .refused): "refused"
        case .event(let event):
            switch event.event {
            case .state: "state"
            case .progress: "progress"
            case .question: "question"
            case .answered: "answered"
            case .output: "output"
            case .finished: "finished"
            }
        }
    }
}
