import AppIntents
import SwiftUI

struct OrderSoupIntent: AppIntent {
    static let title: LocalizedStringResource = "Order soup"
    static let description = IntentDescription("Orders bowls of one soup.", resultValueName: "Price")

    @Parameter(title: "Soup", requestValueDialog: "Which soup?") var soup: SoupKind
    @Parameter(title: "Quantity", description: "The number of bowls.", inclusiveRange: (1, 10)) var quantity: Int?

    @Dependency private var kitchen: Kitchen

    init() {}

    init(soup: SoupKind, quantity: Int) {
        self.soup = soup
        self.quantity = quantity
    }

    static var parameterSummary: some ParameterSummary {
        Summary("Order \(\.$soup)") { \.$quantity }
    }

    func perform() async throws -> some IntentResult & ReturnsValue<Decimal> & ProvidesDialog & ShowsSnippetView {
        guard let quantity else { throw $quantity.needsValueError("How many bowls?") }
        try await kitchen.serve(soup, count: quantity)
        let price = soup.price * Decimal(quantity)
        return .result(
            value: price,
            dialog: "\(quantity) × \(soup.localizedStringResource), \(price) in total.",
            view: OrderView(soup: soup, quantity: quantity, price: price)
        )
    }
}
