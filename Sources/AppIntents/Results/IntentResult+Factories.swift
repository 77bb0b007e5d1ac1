extension IntentResult {
    /// The work is done, and there is nothing to say.
    public static func result() -> Self where Self == IntentResultContainer<Never, Never, Never, Never> {
        IntentResultContainer(value: nil, dialog: nil, opensIntent: nil)
    }

    /// The work is done, with a word to the person.
    public static func result(dialog: IntentDialog) -> Self
    where Self == IntentResultContainer<Never, Never, Never, IntentDialog> {
        IntentResultContainer(value: nil, dialog: dialog, opensIntent: nil)
    }

    /// The work is done, with a value.
    public static func result<Value>(value: Value) -> Self
    where Self == IntentResultContainer<Value, Never, Never, Never> {
        IntentResultContainer(value: value, dialog: nil, opensIntent: nil)
    }

    /// The work is done, with a value and a word to the person.
    public static func result<Value>(
        value: Value,
        dialog: IntentDialog
    ) -> Self where Self == IntentResultContainer<Value, Never, Never, IntentDialog> {
        IntentResultContainer(value: value, dialog: dialog, opensIntent: nil)
    }

    /// The work is done. The snippet is for Apple's systems.
    public static func result(snippetIntent: some SnippetIntent) -> Self
    where Self == IntentResultContainer<Never, Never, _SnippetIntentContainer, Never> {
        IntentResultContainer(value: nil, dialog: nil, opensIntent: nil)
    }

    /// The work is done, with a word to the person. The snippet is for Apple's systems.
    public static func result(
        dialog: IntentDialog,
        snippetIntent: some SnippetIntent
    ) -> Self where Self == IntentResultContainer<Never, Never, _SnippetIntentContainer, IntentDialog> {
        IntentResultContainer(value: nil, dialog: dialog, opensIntent: nil)
    }

    /// The work is done, with a value. The snippet is for Apple's systems.
    public static func result<Value>(
        value: Value,
        snippetIntent: some SnippetIntent
    ) -> Self where Self == IntentResultContainer<Value, Never, _SnippetIntentContainer, Never> {
        IntentResultContainer(value: value, dialog: nil, opensIntent: nil)
    }

    /// The work is done, with a value and a word to the person. The snippet is for Apple's systems.
    public static func result<Value>(
        value: Value,
        dialog: IntentDialog,
        snippetIntent: some SnippetIntent
    ) -> Self where Self == IntentResultContainer<Value, Never, _SnippetIntentContainer, IntentDialog> {
        IntentResultContainer(value: value, dialog: dialog, opensIntent: nil)
    }

    // Disfavoured, as Apple's are: those without the intent's type, further down, have the type of a result that opens
    // nothing, so that `perform()` can return one or the other.
    /// The work is done; another intent is to follow.
    @_disfavoredOverload
    public static func result<OpensAppIntent: AppIntent>(opensIntent: OpensAppIntent) -> Self
    where Self == IntentResultContainer<Never, OpensAppIntent, Never, Never> {
        IntentResultContainer(value: nil, dialog: nil, opensIntent: opensIntent)
    }

    /// The work is done, with a word to the person; another intent is to follow.
    @_disfavoredOverload
    public static func result<OpensAppIntent: AppIntent>(
        opensIntent: OpensAppIntent,
        dialog: IntentDialog
    ) -> Self where Self == IntentResultContainer<Never, OpensAppIntent, Never, IntentDialog> {
        IntentResultContainer(value: nil, dialog: dialog, opensIntent: opensIntent)
    }

    /// The work is done, with a value; another intent is to follow.
    @_disfavoredOverload
    public static func result<Value, OpensAppIntent: AppIntent>(
        value: Value,
        opensIntent: OpensAppIntent
    ) -> Self where Self == IntentResultContainer<Value, OpensAppIntent, Never, Never> {
        IntentResultContainer(value: value, dialog: nil, opensIntent: opensIntent)
    }

    /// The work is done, with a value and a word to the person; another intent is to follow.
    @_disfavoredOverload
    public static func result<Value, OpensAppIntent: AppIntent>(
        value: Value,
        opensIntent: OpensAppIntent,
        dialog: IntentDialog
    ) -> Self where Self == IntentResultContainer<Value, OpensAppIntent, Never, IntentDialog> {
        IntentResultContainer(value: value, dialog: dialog, opensIntent: opensIntent)
    }

    /// The work is done; another intent is to follow. The snippet is for Apple's systems.
    @_disfavoredOverload
    public static func result<OpensAppIntent: AppIntent>(
        opensIntent: OpensAppIntent,
        snippetIntent: some SnippetIntent
    ) -> Self where Self == IntentResultContainer<Never, OpensAppIntent, _SnippetIntentContainer, Never> {
        IntentResultContainer(value: nil, dialog: nil, opensIntent: opensIntent)
    }

    /// The work is done, with a word to the person; another intent is to follow. The snippet is for Apple's systems.
    @_disfavoredOverload
    public static func result<OpensAppIntent: AppIntent>(
        opensIntent: OpensAppIntent,
        dialog: IntentDialog,
        snippetIntent: some SnippetIntent
    ) -> Self where Self == IntentResultContainer<Never, OpensAppIntent, _SnippetIntentContainer, IntentDialog> {
        IntentResultContainer(value: nil, dialog: dialog, opensIntent: opensIntent)
    }

    /// The work is done, with a value; another intent is to follow. The snippet is for Apple's systems.
    @_disfavoredOverload
    public static func result<Value, OpensAppIntent: AppIntent>(
        value: Value,
        opensIntent: OpensAppIntent,
        snippetIntent: some SnippetIntent
    ) -> Self where Self == IntentResultContainer<Value, OpensAppIntent, _SnippetIntentContainer, Never> {
        IntentResultContainer(value: value, dialog: nil, opensIntent: opensIntent)
    }

    /// The work is done, with a value and a word to the person; another intent is to follow. The snippet is for Apple's systems.
    @_disfavoredOverload
    public static func result<Value, OpensAppIntent: AppIntent>(
        value: Value,
        opensIntent: OpensAppIntent,
        dialog: IntentDialog,
        snippetIntent: some SnippetIntent
    ) -> Self where Self == IntentResultContainer<Value, OpensAppIntent, _SnippetIntentContainer, IntentDialog> {
        IntentResultContainer(value: value, dialog: dialog, opensIntent: opensIntent)
    }

    /// The work is done; another intent is to follow.
    public static func result(opensIntent: some AppIntent) -> Self
    where Self == IntentResultContainer<Never, Never, Never, Never> {
        IntentResultContainer(value: nil, dialog: nil, opensIntent: opensIntent)
    }

    /// The work is done, with a word to the person; another intent is to follow.
    public static func result(
        opensIntent: some AppIntent,
        dialog: IntentDialog
    ) -> Self where Self == IntentResultContainer<Never, Never, Never, IntentDialog> {
        IntentResultContainer(value: nil, dialog: dialog, opensIntent: opensIntent)
    }

    /// The work is done, with a value; another intent is to follow.
    public static func result<Value>(
        value: Value,
        opensIntent: some AppIntent
    ) -> Self where Self == IntentResultContainer<Value, Never, Never, Never> {
        IntentResultContainer(value: value, dialog: nil, opensIntent: opensIntent)
    }

    /// The work is done, with a value and a word to the person; another intent is to follow.
    public static func result<Value>(
        value: Value,
        opensIntent: some AppIntent,
        dialog: IntentDialog
    ) -> Self where Self == IntentResultContainer<Value, Never, Never, IntentDialog> {
        IntentResultContainer(value: value, dialog: dialog, opensIntent: opensIntent)
    }

    /// The work is done; another intent is to follow. The snippet is for Apple's systems.
    public static func result(
        opensIntent: some AppIntent,
        snippetIntent: some SnippetIntent
    ) -> Self where Self == IntentResultContainer<Never, Never, _SnippetIntentContainer, Never> {
        IntentResultContainer(value: nil, dialog: nil, opensIntent: opensIntent)
    }

    /// The work is done, with a word to the person; another intent is to follow. The snippet is for Apple's systems.
    public static func result(
        opensIntent: some AppIntent,
        dialog: IntentDialog,
        snippetIntent: some SnippetIntent
    ) -> Self where Self == IntentResultContainer<Never, Never, _SnippetIntentContainer, IntentDialog> {
        IntentResultContainer(value: nil, dialog: dialog, opensIntent: opensIntent)
    }

    /// The work is done, with a value; another intent is to follow. The snippet is for Apple's systems.
    public static func result<Value>(
        value: Value,
        opensIntent: some AppIntent,
        snippetIntent: some SnippetIntent
    ) -> Self where Self == IntentResultContainer<Value, Never, _SnippetIntentContainer, Never> {
        IntentResultContainer(value: value, dialog: nil, opensIntent: opensIntent)
    }

    /// The work is done, with a value and a word to the person; another intent is to follow. The snippet is for Apple's systems.
    public static func result<Value>(
        value: Value,
        opensIntent: some AppIntent,
        dialog: IntentDialog,
        snippetIntent: some SnippetIntent
    ) -> Self where Self == IntentResultContainer<Value, Never, _SnippetIntentContainer, IntentDialog> {
        IntentResultContainer(value: value, dialog: dialog, opensIntent: opensIntent)
    }

    /// The work is done; a button of Apple's systems would run the other intent.
    public static func result(actionButtonIntent: some AppIntent) -> Self
    where Self == IntentResultContainer<Never, Never, Never, Never> {
        IntentResultContainer(value: nil, dialog: nil, opensIntent: nil)
    }

    /// The work is done, with a word to the person; a button of Apple's systems would run the other intent.
    public static func result(
        actionButtonIntent: some AppIntent,
        dialog: IntentDialog
    ) -> Self where Self == IntentResultContainer<Never, Never, Never, IntentDialog> {
        IntentResultContainer(value: nil, dialog: dialog, opensIntent: nil)
    }

    /// The work is done, with a value; a button of Apple's systems would run the other intent.
    public static func result<Value>(
        value: Value,
        actionButtonIntent: some AppIntent
    ) -> Self where Self == IntentResultContainer<Value, Never, Never, Never> {
        IntentResultContainer(value: value, dialog: nil, opensIntent: nil)
    }

    /// The work is done, with a value and a word to the person; a button of Apple's systems would run the other intent.
    public static func result<Value>(
        value: Value,
        actionButtonIntent: some AppIntent,
        dialog: IntentDialog
    ) -> Self where Self == IntentResultContainer<Value, Never, Never, IntentDialog> {
        IntentResultContainer(value: value, dialog: dialog, opensIntent: nil)
    }
}
