import AppIntents

struct ListSoupsIntent: AppIntent {
    static let title: LocalizedStringResource = "List soups"
    static let description = IntentDescription("Names the soups that are left.")

    @Dependency private var kitchen: Kitchen

    func perform() async throws -> some IntentResult & ReturnsValue<[String]> {
        .result(value: await kitchen.menu.map(\.rawValue))
    }
}
