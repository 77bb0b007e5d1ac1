extension IntentParameter {
    /// A parameter with a title, and a default that makes it optional to the caller.
    ///
    /// - Parameters:
    ///   - requestValueDialog: What a person is asked when the value is missing.
    ///   - inputConnectionBehavior: Without meaning on Linux.
    public convenience init(
        title: LocalizedStringResource,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
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

    /// The same with a title made from the property's name.
    public convenience init(
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(
            ParameterTraits(
                summary: description,
                question: requestValueDialog
            ),
            default: defaultValue
        )
    }

    /// The same with what a person is asked when several values may be meant.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog?,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                disambiguation: requestDisambiguationDialog
            ),
            default: defaultValue
        )
    }

    /// A parameter whose values come from a provider.
    public convenience init<OptionsProvider: DynamicOptionsProvider>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        optionsProvider: OptionsProvider
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                disambiguation: requestDisambiguationDialog,
                options: OptionsSource(optionsProvider)
            ),
            default: defaultValue
        )
    }

    /// A parameter that makes its value of others, too.
    public convenience init<Specification: ResolverSpecification>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        @ResolverSpecificationBuilder<Value.UnwrappedType> resolvers: @escaping @Sendable () -> Specification
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                disambiguation: requestDisambiguationDialog,
                resolvers: ResolverSource(resolvers)
            ),
            default: defaultValue
        )
    }

    /// The same with values from a provider.
    public convenience init<OptionsProvider: DynamicOptionsProvider, Specification: ResolverSpecification>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        optionsProvider: OptionsProvider,
        @ResolverSpecificationBuilder<Value.UnwrappedType> resolvers: @escaping @Sendable () -> Specification
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                disambiguation: requestDisambiguationDialog,
                options: OptionsSource(optionsProvider),
                resolvers: ResolverSource(resolvers)
            ),
            default: defaultValue
        )
    }
}

extension IntentParameter {
    /// A list with how many elements it may have; a caller's list of another size is refused.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        size: IntentCollectionSize,
        requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                disambiguation: requestDisambiguationDialog,
                size: size
            ),
            default: defaultValue
        )
    }

    /// The same with values from a provider.
    public convenience init<OptionsProvider: DynamicOptionsProvider>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        size: IntentCollectionSize,
        requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        optionsProvider: OptionsProvider
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                disambiguation: requestDisambiguationDialog,
                size: size,
                options: OptionsSource(optionsProvider)
            ),
            default: defaultValue
        )
    }

    /// A list with how many elements each size of a widget shows, which has no meaning on Linux.
    public convenience init(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        size: [IntentWidgetFamily: IntentCollectionSize],
        requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                disambiguation: requestDisambiguationDialog
            ),
            default: defaultValue
        )
    }

    /// The same with values from a provider.
    public convenience init<OptionsProvider: DynamicOptionsProvider>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        size: [IntentWidgetFamily: IntentCollectionSize],
        requestValueDialog: IntentDialog? = nil,
        requestDisambiguationDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        optionsProvider: OptionsProvider
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                disambiguation: requestDisambiguationDialog,
                options: OptionsSource(optionsProvider)
            ),
            default: defaultValue
        )
    }
}
