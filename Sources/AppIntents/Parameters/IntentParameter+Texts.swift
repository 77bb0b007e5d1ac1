public import Foundation

extension IntentParameter where Value.ValueType == String {
    /// Text with options for a keyboard, which have no meaning on Linux.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        inputOptions: String.IntentInputOptions,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(title: title, summary: description, default: defaultValue, question: requestValueDialog)
    }
}

extension IntentParameter where Value.ValueType == Bool {
    /// True or false with words for both, which have no meaning on Linux.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        displayName: Bool.IntentDisplayName,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(title: title, summary: description, default: defaultValue, question: requestValueDialog)
    }
}

extension IntentParameter where Value.ValueType == Date {
    /// An instant of which only a part may be asked for; on Linux the whole travels.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        kind: DateKind,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(title: title, summary: description, default: defaultValue, question: requestValueDialog)
    }
}
