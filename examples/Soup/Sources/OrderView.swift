import AppIntents
import SwiftUI

/// What a client shows after an order: its lines, and buttons for the next step.
struct OrderView: View {
    let soup: SoupKind
    let quantity: Int
    let price: Decimal

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            Label("Your order", systemImage: "takeoutbag.and.cup.and.straw")
                .font(.headline)
            Divider()
            LabeledContent("\(quantity) × \(soup.localizedStringResource)", value: "\(price)")
            HStack {
                Button("One more bowl", intent: OrderSoupIntent(soup: soup, quantity: 1))
                    .buttonStyle(.borderedProminent)
                Button("Menu", intent: ListSoupsIntent())
            }
        }
        .padding()
    }
}
