import Foundation

/// Whether a parameter takes the result of the step before it. Without meaning on Linux.
///
/// Source: Apple's InputConnectionBehavior page.
public enum InputConnectionBehavior: Sendable {
    case `default`
    case never
    case connectToPreviousIntentResult
}

extension IntentParameter {
    /// Bounds of a number, both included: `(1, 10)`.
    public typealias InclusiveRange<Bound> = (lowerBound: Bound, upperBound: Bound)

    /// The part of an instant that is asked for. Without meaning on Linux, where the whole travels.
    public enum DateKind: Sendable {
        case date
        case time
        case dateTime
    }

    /// The control for a whole number. Without meaning on Linux.
    public enum IntControlStyle: Sendable {
        case field
        case stepper
        case slider
    }

    /// The control for a number. Without meaning on Linux.
    public enum DoubleControlStyle: Sendable {
        case field
        case stepper
        case slider
    }
}

extension Bool {
    /// The words for true and false. Without meaning on Linux.
    ///
    /// Source: Apple's Bool.IntentDisplayName page.
    public struct IntentDisplayName: Sendable {
        /// What true is called.
        public let `true`: LocalizedStringResource
        /// What false is called.
        public let `false`: LocalizedStringResource

        public init(true: LocalizedStringResource, false: LocalizedStringResource) {
            self.true = `true`
            self.false = `false`
        }
    }
}

extension String {
    /// How text is typed. Without meaning on Linux.
    ///
    /// Source: Apple's String.IntentInputOptions page.
    public struct IntentInputOptions: Sendable {
        /// The keyboard to show.
        public enum KeyboardType: Sendable {
            case asciiCapable
            case `default`
            case numbersAndPunctuation
            case URL
            case numberPad
            case phonePad
            case namePhonePad
            case emailAddress
            case decimalPad
            case twitter
            case webSearch
        }

        /// Which letters become capitals.
        public enum CapitalizationType: Sendable {
            case none
            case words
            case sentences
            case allCharacters
        }

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
