import IntentAPI
import IntentConfiguration
import IntentProtocol

/// Answers the requests of answer links: GET shows the question and changes nothing, because programs that scan mail follow
/// links, and POST answers it. intentd checks the ticket of the link, and permits the service its account.
///
/// Use an instance only on the loop's thread.
struct AnswerLinks {
    /// The accounts and questions that may have links.
    let settings: WebSettings
    /// Sends intentd a request for a caller.
    let send: (APICaller, ClientRequest, @escaping IntentdLink.Reply) -> Void
    private static let gone = "This question is not open, or the link is not valid."

    func receive(_ exchange: APIExchange) {
        let (user, ticket) = (exchange.request.path["user"] ?? "", exchange.request.path["ticket"] ?? "")
        guard settings.hasLinks(user), ticket.utf8.count <= 100 else {
            return refuse(exchange, "no link of an account")
        }
        let caller = APICaller(
            name: "link \(user)",
            software: "\(APICaller.program), answer link",
            user: user,
            allowed: []
        )
        let redeem = RedeemRequest(ticket: ticket, digest: AnswerLink.digest, isPreview: true)
        send(caller, .redeem(redeem)) { [weak exchange] result in
            guard let exchange else { return }
            switch result {
            // A ticket for another purpose has another digest, but no other question must ever be answered here.
            case .success((.asking(let asking), _))
            where settings.linkedQuestions.contains(asking.question.question.number):
                if exchange.request.route.method == "POST" { return answer(asking, for: caller, exchange) }
                show(AnswerPage.question(asking), 200, exchange)
            case .success: refuse(exchange, "a question without links")
            case .failure(let error): refuse(exchange, "\(error.code.rawValue): \(error.message)")
            }
        }
    }

    private func answer(_ asking: AskingRun, for caller: APICaller, _ exchange: APIExchange) {
        let question = asking.question.question
        var request: AnswerRequest
        do throws(ErrorReport) {
            let value = try AnswerPage.answer(to: question, in: exchange.body)
            request = AnswerRequest(run: asking.run.text, question: question.number, value: value)
        } catch {
            return show(AnswerPage.question(asking, problem: error.message), 422, exchange)
        }
        request.entryPoint = .http
        send(caller, .answer(request)) { [weak exchange] result in
            guard let exchange else { return }
            switch result {
            case .success((.answerAccepted, _)):
                show(AnswerPage.message("Thank you. The answer was accepted."), 200, exchange)
            case .failure(let error) where error.code == .badAnswer:
                show(AnswerPage.question(asking, problem: error.message), 422, exchange)
            case .failure(let error): refuse(exchange, "\(error.code.rawValue): \(error.message)")
            case .success: refuse(exchange, "intentd sent another answer than expected")
            }
        }
    }

    /// Every link that does not work has one answer.
    private func refuse(_ exchange: APIExchange, _ reason: String) {
        WebConsole.note("refused a request: an answer link: \(reason)")
        show(AnswerPage.message(Self.gone), 404, exchange)
    }

    private func show(_ page: String, _ status: UInt32, _ exchange: APIExchange) {
        let headers = [
            ("Content-Type", AnswerPage.contentType), ("Content-Security-Policy", AnswerPage.contentSecurity),
        ]
        exchange.respond(HTTPAnswer(status: status, headers: headers, body: .bytes(Array(page.utf8))))
    }
}
