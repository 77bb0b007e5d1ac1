import AppIntents

struct ListSoupsIntent: AppIntent {
    static let title: LocalizedStringResource = "List soups"
    static let description = IntentDescription("Lists the soups that are still available.")
    static let effect: IntentEffect = .reads

    @Dependency private var kitchen: Kitchen

    func perform() async throws -> some IntentResult & ReturnsValue<[String]> {
        .result(value: await kitchen.menu.map(\.rawValue))
    }
}
