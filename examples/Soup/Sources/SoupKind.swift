import AppIntents

enum SoupKind: String, AppEnum {
    case tomato, lentil, pumpkin

    static let typeDisplayRepresentation = TypeDisplayRepresentation(name: "Soup")
    static let caseDisplayRepresentations: [SoupKind: DisplayRepresentation] = [
        .tomato: "Tomato soup",
        .lentil: DisplayRepresentation(title: "Red lentil soup", subtitle: "With cumin"),
        .pumpkin: "Pumpkin soup",
    ]

    var price: Decimal {
        switch self {
        case .tomato: Decimal(string: "4.50") ?? 5
        case .lentil, .pumpkin: 5
        }
    }
}
