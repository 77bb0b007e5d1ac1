import AppIntents

enum PaymentError: Error, CustomLocalizedStringResourceConvertible {
    case notPositive(Decimal)
    case ledgerClosed

    var localizedStringResource: LocalizedStringResource {
        switch self {
        case .notPositive(let amount): "An amount has to be more than 0, and \("\(amount)") is not."
        case .ledgerClosed: "The payment is already over."
        }
    }
}
