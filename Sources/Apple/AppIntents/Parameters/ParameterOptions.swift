import Foundation
import IntentSharedTypes

extension IntentParameter {
    /// The bounds of a number, both inclusive: `(1, 10)`.
    public typealias InclusiveRange<Bound> = (lowerBound: Bound, upperBound: Bound)

    /// Whether a question requests a date, a time, or both.
    public enum DateKind: Sendable {
        /// A date.
        case date
        /// A time.
        case time
        /// A date and a time.
        case dateTime

        var wireKind: ParameterDeclaration.DateKind? {
            switch self {
            case .date: .date
            case .time: .time
            case .dateTime: nil
            }
        }
    }
}

extension Bool {
    /// The display names for the values true and false.
    ///
    /// Source: Apple's Bool.IntentDisplayName page.
    public struct IntentDisplayName: Sendable {
        /// The display name for true.
        public let `true`: LocalizedStringResource
        /// The display name for false.
        public let `false`: LocalizedStringResource

        /// Creates display names for true and false.
        public init(true: LocalizedStringResource, false: LocalizedStringResource) {
            self.true = `true`
            self.false = `false`
        }

        var names: ParameterDeclaration.BoolNames {
            ParameterDeclaration.BoolNames(true: `true`.text, false: `false`.text)
        }
    }
}

extension String {
    /// Options for the text field in which a person enters a string. Ignored on Linux.
    ///
    /// Source: Apple's String.IntentInputOptions page.
    public struct IntentInputOptions: Sendable {
        /// Creates input options.
        public init(
            keyboardType: KeyboardType = .asciiCapable,
            capitalizationType: CapitalizationType = .sentences,
            multiline: Bool = false,
            autocorrect: Bool = true,
            smartQuotes: Bool = true,
            smartDashes: Bool = true
        ) {}
    }
}
