import AppIntents

enum PaymentError: Error, CustomLocalizedStringResourceConvertible {
    case notPositive(Decimal)
    case ledgerClosed

    var localizedStringResource: LocalizedStringResource {
        switch self {
        case .notPositive(let amount): "The amount must be more than 0, and is \("\(amount)")."
        case .ledgerClosed: "The payment is already over."
        }
    }
}
