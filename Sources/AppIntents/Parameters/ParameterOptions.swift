import Foundation
import IntentWire

/// Whether a parameter receives the result of the previous step. Ignored on Linux.
///
/// Source: Apple's InputConnectionBehavior page.
public enum InputConnectionBehavior: Sendable {
    /// The default.
    case `default`
    /// The parameter never receives the previous result.
    case never
    /// The parameter receives the previous result.
    case connectToPreviousIntentResult
}

extension IntentParameter {
    /// The bounds of a number, both included: `(1, 10)`.
    public typealias InclusiveRange<Bound> = (lowerBound: Bound, upperBound: Bound)

    /// The part of a date that a question asks for.
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

    /// The control for a whole number. Ignored on Linux.
    public enum IntControlStyle: Sendable {
        /// A text field.
        case field
        /// A stepper.
        case stepper
        /// A slider.
        case slider
    }

    /// The control for a number. Ignored on Linux.
    public enum DoubleControlStyle: Sendable {
        /// A text field.
        case field
        /// A stepper.
        case stepper
        /// A slider.
        case slider
    }
}

extension Bool {
    /// The words that stand for true and false.
    ///
    /// Source: Apple's Bool.IntentDisplayName page.
    public struct IntentDisplayName: Sendable {
        /// The word for true.
        public let `true`: LocalizedStringResource
        /// The word for false.
        public let `false`: LocalizedStringResource

        /// Creates words for true and false.
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
    /// Options for typing text. Ignored on Linux.
    ///
    /// Source: Apple's String.IntentInputOptions page.
    public struct IntentInputOptions: Sendable {
        /// The keyboard.
        public enum KeyboardType: Sendable {
            /// ASCII characters.
            case asciiCapable
            /// The default.
            case `default`
            /// Numbers and punctuation.
            case numbersAndPunctuation
            /// URLs.
            case URL
            /// Digits.
            case numberPad
            /// Telephone numbers.
            case phonePad
            /// Names and telephone numbers.
            case namePhonePad
            /// Email addresses.
            case emailAddress
            /// Decimal numbers.
            case decimalPad
            /// Social media posts.
            case twitter
            /// Web searches.
            case webSearch
        }

        /// The letters to capitalise.
        public enum CapitalizationType: Sendable {
            /// No letters.
            case none
            /// The first letter of each word.
            case words
            /// The first letter of each sentence.
            case sentences
            /// All letters.
            case allCharacters
        }

        /// Creates options for typing text.
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
