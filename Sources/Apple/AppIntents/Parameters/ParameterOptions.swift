import Foundation
import IntentVocabulary

/// Whether a parameter receives the result of a shortcut's previous step. Ignored on Linux.
///
/// Source: Apple's InputConnectionBehavior page.
public enum InputConnectionBehavior: Sendable {
    /// The behaviour that the system chooses.
    case `default`
    /// The parameter never receives the result of the previous step.
    case never
    /// The parameter receives the result of the previous step.
    case connectToPreviousIntentResult
}

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

    /// The control for entering a whole number. Ignored on Linux.
    public enum IntControlStyle: Sendable {
        /// A text field.
        case field
        /// A stepper.
        case stepper
        /// A slider.
        case slider
    }

    /// The control for entering a number. Ignored on Linux.
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
        /// The kinds of keyboard.
        public enum KeyboardType: Sendable {
            /// A keyboard for ASCII characters.
            case asciiCapable
            /// The default keyboard.
            case `default`
            /// A keyboard for numbers and punctuation.
            case numbersAndPunctuation
            /// A keyboard for URLs.
            case URL
            /// A keyboard for digits.
            case numberPad
            /// A keyboard for telephone numbers.
            case phonePad
            /// A keyboard for names and telephone numbers.
            case namePhonePad
            /// A keyboard for email addresses.
            case emailAddress
            /// A keyboard for decimal numbers.
            case decimalPad
            /// A keyboard for social media posts.
            case twitter
            /// A keyboard for web searches.
            case webSearch
        }

        /// The letters that the keyboard capitalises.
        public enum CapitalizationType: Sendable {
            /// No letters are capitalised.
            case none
            /// The first letter of each word is capitalised.
            case words
            /// The first letter of each sentence is capitalised.
            case sentences
            /// All letters are capitalised.
            case allCharacters
        }

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
