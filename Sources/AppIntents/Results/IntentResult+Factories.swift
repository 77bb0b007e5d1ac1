extension IntentResult {
    /// The work is done, and there is nothing to say.
    public static func result() -> Self where Self == IntentResultContainer<Never, Never, Never, Never> {
        IntentResultContainer(value: nil, dialog: nil)
    }

    /// The work is done, with a value.
    public static func result<Value>(
        value: Value
    ) -> Self where Self == IntentResultContainer<Value, Never, Never, Never> {
        IntentResultContainer(value: value, dialog: nil)
    }

    /// The work is done, with a word to the person.
    public static func result(
        dialog: IntentDialog
    ) -> Self where Self == IntentResultContainer<Never, Never, Never, IntentDialog> {
        IntentResultContainer(value: nil, dialog: dialog)
    }

    /// The work is done, with a value and a word to the person.
    public static func result<Value>(
        value: Value,
        dialog: IntentDialog
    ) -> Self where Self == IntentResultContainer<Value, Never, Never, IntentDialog> {
        IntentResultContainer(value: value, dialog: dialog)
    }
}
