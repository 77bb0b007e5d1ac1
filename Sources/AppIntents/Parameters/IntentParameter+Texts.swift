public import Foundation

extension IntentParameter where Value.ValueType == String {
    /// Text with options for a keyboard, which have no meaning on Linux.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        inputOptions: String.IntentInputOptions?,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog
            ),
            default: defaultValue
        )
    }

    /// The same with values from a provider.
    public convenience init<OptionsProvider: DynamicOptionsProvider>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        inputOptions: String.IntentInputOptions?,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        optionsProvider: OptionsProvider
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                options: OptionsSource(optionsProvider)
            ),
            default: defaultValue
        )
    }

    /// The same with resolvers.
    public convenience init<Specification: ResolverSpecification>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        inputOptions: String.IntentInputOptions?,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        @ResolverSpecificationBuilder<Value.UnwrappedType> resolvers: @escaping @Sendable () -> Specification
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                resolvers: ResolverSource(resolvers)
            ),
            default: defaultValue
        )
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
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog
            ),
            default: defaultValue
        )
    }

    /// The same with values from a provider.
    public convenience init<OptionsProvider: DynamicOptionsProvider>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        displayName: Bool.IntentDisplayName,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        optionsProvider: OptionsProvider
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                options: OptionsSource(optionsProvider)
            ),
            default: defaultValue
        )
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
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog
            ),
            default: defaultValue
        )
    }

    /// The same with values from a provider.
    public convenience init<OptionsProvider: DynamicOptionsProvider>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        kind: DateKind,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        optionsProvider: OptionsProvider
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                options: OptionsSource(optionsProvider)
            ),
            default: defaultValue
        )
    }
}

extension IntentParameter where Value.ValueType == DateComponents {
    /// A day, a time or both of which only a part may be asked for; on Linux the whole travels.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        kind: DateKind,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog
            ),
            default: defaultValue
        )
    }

    /// The same with values from a provider.
    public convenience init<OptionsProvider: DynamicOptionsProvider>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        kind: DateKind,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        optionsProvider: OptionsProvider
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                options: OptionsSource(optionsProvider)
            ),
            default: defaultValue
        )
    }
}
