import AppIntents

/// The kitchen, which the app's intents share.
actor Kitchen {
    private var bowls: [SoupKind: Int] = [.tomato: 50, .lentil: 20, .pumpkin: 0]

    /// The soups that are still available.
    var menu: [SoupKind] { SoupKind.allCases.filter { bowls[$0, default: 0] > 0 } }

    func serve(_ soup: SoupKind, count: Int) throws {
        let left = bowls[soup, default: 0]
        guard left >= count else { throw KitchenError.soldOut(soup, left: left) }
        bowls[soup] = left - count
    }
}

enum KitchenError: Error, CustomLocalizedStringResourceConvertible {
    case soldOut(SoupKind, left: Int)

    var localizedStringResource: LocalizedStringResource {
        switch self {
        case .soldOut(let soup, let left): "Only \(left) bowls of \(soup.localizedStringResource) are left."
        }
    }
}
