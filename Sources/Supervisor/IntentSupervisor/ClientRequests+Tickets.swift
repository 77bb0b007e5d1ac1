import IntentLauncherMessages
import IntentLifecycle

/// Tickets for questions, for clients that serve other programs.
extension ClientRequests {
    func issueTicket(_ request: TicketRequest, _ session: ClientSession, _ id: UInt64) {
        switch openQuestion(request.question, of: request.run, session, id) {
        case .success(let asking):
            let ticket = tickets.issue(
                for: request.question,
                of: asking.run,
                to: session.peerUser.uid,
                digest: request.digest
            )
            session.send(.answer(id: id, .ticket(text: ticket)))
        case .failure(let error): session.refuse(id, error)
        }
    }

    func redeemTicket(_ request: RedeemRequest, _ session: ClientSession, _ id: UInt64) {
        do throws(ErrorReport) {
            // The tickets of an agent are not those of the person that it acts for.
            let asking = try tickets.redeem(
                request.ticket,
                by: session.peerUser.uid,
                of: session.agent == nil ? session.account : decisions.table.account(of: session.peerUser),
                digest: request.digest,
                isPreview: request.isPreview == true,
                openQuestion: { decisions.table.openQuestion(of: $0) },
                find: { run, question throws(ErrorReport) in
                    try openQuestion(question, of: run.text, session, id).get()
                }
            )
            session.send(.answer(id: id, .asking(asking)))
        } catch {
            session.refuse(id, error)
        }
    }

    /// Returns the run's open question if it has this number and the user may see it.
    private func openQuestion(
        _ number: UInt64,
        of run: String,
        _ session: ClientSession,
        _ id: UInt64
    ) -> Result<AskingRun, ErrorReport> {
        switch decisions.table.describeQuestion(of: run, to: session.origin(id), at: .current) {
        case .asking(let asking) where asking.question.question.number == number: .success(asking)
        case .refused(let error): .failure(error)
        default: .failure(ErrorReport(.noQuestion, "question \(number) of run \(run) is not open"))
        }
    }
}
