import AppIntents

enum PaymentError: Error, CustomLocalizedStringResourceConvertible {
    case notPositive(Decimal)
    case ledgerClosed

    var localizedStringResource: LocalizedStringResource {
        switch self {
        case .notPositive(let amount): "The amount must be greater than 0, but is \("\(amount)")."
        case .ledgerClosed: "The payment is already closed."
        }
    }
}
