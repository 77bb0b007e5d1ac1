import IntentLauncherMessages
import IntentLifecycle

extension ClientSessions {
    static let unfinished = ErrorReport(
        .busy,
        "your connections have too many bytes of unfinished requests",
        hint: "send one large request at a time, then connect again"
    )

    static let unread = ErrorReport(
        .busy,
        "your connections have \(AnswerBudget.userByteCeiling >> 20) MiB of unread answers",
        hint: "read the answers, then repeat the request"
    )
}
