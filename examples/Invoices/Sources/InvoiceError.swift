import AppIntents

enum InvoiceError: Error, Hashable, CustomLocalizedStringResourceConvertible {
    case malformedRow(String)
    case existing(String)

    var localizedStringResource: LocalizedStringResource {
        switch self {
        case .malformedRow(let row): "Expected 'number,customer,amount', got '\(row)'."
        case .existing(let number): "Invoice \(number) already exists."
        }
    }
}
