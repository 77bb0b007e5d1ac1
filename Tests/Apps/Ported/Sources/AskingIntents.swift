import AppIntents

struct AskAway: AppIntent {
    static let title: LocalizedStringResource = "Ask"
    @Parameter(title: "Way") var way: String
    @Parameter(title: "Count", requestValueDialog: "How many?") var count: Int?
    @Parameter(title: "Genre", requestDisambiguationDialog: "Which genre?") var genre: Genre?

    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        switch way {
        case "value": return .result(value: try await $count.requestValue() + 1)
        case "needsValue": throw $count.needsValueError("How many, at most \(3)?")
        case "choice": _ = try await $genre.requestDisambiguation(among: [.novel, .poem])
        case "needsChoice": throw $genre.needsDisambiguationError(among: [.poem], dialog: "This one?")
        case "confirmValue": _ = try await $genre.requestConfirmation(for: .poem, dialog: "A poem?")
        case "confirm": try await requestConfirmation(actionName: .order, dialog: "Order it?")
        case "confirmPlain": try await requestConfirmation()
        case "confirmResult": try await requestConfirmation(result: .result(value: 3, dialog: "Three?"))
        case "option":
            _ = try await requestChoice(
                between: [.init(title: "Left"), .init(title: "Right"), .cancel],
                dialog: "Where?"
            )
        case "foreground": try await continueInForeground("Come here")
        case "foregroundError": throw needsToContinueInForegroundError()
        case "permission": throw AppIntentError.PermissionRequired.contacts
        case "predefined":
            throw AppIntentError(predefinedError: AppIntentError.UserActionRequired.signin, description: "Who are you?")
        case "convertible": throw Trouble.known
        case "localized": throw Trouble.words(3)
        case "plain": throw Plain.quiet
        case "foundation": throw CocoaError(.fileNoSuchFile)
        case "donate":
            let next = LendBook()
            next.days = 3
            try await next.donate()
            try await IntentDonationManager.shared.donate(intent: OldAdd(), result: .result(value: 1))
            try await OldAdd()()
            try await OldAdd()(donate: false)
        case "takeBack":
            let next = LendBook()
            next.days = 3
            let first = try await next.donate()
            try await OldAdd().donate()
            try await next.donate()
            try await IntentDonationManager.shared.deleteDonations(matching: .intentType(OldAdd.self))
            try await IntentDonationManager.shared.deleteDonations(matching: .donationIdentifiers([first]))
            try await OldAdd().donate()
        case "takeBackAbout":
            let next = LendBook()
            for id in 1...3 {
                next.book = BookEntity(Record(id: id, title: "\(id)", author: "A", pages: 1))
                try await next.donate()
            }
            let books = [1, 2].map { EntityIdentifier(for: BookEntity.self, identifier: $0) }
            try await IntentDonationManager.shared.deleteDonations(matching: .entityIdentifier(books[0]))
            try await IntentDonationManager.shared.deleteDonations(matching: .entityIdentifiers(books))
            try await IntentDonationManager.shared.deleteDonations(
                matching: .intentType(LendBook.self, entityIdentifier: books[0])
            )
        default: break
        }
        return .result(value: 0)
    }

    enum Plain: Error { case quiet }

    enum Trouble: Error, CustomAppIntentErrorConvertible, LocalizedError {
        case known
        case words(Int)

        var appIntentError: AppIntentError {
            switch self {
            case .known: AppIntentError.Unrecoverable.entityNotFound
            case .words(let count): AppIntentError(description: "\(count) words")
            }
        }
    }
}
