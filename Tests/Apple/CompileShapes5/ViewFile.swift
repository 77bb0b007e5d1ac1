import AppIntents
import SwiftUI

struct ShowStock: AppIntent {
    static var title: LocalizedStringResource = "Show the stock"
    @Parameter(title: "Shelf") var shelf: String

    func perform() async throws -> some ReturnsValue<Int> & ProvidesDialog & ShowsSnippetView {
        let stock = Stock(shelf: shelf, count: 3)
        try await requestConfirmation(actionName: .view, dialog: "Show it?") {
            StockView(stock: stock)
        }
        return .result(value: stock.count, dialog: "There are \(stock.count).") {
            StockView(stock: stock)
        }
    }
}

struct ShowStockSnippet: SnippetIntent {
    static var title: LocalizedStringResource = "The stock"
    static var isDiscoverable = false
    @Parameter(title: "Shelf") var shelf: String
    @Parameter(title: "Count") var count: Int

    init() {}

    init(shelf: String, count: Int) {
        self.shelf = shelf
        self.count = count
    }

    @MainActor
    func perform() async throws -> some IntentResult & ShowsSnippetView {
        .result(view: StockView(stock: Stock(shelf: shelf, count: count)))
    }
}

struct TakeFromStock: AppIntent {
    static var title: LocalizedStringResource = "Take one"
    @Parameter(title: "Shelf") var shelf: String
    @Parameter(title: "Count") var count: Int

    init() {}

    init(_ stock: Stock) {
        shelf = stock.shelf
        count = stock.count
    }

    func perform() async throws -> some IntentResult & ShowsSnippetIntent {
        ShowStockSnippet.reload()
        return .result(snippetIntent: ShowStockSnippet(shelf: shelf, count: count - 1))
    }
}

struct ChooseShelf: AppIntent {
    static var title: LocalizedStringResource = "Choose a shelf"

    func perform() async throws -> some IntentResult & ShowsSnippetView & OpensIntent {
        let upper = IntentChoiceOption(title: "Upper")
        let choice = try await requestChoice(
            between: [upper, .init(title: "Lower", style: .destructive), .cancel],
            dialog: "Which one?",
            view: Image(systemName: "books.vertical")
        )
        return .result(opensIntent: TakeFromStock(Stock(shelf: choice == upper ? "upper" : "lower", count: 1))) {
            Text("Chosen: \(choice.title)")
        }
    }
}

struct Stock {
    var shelf: String
    var count: Int
}

struct StockView: View {
    var stock: Stock

    var body: some View {
        VStack(alignment: .leading) {
            Text(stock.shelf)
                .font(.headline)
                .foregroundColor(.primary)
            Text("\(stock.count) left")
            Button(intent: TakeFromStock(stock)) {
                Label("Take one", systemImage: "minus.circle")
            }
        }
        .padding()
    }
}

struct StockView_Previews: PreviewProvider {
    static var previews: some View { StockView(stock: Stock(shelf: "upper", count: 2)) }
}

#Preview("Stock", traits: .sizeThatFitsLayout) {
    StockView(stock: Stock(shelf: "lower", count: 1))
}
