public import Foundation
import IntentWire

// Each family once more with resolvers, which make a value of another one that does not fit.

extension IntentParameter where Value.ValueType == Int {
    /// A number within bounds, with resolvers.
    public convenience init<Specification: ResolverSpecification>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        controlStyle: IntControlStyle = .stepper,
        inclusiveRange: InclusiveRange<Int>?,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        @ResolverSpecificationBuilder<Value.UnwrappedType> resolvers: @escaping @Sendable () -> Specification
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                range: inclusiveRange.map {
                    NumberRange(lowerBound: Double($0.lowerBound), upperBound: Double($0.upperBound))
                },
                resolvers: ResolverSource(resolvers)
            ),
            default: defaultValue
        )
    }
}

extension IntentParameter where Value.ValueType == Int {
    /// A number with a control, which has no meaning on Linux, and resolvers.
    public convenience init<Specification: ResolverSpecification>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        controlStyle: IntControlStyle,
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

extension IntentParameter where Value.ValueType == Double {
    /// A number within bounds, with resolvers.
    public convenience init<Specification: ResolverSpecification>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        controlStyle: DoubleControlStyle = .stepper,
        inclusiveRange: InclusiveRange<Double>?,
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        @ResolverSpecificationBuilder<Value.UnwrappedType> resolvers: @escaping @Sendable () -> Specification
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                range: inclusiveRange.map { NumberRange(lowerBound: $0.lowerBound, upperBound: $0.upperBound) },
                resolvers: ResolverSource(resolvers)
            ),
            default: defaultValue
        )
    }
}

extension IntentParameter where Value.ValueType == Double {
    /// A number with a control, which has no meaning on Linux, and resolvers.
    public convenience init<Specification: ResolverSpecification>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        controlStyle: DoubleControlStyle,
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
    /// Yes or no, with words for both, which have no meaning on Linux, and resolvers.
    public convenience init<Specification: ResolverSpecification>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        displayName: Bool.IntentDisplayName,
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

extension IntentParameter where Value.ValueType == Date {
    /// A time of which only a part may be asked for, with resolvers.
    public convenience init<Specification: ResolverSpecification>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        kind: DateKind,
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

extension IntentParameter where Value.ValueType == DateComponents {
    /// A time of which only a part may be asked for, with resolvers.
    public convenience init<Specification: ResolverSpecification>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        kind: DateKind,
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

extension IntentParameter where Value.ValueType == IntentFile {
    /// A file of one of these types, with resolvers.
    public convenience init<Specification: ResolverSpecification>(
        title: LocalizedStringResource? = nil,
        description: LocalizedStringResource? = nil,
        default defaultValue: Value.UnwrappedType? = nil,
        supportedContentTypes: [UTType],
        requestValueDialog: IntentDialog? = nil,
        inputConnectionBehavior: InputConnectionBehavior = .default,
        @ResolverSpecificationBuilder<Value.UnwrappedType> resolvers: @escaping @Sendable () -> Specification
    ) {
        self.init(
            ParameterTraits(
                title: title,
                summary: description,
                question: requestValueDialog,
                contentTypes: supportedContentTypes,
                resolvers: ResolverSource(resolvers)
            ),
            default: defaultValue
        )
    }
}
